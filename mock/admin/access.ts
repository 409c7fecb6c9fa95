import { isLoopback } from '../contract/loopback.ts';
import { quoted } from '../contract/questions.ts';
import { AdminError } from '../route/noun.ts';
import type { Headers } from '../service/body.ts';
import { keyOf } from '../service/headers.ts';
import type { Workspaces } from '../workspace/registry.ts';

// Host names that are safe in a hint, which people paste into a shell.
const hostName = /^[a-z0-9.-]{1,253}$/;
const originName = /^https?:\/\/[a-z0-9.:-]{1,253}$/i;

/**
 * Checks who calls the admin API: this machine under a loopback name, or anyone under an allowed name, and no page of another
 * site. This prevents DNS rebinding and hidden requests of web pages. Any machine can send a loopback name, so the address of
 * the connection decides; headers such as X-Forwarded-For can be forged and are not read.
 * @param peer the address of the connection
 * @param visit the page itself is opened, which contains no data: any site may link to it
 * @throws AdminError 403 naming the flag that allows it
 */
export const checkCaller = (
  headers: Headers,
  peer: string | undefined,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
  visit = false,
): void => {
  const { host = '', origin = '' } = headers;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!allowedHosts.some((allowed) => allowed.toLowerCase() === name)) checkLoopback(name, peer);
  if (allowedOrigins.includes(origin)) return;
  const foreign = origin !== '' && origin !== `http://${host}` && origin !== `https://${host}`;
  if (!foreign && (visit || headers['sec-fetch-site'] !== 'cross-site')) return;
  const problem = `pages of ${origin === '' ? 'another site' : quoted(origin)} may not call the admin API`;
  const flag = `--allowed-origin ${originName.test(origin) ? origin : 'ORIGIN'}`;
  throw new AdminError(403, problem, `If that page is yours, start the mock with ${flag}.`);
};

const checkLoopback = (name: string, peer = 'of unknown address'): void => {
  const hint = `If this is meant, start the mock with --allowed-host ${hostName.test(name) ? name : 'NAME'}`;
  if (!isLoopback(name)) {
    const problem = `header/Host is ${quoted(name)}; the admin API answers loopback names only`;
    throw new AdminError(403, name === '' ? 'header/Host is missing' : problem, `${hint}.`);
  }
  if (!isLoopback(peer))
    throw new AdminError(
      403,
      `header/Host is ${quoted(name)}, but the request comes from another machine, ${peer}`,
      `${hint}: every machine that can connect to it can then call the admin API. For a container, publish the port on one machine only, -p 127.0.0.1:4010:4010.`,
    );
};

/**
 * The key of a request: the one in its `Authorization` header, else `?key=`, else the key the mock prints.
 * @throws AdminError 401 where there is no accepted key; the key itself is never repeated
 */
export const readKey = (
  header: string | undefined,
  queried: string | undefined,
  workspaces: Workspaces,
): string => {
  const sent = keyOf(header);
  if (header && sent === undefined)
    throw new AdminError(401, 'header/Authorization must be "Bearer <API_KEY>"', workspaces.rule);
  const key = sent ?? queried ?? workspaces.defaultKey;
  if (key === undefined)
    throw new AdminError(
      401,
      'the request names no workspace, and no accepted key begins with test_',
      'Send "Authorization: Bearer <API_KEY>" with one of the keys given to --accept-key.',
    );
  if (!workspaces.accepts(key)) throw new AdminError(401, 'the key is not accepted', workspaces.rule);
  return key;
};

/** Whether a request opens the page. Its file contains no data and cannot be framed, so any link may lead to it. */
export const isVisit = (
  method: string,
  path: string,
  headers: Headers,
  page = /^\/__admin\/ui\/?$/,
): boolean =>
  method === 'GET' &&
  page.test(path) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';
