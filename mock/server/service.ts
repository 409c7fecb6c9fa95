import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { bodyLimit, bodyTooLarge, countDelayed } from '../api/body.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type CheckResponse,
  createExchange,
  type Exchange,
  type Outcome,
} from '../api/exchange.ts';
import { answerBody, answerHeaders, refuse, refuseUnrouted } from '../api/pipeline.ts';
import { record, recordClosed } from '../api/recorder.ts';
import type { Operation } from '../contract/document.ts';
import { knownOperations } from '../contract/in-force.ts';
import { announcesNoBody, decodeUtf8 } from '../http/content-type.ts';
import type { Context } from '../http/context.ts';
import { corsHeaders } from '../http/cors.ts';
import { textBytes } from '../runtime/limits.ts';
import { countBody, countUntilClosed, discardBody, readBytes } from '../runtime/request-bytes.ts';
import { delayResponse, startTimer } from '../runtime/timers.ts';
import type { ConnectionFault } from '../workspace/faults.ts';

// Bytes that are not HTTP; always the same.
const garbage = Buffer.from(
  "lskdu018973t09sylgasjkfg1][]'./.sdlv\u0000\u0001\u0002\u00ff\r\n\u0007",
  'latin1',
);

// With CORS headers: otherwise a browser would report a CORS error, and not the broken body.
const malformedChunkResponse = (origin: string | undefined): Buffer => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...corsHeaders(origin),
    'transfer-encoding': 'chunked',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`, 'latin1'), garbage]);
};

// Long enough for a client to notice the end of the connection before the socket is destroyed.
const lingerMs = 500;

/** Ends the connection of a request as a broken network or server would. */
const breakConnection = (fault: ConnectionFault, request: IncomingMessage): void => {
  const { socket } = request;
  socket.on('error', () => undefined);
  if (fault === 'CONNECTION_RESET_BY_PEER') return void socket.resetAndDestroy();
  // Unread data would turn the end into a reset.
  discardBody(request);
  if (fault === 'EMPTY_RESPONSE') socket.end();
  else
    socket.end(
      fault === 'MALFORMED_RESPONSE_CHUNK' ? malformedChunkResponse(request.headers.origin) : garbage,
    );
  startTimer(() => socket.destroy(), lingerMs).unref();
};

type Incoming = { readonly raw: IncomingMessage };
type Outgoing = { readonly raw: ServerResponse };

/** Serves a request under the prefix of the service; without an operation if no route matches. */
export type Serve = (request: FastifyRequest, reply: Outgoing, operation?: Operation) => void;

/** The adapter between Fastify and the pipeline: reads requests and writes responses. The pipeline decides them. */
export const createServe =
  (context: Context, check?: CheckResponse): Serve =>
  (request, reply, operation) => {
    const route = {
      operation,
      params: request.params as { id?: string },
      query: request.query as Record<string, unknown>,
    };
    const exchange = createExchange(request.raw as ApiRequest & IncomingMessage, route, context);
    const end = (outcome: Outcome): void => finish(exchange, outcome, request, reply, check);
    const outcome = answerHeaders(exchange);
    if (outcome) end(outcome);
    else answerWithBody(exchange, request, end);
  };

/** Routes the operations. A hook answers them, because it runs before Fastify parses and validates the body. */
export const registerService = (service: FastifyInstance, serve: Serve): void => {
  for (const operation of knownOperations())
    service.route({
      method: operation.method.toUpperCase() as HTTPMethods,
      url: operation.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      onRequest: (request, reply) => serve(request, reply, operation),
      handler: answered,
    });
};

/** The required handler of a route whose hook has already answered. */
export const answered = (): void => undefined;

const answerWithBody = (exchange: Exchange, { raw }: Incoming, end: (outcome: Outcome) => void): void => {
  // §4.2: the body of a GET is ignored.
  if (raw.method === 'GET' || raw.method === 'HEAD' || announcesNoBody(raw.headers))
    return end(answerBody(exchange, undefined));
  const limit = bodyLimit(exchange);
  try {
    countBody(raw.headers, limit, exchange.context.workspaces.transfers, raw);
  } catch (error) {
    return end(refuse(exchange, error as Error));
  }
  readBytes(raw, limit, bodyTooLarge, (error, bytes) =>
    end(error ? refuse(exchange, error) : answerBody(exchange, decodeUtf8(bytes))),
  );
};

/** Answers a request whose path Fastify could not decode. */
export const rejectServiceRequest = (
  { raw }: Incoming,
  reply: Outgoing,
  error: Error,
  context: Context,
): void => {
  const route = { operation: undefined, params: {}, query: {} };
  const exchange = createExchange(raw as ApiRequest & IncomingMessage, route, context);
  finish(exchange, refuseUnrouted(exchange, error), { raw }, reply);
};

/** Delays, records and sends. */
const finish = (
  exchange: Exchange,
  outcome: Outcome,
  request: Incoming,
  reply: Outgoing,
  check?: CheckResponse,
): void => {
  const { delayMs } = exchange;
  const send = (closed: boolean): void => {
    if ('connectionFault' in outcome) breakExchange(exchange, outcome, request);
    else respond(exchange, check ? check(exchange, outcome) : outcome, request, reply, closed);
  };
  const transfer = delayMs === 0 ? undefined : countDelayed(exchange, outcome);
  if (!transfer) return send(false);
  reply.raw.once('close', transfer.end);
  delayResponse(delayMs, reply.raw, send);
};

const breakExchange = (
  exchange: Exchange,
  outcome: Extract<Outcome, { connectionFault: unknown }>,
  { raw }: Incoming,
): void => {
  record(exchange, outcome);
  exchange.context.log?.(exchange.request, {
    statusCode: 0,
    elapsedTime: 0,
    why: exchange.entry.why?.what,
  });
  breakConnection(outcome.connectionFault, raw);
};

const respond = (
  exchange: Exchange,
  response: ApiResponse,
  request: Incoming,
  reply: Outgoing,
  closed: boolean,
): void => {
  const affordable = countResponse(exchange, response, reply);
  const sent = request.raw.complete ? affordable : beforeBodyIsRead(request.raw, affordable);
  if (exchange.entry.why !== null) exchange.context.reasons.set(request.raw, exchange.entry.why.what);
  if (closed) recordClosed(exchange, sent.status);
  else record(exchange, sent);
  write(reply.raw, sent);
};

/** Counts a large response until the client has read it. Returns an error response if there is no memory for it. */
const countResponse = (exchange: Exchange, response: ApiResponse, reply: Outgoing): ApiResponse => {
  // A delayed response has already been counted.
  if (exchange.delayMs > 0) return response;
  try {
    countUntilClosed(textBytes(response.body), exchange.context.workspaces.transfers, reply.raw);
    return response;
  } catch (error) {
    return refuse(exchange, error as Error);
  }
};

/** Keeps the connection open if the body is not read yet: closing it would stop the client from reading the response. */
const beforeBodyIsRead = (raw: IncomingMessage, response: ApiResponse): ApiResponse => {
  if (announcesNoBody(raw.headers)) return response;
  discardBody(raw);
  const { connection: _, ...headers } = response.headers;
  return { ...response, headers };
};

const write = (raw: ServerResponse, { status, headers, body }: ApiResponse): void => {
  if (body === null) raw.writeHead(status, headers).end();
  else raw.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) }).end(body);
};
