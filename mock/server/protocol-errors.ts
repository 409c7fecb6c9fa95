import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  outsideService,
  reasonFor,
  renderErrorResponse,
  toErrorResponse,
  undecodablePath,
} from '../api/error-response.ts';
import { type RawRequest, recordRaw } from '../api/recorder.ts';
import { apiPrefix } from '../contract/in-force.ts';
import { pathOf } from '../contract/path-template.ts';
import type { Context } from '../http/context.ts';
import { preflightHeaders, responseCorsHeaders } from '../http/cors.ts';
import { ApiError } from '../http/errors.ts';
import { discardBody } from '../runtime/request-bytes.ts';
import { startTimer } from '../runtime/timers.ts';
import type { LazyApp } from './lazy-app.ts';
import { rejectServiceRequest, type Serve } from './service.ts';

/** Sends an error response outside the service (§7). */
export const sendErrorResponse = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  { answers } = context.contract,
): FastifyReply => {
  const { response, reason } = toErrorResponse(error, request, answers, context);
  context.reasons.set(request.raw, reason.what);
  // A wrong path outside the service is a client's mistake like any other, so it is in the journal.
  if (error instanceof ApiError) recordRaw(toRawRequest(request.raw), response, reason, context);
  discardBody(request.raw);
  // To close the connection would keep a client that still sends from reading the reply.
  if (!request.raw.complete) reply.removeHeader('connection');
  return reply.code(response.status).headers(response.headers).send(response.body);
};

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };

// Parser errors whose own messages are hard to understand.
const knownErrors: Readonly<Record<string, readonly [status: number, what: string, hint: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `the path and headers are larger than ${maxHeaderSize} bytes`,
    'Send a shorter path and fewer or shorter headers.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'the chunk extensions are too large',
    'Send chunks without extensions.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time', 'Send it again, all of it.'],
  HPE_INVALID_EOF_STATE: [400, 'the request ended before all of it had arrived', 'Send it again, all of it.'],
  HPE_INVALID_METHOD: [
    400,
    'the request is not HTTP, or has an unknown method',
    'This is a plain HTTP server.',
  ],
};

// The first byte of a TLS handshake.
const tlsHandshake = 0x16;

const tlsError = [
  400,
  'the request is HTTPS, and this port speaks HTTP',
  'Write http:// in the address, or start the mock with --tls-cert and --tls-key.',
] as const;

/** The error response for bytes that Node.js cannot parse. */
const describeParserError = ({ code = '', message, rawPacket }: ParserError): ApiError => {
  const known = Buffer.isBuffer(rawPacket) && rawPacket[0] === tlsHandshake ? tlsError : knownErrors[code];
  const [status, text, hint] = known ?? [
    400,
    `the request is not HTTP: ${message.replace(/^Parse Error:? ?/, '')}`,
    'The connection is closed.',
  ];
  return new ApiError('bad_request', text, hint, { status });
};

/** The parts of the server that answer requests without a route. */
export type Parts = {
  readonly context: Context;
  readonly serve: Serve;
  /** `undefined` for a mock without an admin API. */
  readonly admin: LazyApp | undefined;
};

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** Answers a request without a route: the admin API's, or one with an unknown path or method. */
export const serveUnrouted = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { context, serve, admin }: Parts,
): Promise<void> => {
  const { method, url, headers } = request;
  const path = pathOf(url);
  if (isBelow(apiPrefix, path)) return serve(request, reply);
  if (admin && isBelow('/__admin', path)) return admin.serve(request, reply);
  if (method === 'OPTIONS') return void reply.code(204).headers(preflightHeaders(headers)).send();
  // With CORS headers, so that a page sees the wrong address as the error, and not CORS.
  reply.headers(responseCorsHeaders(headers) ?? {});
  sendErrorResponse(outsideService(method, url, context.admin, context.contract), request, reply, context);
};

/** Answers a request whose path cannot be decoded, e.g. `%zz`. No hook has run. */
export const rejectUndecodablePath = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { context, admin }: Parts,
): Promise<void> => {
  reply.raw.once('finish', () => {
    const { statusCode, elapsedTime } = reply;
    context.log?.(request, { statusCode, elapsedTime, why: context.reasons.get(request.raw) });
  });
  const path = pathOf(request.url);
  if (admin && isBelow('/__admin', path)) return admin.serve(request, reply);
  if (isBelow(apiPrefix, path)) rejectServiceRequest(request, reply, undecodablePath, context);
  else sendErrorResponse(undecodablePath, request, reply, context, context.contractFor(request));
};

/** Answers bytes that are not an HTTP request with a JSON error response, and closes the connection. */
export const respondToParserError = (error: ParserError, socket: Socket, context: Context): void => {
  // The parser reports an error for every further packet, after the client has been answered.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  respondAndClose(describeParserError(error), { method: '-', url: '(not HTTP)' }, socket, context);
};

/** Answers requests that Node.js would answer without a body, or not at all. */
export const handleUnsupportedRequests = (server: Server, context: Context): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = render(unsupportedExpectation, context);
    discardBody(request);
    response.writeHead(status, headers).end(body);
    logAndRecord(unsupportedExpectation, toRawRequest(request), { status, headers, body }, context);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    respondAndClose(connectUnsupported, toRawRequest(request), socket, context);
  });
};

const toRawRequest = ({ method = '', url = '', rawHeaders, headers }: IncomingMessage): RawRequest => ({
  method,
  url,
  rawHeaders,
  headers,
});

const unsupportedExpectation = new ApiError(
  'bad_request',
  'header/Expect must be 100-continue',
  'Leave the header out.',
  { status: 417 },
);

const connectUnsupported = new ApiError(
  'method_not_allowed',
  'CONNECT is not for this server',
  'It is not a proxy.',
  {
    // Not decided by an answer: a success would open a tunnel.
    status: 405,
    headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' },
  },
);

type RenderedResponse = {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, string>;
};

const render = (cause: ApiError, { contract }: Context): RenderedResponse => {
  const { status, body, headers } = renderErrorResponse(cause, contract.answers);
  const text = JSON.stringify(body);
  return {
    status,
    body: text,
    headers: {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'content-length': String(Buffer.byteLength(text)),
    },
  };
};

// Long enough for a client to read the response while it is still sending; an early reset would discard it.
const lingerMs = 500;

const respondAndClose = (cause: ApiError, request: RawRequest, socket: Socket, context: Context): void => {
  const reply = render(cause, context);
  const { status, headers, body } = reply;
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
  startTimer(() => socket.destroy(), lingerMs).unref();
  logAndRecord(cause, request, reply, context);
};

const logAndRecord = (
  cause: ApiError,
  request: RawRequest,
  reply: RenderedResponse,
  context: Context,
): void => {
  const reason = reasonFor(cause, context.contract.answers);
  context.log?.(request, { statusCode: reply.status, elapsedTime: 0, why: reason.what });
  recordRaw(request, reply, reason, context);
};
