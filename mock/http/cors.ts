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
 * What lets a page of any origin read a reply, also one that sends cookies along, as some clients always do: there is
 * nothing here that a cookie would open. Written by hand: @fastify/cors costs a request more than its validation does.
 */
export const corsHeaders = (origin = '*'): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  ...(origin === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
  'access-control-expose-headers': exposedHeaders,
  vary: 'Origin',
  // A browser sends a request again, and tells nobody, when a connection it used before breaks off without a reply. On a
  // connection of its own each broken one is seen by the page.
  connection: 'close',
});

/** A request that is no page's gets no headers for pages. */
export const responseCorsHeaders = ({ origin }: Headers): Readonly<Record<string, string>> | undefined =>
  typeof origin === 'string' ? corsHeaders(origin) : undefined;

/**
 * The headers of the 204 to any OPTIONS, a browser's preflight or a bare one, as whatever follows it would be allowed:
 * before authentication, because a preflight carries no key.
 */
export const preflightHeaders = (headers: Headers): Readonly<Record<string, string>> => ({
  ...corsHeaders(headers.origin as string | undefined),
  ...permissions(headers),
  vary: 'Origin, Access-Control-Request-Headers',
});

/** What a page may send. The names of headers themselves: "*" would not cover Authorization, which has the key. */
const permissions = ({ 'access-control-request-headers': names }: Headers): Record<string, string> => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  ...(names === undefined ? {} : { 'access-control-allow-headers': String(names) }),
});

/**
 * What lets the pages of an allowed origin read a reply, and send what is no plain form: those of `--allowed-origin`, and
 * nobody else. Without the flag there is nothing of it.
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

/** A browser asks first whether a page may send what it wants to send. Carries no key. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;
