import type { FastifyReply, FastifyRequest } from 'fastify';

// Pages of any origin may call the service, as they would call the real one. "*" is all they need: keys travel in a header
// the page sets itself, not in cookies.
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;

/**
 * Lets a page of any origin read the reply; a request that is no page's gets no headers for pages.
 * Written by hand: @fastify/cors costs a request more than its validation does.
 */
export const allowPages = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  if (headers.origin !== undefined) reply.headers(readable);
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
      ...readable,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, PATCH',
      // The names themselves: "*" would not cover Authorization.
      ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
      vary: 'Access-Control-Request-Headers',
    })
    .send();
};
