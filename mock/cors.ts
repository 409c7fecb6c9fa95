import type { FastifyReply, FastifyRequest } from 'fastify';

const readable = [
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
export const headersForPages = (origin = '*'): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  ...(origin === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
  'access-control-expose-headers': readable,
  vary: 'Origin',
  // A browser sends a request again, and tells nobody, when a connection it used before breaks off without a reply. On a
  // connection of its own each broken one is seen by the page.
  connection: 'close',
});

/** A request that is no page's gets no headers for pages. */
export const allowPages = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  if (headers.origin !== undefined) reply.headers(headersForPages(headers.origin));
};

/**
 * Answers any OPTIONS, a browser's preflight or a bare one, as whatever follows it would be allowed: before
 * authentication, because a preflight carries no key.
 */
export const answerOptions = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  const asked = headers['access-control-request-headers'];
  void reply
    .code(204)
    .headers({
      ...headersForPages(headers.origin),
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, PATCH',
      // The names themselves: "*" would not cover Authorization.
      ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
      vary: 'Origin, Access-Control-Request-Headers',
    })
    .send();
};
