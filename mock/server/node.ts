import { type IncomingMessage, maxHeaderSize, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Admin, AdminHttpReply } from '../admin/answer.ts';
import { pathOf } from '../contract/path-template.ts';
import type { OpenStream } from '../route/noun.ts';
import { pause, stopwatch } from '../runtime/timers.ts';
import { announcesNoBody } from '../service/body.ts';
import { ApiError, type Reply, toErrorResponse } from '../service/errors.ts';
import { corsHeaders } from '../service/headers.ts';
import type { RequestLog } from '../service/log.ts';
import type { ApiRequest, Service } from '../service/request.ts';
import type { Context } from '../service/service.ts';
import { limits } from '../store/store.ts';
import { answerParserError, breakConnection } from './connection.ts';

const empty = Buffer.alloc(0);

/** Reads a body up to the limit in bytes. A request that breaks off before its end gets no answer. */
const readBody = (
  request: IncomingMessage,
  limit: number,
  done: (body: Buffer | undefined, isTooLarge: boolean) => void,
): void => {
  if (announcesNoBody(request.headers)) return done(undefined, false);
  if (Number(request.headers['content-length']) > limit) return done(undefined, true);
  const chunks: Buffer[] = [];
  let received = 0;
  const finish = (isTooLarge: boolean): void => {
    const [first = empty] = chunks;
    done(chunks.length < 2 ? first : Buffer.concat(chunks, received), isTooLarge);
  };
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    chunks.push(chunk);
    if (received <= limit) return;
    // Node.js discards the rest, until the time for a request is over.
    request.off('data', onData).off('end', onEnd).resume();
    finish(true);
  };
  const onEnd = (): void => finish(false);
  request.on('data', onData).on('end', onEnd).on('error', ignore);
};

const ignore = (): void => undefined;

/** Serves the service to a connection. */
const serveService = (service: Service, raw: IncomingMessage, response: ServerResponse): void =>
  readBody(raw, limits.requestBytes, (body, isTooLarge) => {
    const { method = '', url = '', headers, rawHeaders, httpVersion } = raw;
    const request: ApiRequest = { method, url, headers, rawHeaders, httpVersion, body, isTooLarge };
    const { reply, delayMs, endDelay } = service(request);
    const send = (): void => {
      if ('status' in reply) return write(raw, response, reply);
      // Unread data would turn the end into a reset.
      raw.resume();
      breakConnection(reply.connectionFault, raw.socket, corsHeaders(headers.origin));
    };
    if (delayMs === 0) return send();
    // A delayed response must not keep a stopping process alive.
    void pause(delayMs, closedSignal(response), false).then((isGone) => {
      if (!isGone) send();
      endDelay(isGone);
    });
  });

const withoutConnection = ({ connection: _, ...headers }: Reply['headers']): Reply['headers'] => headers;

const write = (raw: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void => {
  // To close the connection would keep a client that still sends from reading the response.
  const isRead = raw.complete || announcesNoBody(raw.headers);
  const sent = isRead ? headers : withoutConnection(headers);
  if (body === null) response.writeHead(status, sent).end();
  else response.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(body) }).end(body);
};

/** Serves the admin API to a connection. */
export const serveAdmin = (admin: Admin, raw: IncomingMessage, response: ServerResponse): void => {
  const { method = '', url = '', headers } = raw;
  readBody(raw, limits.stateBytes, async (body, isTooLarge) => {
    const signal = (): AbortSignal => closedSignal(response);
    const peer = raw.socket.remoteAddress;
    const reply = await admin({ method, url, headers, peer, body, isTooLarge, signal });
    if (typeof reply.body === 'string') write(raw, response, { ...reply, body: reply.body });
    else stream(response, reply, reply.body);
  });
};

/** Aborted when the connection closes before the response is complete. */
const closedSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
};

/** Sends piece by piece. A client that reads so slowly that too much waits for it is disconnected. */
const stream = (response: ServerResponse, { status, headers }: AdminHttpReply, open: OpenStream): void => {
  response.writeHead(status, headers);
  const send = (text: string): void => {
    if (response.writableLength + text.length > limits.streamLength) response.destroy();
    else response.write(text);
  };
  const stop = open(send, () => response.end());
  response.once('close', stop);
  if (response.destroyed) stop();
};

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** What Fastify serves: the reference page, and the contract in force. */
const isReference = (path: string): boolean =>
  !path.startsWith('/api/') && /^\/(|docs(\/.*)?|openapi\.(json|yaml))$/.test(path);

/** Logs a request for the reference when its response is sent. The service and the admin API log theirs. */
const logReference = (log: RequestLog, raw: IncomingMessage, response: ServerResponse): void => {
  const seconds = stopwatch();
  const { method = '', url = '' } = raw;
  response.once('finish', () =>
    log?.({ method, url }, { status: response.statusCode, ms: seconds() * 1000 }),
  );
};

/** Leads each request to what serves it. Without an admin API, its paths are paths that the service does not know. */
export const createListener =
  (
    { admin: hasAdmin, log }: Context,
    service: Service,
    getAdmin: () => Promise<Admin>,
    serveReference: RequestListener,
  ): RequestListener =>
  (raw, response) => {
    const path = pathOf(raw.url ?? '');
    if (isReference(path)) {
      logReference(log, raw, response);
      serveReference(raw, response);
    } else if (hasAdmin && isBelow('/__admin', path))
      void getAdmin().then((admin) => serveAdmin(admin, raw, response));
    else serveService(service, raw, response);
  };

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** Where the status is not 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

// The first byte of a TLS handshake.
const tlsHandshake = 0x16;

/** Answers bytes that are not an HTTP request with a JSON error response, and closes the connection. */
export const respondToParserError = (error: ParserError, socket: Socket, context: Context): void => {
  const { code = '', message, rawPacket } = error;
  const isHttps = Buffer.isBuffer(rawPacket) && rawPacket[0] === tlsHandshake;
  const [problem, hint] = isHttps
    ? [
        'the request is HTTPS, and this port speaks HTTP',
        'Write http:// in the address, or start the mock with --tls-cert and --tls-key.',
      ]
    : [
        `the request cannot be read: ${message.replace(/^Parse Error:? ?/, '') || code}`,
        `This port speaks HTTP/1.1, with at most ${maxHeaderSize} bytes of path and headers.`,
      ];
  const cause = new ApiError('bad_request', problem, hint, { status: statuses[code] ?? 400 });
  const { reply, why } = toErrorResponse(cause, context.contract.answers, context.redact);
  const headers = { ...reply.headers, 'access-control-allow-origin': '*' };
  if (answerParserError(error, socket, { ...reply, headers, body: reply.body ?? '' }))
    context.log?.({ method: '-', url: '(not HTTP)' }, { status: reply.status, ms: 0, why: why.what });
};
