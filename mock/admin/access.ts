import { quoted } from '../contract/questions.ts';
import { announcesNoBody, contentEncodingError, type Headers, isJson } from '../http/content-type.ts';
import { readCredentials } from '../http/credentials.ts';
import { isLoopback } from '../runtime/loopback.ts';
import type { Workspaces } from '../workspace/registry.ts';
import { AdminError } from './route.ts';

// Host names that are safe in a hint, which people paste into a shell.
const hostName = /^[a-z0-9.-]{1,253}$/;
const originName = /^https?:\/\/[a-z0-9.:-]{1,253}$/i;

/**
 * Checks who calls the admin API: only this machine, under a loopback name, and no page of another site. This prevents DNS
 * rebinding and hidden requests of web pages.
 * @param visit the page itself is opened, which contains no data: any site may link to it
 * @throws AdminError 403 naming the flag that allows it
 */
export const checkCaller = (
  headers: Headers,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
  visit = false,
): void => {
  const host = single(headers.host);
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!isLoopback(name) && !allowedHosts.some((allowed) => allowed.toLowerCase() === name)) {
    throw new AdminError(
      403,
      name === ''
        ? 'header/Host is missing'
        : `header/Host is ${quoted(name)}; the admin API answers loopback names only`,
      `If this is meant, start the mock with --allowed-host ${hostName.test(name) ? name : 'NAME'}.`,
    );
  }
  const origin = single(headers.origin);
  if (allowedOrigins.includes(origin)) return;
  const foreign = origin !== '' && origin !== `http://${host}` && origin !== `https://${host}`;
  if (foreign || (!visit && single(headers['sec-fetch-site']) === 'cross-site')) {
    throw new AdminError(
      403,
      `pages of ${origin === '' ? 'another site' : quoted(origin)} may not call the admin API`,
      `If that page is yours, start the mock with --allowed-origin ${originName.test(origin) ? origin : 'ORIGIN'}.`,
    );
  }
};

/** Requires a JSON Content-Type for a body, which a form of another site cannot send. */
export const checkMediaType = (headers: Headers): void => {
  if (announcesNoBody(headers)) return;
  const encoded = contentEncodingError(headers);
  if (encoded) throw encoded;
  const sent = single(headers['content-type']);
  if (isJson(sent)) return;
  throw new AdminError(
    415,
    `header/Content-Type must be application/json${sent === '' ? '' : `, not ${quoted(sent)}`}`,
    'With curl: -H "Content-Type: application/json".',
  );
};

const single = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join() : (value ?? '');

/**
 * The key of a request: the one in its `Authorization` header, else `?key=`, else the key the mock prints.
 * @throws AdminError 401 where there is no accepted key; the key itself is never repeated
 */
export const readKey = (
  header: string | undefined,
  queried: string | undefined,
  workspaces: Workspaces,
): string => {
  const credentials = readCredentials(header);
  if ('problem' in credentials && credentials.problem === 'malformed')
    throw new AdminError(401, 'header/Authorization must be "Bearer <API_KEY>"', workspaces.rule);
  const key = 'key' in credentials ? credentials.key : (queried ?? workspaces.defaultKey);
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
export const isVisit = (method: string, path: string, headers: Headers): boolean =>
  method === 'GET' &&
  /^\/__admin\/ui\/?$/.test(path) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';
