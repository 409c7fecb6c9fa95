import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refuseUndecodable } from './admin/index.ts';
import type { Context } from './context.ts';
import { answerOptions } from './cors.ts';
import { ApiError } from './errors.ts';
import { type ParserError, parserRefusal } from './parser-refusals.ts';
import { startTimer } from './real-time.ts';
import { beginTrace, record, recordStray, type Stray } from './record.ts';
import { renderRefusal, sendRefusal, whyOf } from './refusals.ts';
import { addStandingHeaders, apiPrefix } from './service.ts';
import { discardRest } from './unread-body.ts';
import { pathOf } from './unrouted.ts';

/** Answers a request whose path cannot be decoded, e.g. `%zz`: no hook has run, so CORS is answered here. */
export const refuseUnroutable = (
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): void => {
  reply.raw.once('finish', () => context.log?.(request, reply));
  const path = pathOf(request.url);
  if (context.admin && path.startsWith('/__admin/'))
    return refuseUndecodable(request, reply, context, undecodable);
  request.view = context.viewFor(request);
  const ofService = path.startsWith(`${apiPrefix}/`);
  if (ofService) {
    request.trace = beginTrace(request);
    if (request.method === 'OPTIONS') return answerOptions(request, reply);
    addStandingHeaders(request, reply, request.view);
  }
  sendRefusal(undecodable, request, reply, context);
  if (!ofService) return;
  const { body } = renderRefusal(undecodable, (request.view ?? context.view).answers);
  record(request, reply.statusCode, reply.getHeaders(), JSON.stringify(body), context);
};

const undecodable = new ApiError(
  'bad_request',
  'the path cannot be decoded: a "%" must be followed by the two hexadecimal digits of a UTF-8 byte',
  'Percent-encode the id, e.g. with encodeURIComponent.',
);

/** Answers bytes that are not an HTTP request, in the same JSON as every refusal, and closes the connection. */
export const answerUnparsable = (error: ParserError, socket: Socket, context: Context): void => {
  // The parser complains again about every further packet of a client that was answered already.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(parserRefusal(error), { method: '-', url: '(not HTTP)' }, socket, context);
};

/** What Node.js would answer by itself, without a body, or not at all. */
export const answerOddRequests = (server: Server, context: Context): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = rendered(unmetExpectation, context);
    discardRest(request);
    response.writeHead(status, headers).end(body);
    takeDown(unmetExpectation, asked(request), { status, headers, body }, context);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    endWith(noProxy, asked(request), socket, context);
  });
};

const asked = ({ method = '', url = '', rawHeaders, headers }: IncomingMessage): Stray => ({
  method,
  url,
  rawHeaders,
  headers,
});

const unmetExpectation = new ApiError(
  'bad_request',
  'header/Expect must be 100-continue',
  'Leave the header out.',
  { status: 417 },
);

const noProxy = new ApiError('method_not_allowed', 'CONNECT is not for this server', 'It is not a proxy.', {
  // Whatever an answer says of wrong methods: a success would open a tunnel.
  status: 405,
  headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' },
});

type Rendered = { readonly status: number; readonly body: string; readonly headers: Record<string, string> };

const rendered = (cause: ApiError, { view }: Context): Rendered => {
  const { status, body, headers } = renderRefusal(cause, view.answers);
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

// Long enough for a client to read the refusal while it is still sending; an early reset would throw it away.
const lingerMs = 500;

const endWith = (cause: ApiError, request: Stray, socket: Socket, context: Context): void => {
  const reply = rendered(cause, context);
  const { status, headers, body } = reply;
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
  startTimer(() => socket.destroy(), lingerMs).unref();
  takeDown(cause, request, reply, context);
};

const takeDown = (cause: ApiError, request: Stray, reply: Rendered, context: Context): void => {
  context.log?.(request, { statusCode: reply.status, elapsedTime: 0 });
  recordStray(request, reply, whyOf(cause, context.view.answers), context);
};
