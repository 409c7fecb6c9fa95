import type { Headers } from './body.ts';

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

type CorsHeaders = Readonly<Record<string, string>>;

/**
 * CORS headers for requests of pages; `undefined` for all others.
 * @param allowedOrigins if there are any, pages of other origins get none
 */
export const responseCorsHeaders = (
  { origin }: Headers,
  allowedOrigins: readonly string[],
): CorsHeaders | undefined => {
  if (typeof origin !== 'string') return undefined;
  return isAllowed(origin, allowedOrigins) ? corsHeaders(origin) : { vary: 'Origin' };
};

const isAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 || allowed.includes(origin);

/**
 * The headers of the 204 to any OPTIONS request, which allow everything. Sent before authentication, because a preflight
 * carries no key.
 */
export const preflightHeaders = (headers: Headers, allowedOrigins: readonly string[]): CorsHeaders => {
  const { origin } = headers as { readonly origin?: string };
  if (origin !== undefined && !isAllowed(origin, allowedOrigins)) return { vary: 'Origin' };
  return {
    ...corsHeaders(origin),
    ...permissions(headers),
    vary: 'Origin, Access-Control-Request-Headers',
  };
};

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
