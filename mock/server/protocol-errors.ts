import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { startTimer } from '../runtime/timers.ts';
import type { Context } from '../service/context.ts';
import { ApiError, toErrorResponse } from '../service/errors.ts';
import { discardBody } from './node.ts';

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };

type Known = readonly [status: number, what: string, hint: string];

// Parser errors whose own messages are hard to understand.
const knownErrors: Readonly<Record<string, Known>> = {
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

const http2Error: Known = [
  400,
  'the request is HTTP/2, and this port speaks HTTP/1.1',
  'Turn HTTP/2 off in the client; with curl: --http1.1.',
];

// The first byte of a TLS handshake.
const tlsHandshake = 0x16;

const tlsError: Known = [
  400,
  'the request is HTTPS, and this port speaks HTTP',
  'Write http:// in the address, or start the mock with --tls-cert and --tls-key.',
];

/** The error for bytes that Node.js cannot parse. */
const describeParserError = ({ code = '', message, rawPacket }: ParserError): ApiError => {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.of();
  const isHttp2 = packet.subarray(0, 3).toString() === 'PRI';
  const known = packet[0] === tlsHandshake ? tlsError : isHttp2 ? http2Error : knownErrors[code];
  const [status, text, hint] = known ?? [
    400,
    `the request is not HTTP: ${message.replace(/^Parse Error:? ?/, '')}`,
    'The connection is closed.',
  ];
  return new ApiError('bad_request', text, hint, { status });
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
    const { status, headers, body, why } = render(unsupportedExpectation, context);
    discardBody(request);
    response.writeHead(status, headers).end(body);
    const { method = '', url = '' } = request;
    context.log?.({ method, url }, { statusCode: status, elapsedTime: 0, why: why.what });
  });
  // Such a client cannot read any answer: only the log can tell.
  server.on('tlsClientError', ({ code }: ParserError) => {
    if (code !== 'ERR_SSL_HTTP_REQUEST') return;
    const why = 'the request is HTTP, and this port speaks HTTPS; write https:// in the address';
    context.log?.({ method: '-', url: '(not HTTPS)' }, { statusCode: 0, elapsedTime: 0, why });
  });
  server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    respondAndClose(connectUnsupported, { method, url }, socket, context);
  });
};

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
  // Not decided by an answer: a success would open a tunnel.
  { status: 405, headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' } },
);

const render = (cause: ApiError, { contract, redact }: Context) => {
  const { reply, why } = toErrorResponse(cause, contract.answers, redact);
  const body = reply.body ?? '';
  return {
    status: reply.status,
    body,
    why,
    headers: {
      ...reply.headers,
      'access-control-allow-origin': '*',
      'content-length': String(Buffer.byteLength(body)),
    },
  };
};

// Long enough for a client to read the response while it is still sending; an early reset would discard it.
const lingerMs = 500;

const respondAndClose = (
  cause: ApiError,
  request: { readonly method: string; readonly url: string },
  socket: Socket,
  context: Context,
): void => {
  const { status, headers, body, why } = render(cause, context);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
  startTimer(() => socket.destroy(), lingerMs).unref();
  context.log?.(request, { statusCode: status, elapsedTime: 0, why: why.what });
};
