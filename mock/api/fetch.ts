import type { Operation } from '../contract/document.ts';
import { apiPrefix, knownOperations } from '../contract/in-force.ts';
import { decodeUtf8 } from '../http/content-type.ts';
import type { Context } from '../http/context.ts';
import { createTransfer, limits, TooMuchInTransfer } from '../runtime/limits.ts';
import { startTimer, stopTimer } from '../runtime/timers.ts';
import type { ConnectionFault } from '../workspace/faults.ts';
import { bodyLimit, bodyTooLarge, countDelayed } from './body.ts';
import { outsideService, undecodablePath } from './error-response.ts';
import {
  type ApiRequest,
  type CheckResponse,
  createExchange,
  type Exchange,
  type Outcome,
} from './exchange.ts';
import { answerBody, answerHeaders, refuse, refuseUnrouted } from './pipeline.ts';
import { record, recordClosed } from './recorder.ts';

/** Has the signature of the global `fetch`. */
export type MockFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** The adapter of the service to `Request` and `Response`, without a socket. What is answered is up to the pipeline. */
export const createFetch = (context: Context, check?: CheckResponse): MockFetch => {
  // Created on first use: most mocks are only called over HTTP.
  let router: Router | undefined;
  return async (input, init) => {
    // Also accepts a Request of another library or realm.
    const request =
      typeof input === 'object' && 'headers' in input && !init ? input : new Request(input, init);
    const url = new URL(request.url);
    const body = await readBody(request, context);
    const apiRequest = toApiRequest(request, url, body.bytes.length);
    const segments = decodeSegments(url.pathname);
    router ??= createRouter(knownOperations());
    const exchange = createExchange(
      apiRequest,
      router(apiRequest.method, segments ?? [], url.searchParams),
      context,
    );
    const outcome = segments
      ? answer(exchange, url.pathname, body)
      : refuseUnrouted(exchange, undecodablePath);
    const transfer = exchange.delayMs > 0 ? countDelayed(exchange, outcome) : undefined;
    const closed = transfer !== undefined && (await delay(exchange.delayMs, request.signal));
    transfer?.end();
    return finish(exchange, outcome, request, closed, check);
  };
};

type Body = { readonly bytes: Uint8Array; readonly error?: Error };

/** Reads a body up to the highest limit, and counts its memory while it arrives, as over HTTP. */
const readBody = async (request: Request, { workspaces }: Context): Promise<Body> => {
  // Not every platform offers the body as a stream.
  const reader = request.body?.getReader?.();
  if (!reader) return { bytes: new Uint8Array(await request.arrayBuffer()) };
  const transfer = createTransfer(workspaces.transfers);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const { signal } = request;
  const onAbort = (): void => void reader.cancel();
  signal?.addEventListener('abort', onAbort);
  try {
    while (length <= limits.requestBytes) {
      const { done, value } = await reader.read();
      if (signal?.aborted) throw signal.reason;
      if (done) return { bytes: joinChunks(chunks, length) };
      length += value.length;
      transfer.add(value.length);
      chunks.push(value);
    }
    await reader.cancel();
    return { bytes: joinChunks(chunks, length) };
  } catch (error) {
    if (!(error instanceof TooMuchInTransfer)) throw error;
    await reader.cancel();
    return { bytes: new Uint8Array(), error };
  } finally {
    signal?.removeEventListener('abort', onAbort);
    transfer.end();
  }
};

const joinChunks = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

const toApiRequest = ({ method, headers }: Request, url: URL, length: number): ApiRequest => {
  const sent = Object.fromEntries(headers);
  // What a platform adds when it sends a request.
  const all = {
    host: url.host,
    ...(method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(length) }),
    ...sent,
  };
  return {
    method,
    url: url.pathname + url.search,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    httpVersion: '1.1',
  };
};

/** `undefined` for a path that cannot be decoded. */
const decodeSegments = (path: string): readonly string[] | undefined => {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

type Router = (
  method: string,
  segments: readonly string[],
  query: URLSearchParams,
) => Parameters<typeof createExchange>[1];

const createRouter = (operations: readonly Operation[]): Router => {
  const routes = operations.map((operation) => ({ operation, template: operation.path.split('/') }));
  return (method, segments, searchParams) => {
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const route = routes.find(
      ({ operation, template }) =>
        operation.method === verb &&
        template.length === segments.length &&
        template.every((part, at) => part.startsWith('{') || part === segments[at]),
    );
    const id = segments[route?.template.indexOf('{id}') ?? -1];
    return {
      operation: route?.operation,
      params: id === undefined ? {} : { id },
      query: queryOf(searchParams),
    };
  };
};

const queryOf = (parameters: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

const answer = (exchange: Exchange, path: string, { bytes, error }: Body): Outcome => {
  const { request, context, contract } = exchange;
  if (path !== apiPrefix && !path.startsWith(`${apiPrefix}/`))
    return refuse(exchange, outsideService(request.method, request.url, context.admin, contract));
  const outcome = answerHeaders(exchange);
  if (outcome) return outcome;
  if (error) return refuse(exchange, error);
  if (bytes.length === 0) return answerBody(exchange, undefined);
  const limit = bodyLimit(exchange);
  return bytes.length > limit
    ? refuse(exchange, bodyTooLarge(limit))
    : answerBody(exchange, decodeUtf8(bytes));
};

/** @returns whether the request was aborted meanwhile */
const delay = (ms: number, signal: AbortSignal | null | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const finish = (closed: boolean): void => {
      stopTimer(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(closed);
    };
    const onAbort = (): void => finish(true);
    const timer = startTimer(() => finish(false), ms);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });

const finish = (
  exchange: Exchange,
  outcome: Outcome,
  { method, signal }: Request,
  closed: boolean,
  check?: CheckResponse,
): Response => {
  const { context, request, entry } = exchange;
  const isBroken = 'connectionFault' in outcome;
  const response = isBroken ? outcome : (check?.(exchange, outcome) ?? outcome);
  const status = 'status' in response ? response.status : 0;
  if (closed) recordClosed(exchange, status);
  else record(exchange, response);
  context.log?.(request, {
    statusCode: closed ? 0 : status,
    elapsedTime: entry.durationMs,
    why: entry.why?.what,
  });
  if (closed) throw signal.reason;
  if ('connectionFault' in response) return breakConnection(response.connectionFault);
  const { connection: _, ...headers } = response.headers;
  if (response.body === null) return new Response(null, { status, headers });
  const bytes = new TextEncoder().encode(response.body);
  return new Response(method === 'HEAD' ? null : bytes, {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  });
};

/** @throws TypeError as `fetch` does where the connection breaks before a response */
const breakConnection = (fault: ConnectionFault): Response => {
  const error = new TypeError('fetch failed', { cause: new Error(fault) });
  if (fault !== 'MALFORMED_RESPONSE_CHUNK') throw error;
  const body = new ReadableStream({ start: (controller) => controller.error(error) });
  return new Response(body, { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
};
