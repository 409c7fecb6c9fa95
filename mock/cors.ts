import type { FastifyReply, FastifyRequest } from 'fastify';

// Pages of any origin may call the service, as they would call the real one. The plugin's own methods stop at POST.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'];
const exposedHeaders = ['Allow', 'Retry-After', 'Preference-Applied', 'WWW-Authenticate'];

/** For @fastify/cors: any origin, preflights answered before authentication, a bare OPTIONS too. */
export const corsOptions = { origin: true, methods, exposedHeaders, strictPreflight: false };

/** The same for a request that no hook sees because its path cannot be decoded. */
export const allowOrigin = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers({
    vary: 'Origin, Access-Control-Request-Headers',
    ...(headers.origin === undefined ? {} : { 'access-control-allow-origin': headers.origin }),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
  });
