import { AdminError } from './route.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Who may call the admin API: the machine it runs on, under a loopback name, from no other site's page. This stops DNS
 * rebinding and requests that a web page sends behind its reader's back.
 * @throws AdminError 403 naming the flag that allows it
 */
export const checkCaller = (
  headers: Headers,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
): void => {
  const host = single(headers.host);
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!loopback.test(name) && !allowedHosts.includes(name)) {
    throw new AdminError(
      403,
      `header/Host is ${JSON.stringify(name)}; the admin API answers loopback names only`,
      `If that name is meant, start the mock with --allowed-host ${name || 'NAME'}.`,
    );
  }
  const origin = single(headers.origin);
  if (allowedOrigins.includes(origin)) return;
  const foreign = origin !== '' && origin !== `http://${host}` && origin !== `https://${host}`;
  if (foreign || single(headers['sec-fetch-site']) === 'cross-site') {
    throw new AdminError(
      403,
      `pages of ${origin || 'another site'} may not call the admin API`,
      `If that page is yours, start the mock with --allowed-origin ${origin || 'ORIGIN'}.`,
    );
  }
};

/** A body must say that it is JSON: a form of another site cannot. No body needs no type. */
export const checkMediaType = (headers: Headers): void => {
  const type = single(headers['content-type']);
  const empty =
    headers['transfer-encoding'] === undefined && (single(headers['content-length']) || '0') === '0';
  if (empty || /^application\/json\s*(;|$)/i.test(type)) return;
  throw new AdminError(
    415,
    'header/Content-Type must be application/json',
    'Or send no body where none is needed.',
  );
};

const single = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join() : (value ?? '');
