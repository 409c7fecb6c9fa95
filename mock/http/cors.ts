import type { Headers } from './content-type.ts';

const exposedHeaders = [
  'Allow',
  'Deprecation',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
].join(', ');

/**
 * Headers that let a page of any origin read a response, with cookies too, as some clients always send them: no cookie gives
 * access to anything here. Written by hand, because @fastify/cors takes longer per request than the validation.
 */
export const corsHeaders = (origin = '*'): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  ...(origin === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
  'access-control-expose-headers': exposedHeaders,
  vary: 'Origin',
  // A browser silently repeats a request if a reused connection breaks without a response. With one connection per request
  // the page sees every connection fault.
  connection: 'close',
});

/** CORS headers for requests of pages; `undefined` for all others. */
export const responseCorsHeaders = ({ origin }: Headers): Readonly<Record<string, string>> | undefined =>
  typeof origin === 'string' ? corsHeaders(origin) : undefined;

/**
 * The headers of the 204 to any OPTIONS request, which allow everything. Sent before authentication, because a preflight
 * carries no key.
 */
export const preflightHeaders = (headers: Headers): Readonly<Record<string, string>> => ({
  ...corsHeaders(headers.origin as string | undefined),
  ...permissions(headers),
  vary: 'Origin, Access-Control-Request-Headers',
});

/** The methods and headers that a page may send. Lists the header names, because "*" does not cover Authorization. */
const permissions = ({ 'access-control-request-headers': names }: Headers): Record<string, string> => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  ...(names === undefined ? {} : { 'access-control-allow-headers': String(names) }),
});

/**
 * CORS headers of the admin API, for pages of the origins in `--allowed-origin` only. Without the flag there are none.
 */
export const adminCorsHeaders = (
  headers: Headers,
  allowedOrigins: readonly string[],
): Record<string, string> => {
  const { origin } = headers;
  if (allowedOrigins.length === 0) return {};
  if (typeof origin !== 'string' || !allowedOrigins.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    ...permissions(headers),
  };
};

/** Whether a request is a CORS preflight. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;
