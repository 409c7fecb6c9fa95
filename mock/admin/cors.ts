type Headers = Readonly<Record<string, string | string[] | undefined>>;

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * What lets the pages of an allowed origin read a reply, and send what is no plain form: those of `--allowed-origin`, and
 * nobody else. Without the flag there is nothing of it.
 */
export const pageHeaders = (
  { origin, ...headers }: Headers,
  allowedOrigins: readonly string[],
): Record<string, string> => {
  if (allowedOrigins.length === 0) return {};
  if (typeof origin !== 'string' || !allowedOrigins.includes(origin)) return { vary: 'Origin' };
  const asked = headers['access-control-request-headers'];
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    'access-control-allow-methods': methods,
    // The names themselves: "*" would not cover Authorization, which has the key.
    ...(asked === undefined ? {} : { 'access-control-allow-headers': String(asked) }),
  };
};

/** A browser asks first whether a page may send what it wants to send. Carries no key. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;
