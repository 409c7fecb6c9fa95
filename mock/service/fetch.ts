import type { ConnectionFault } from '../faults/faults.ts';
import { TextEncoder } from '../runtime/platform.ts';
import { pause } from '../runtime/timers.ts';
import { limits } from '../store/store.ts';
import type { ApiRequest, Outcome, Service } from './request.ts';

/** Has the signature of the global `fetch`. */
export type MockFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/** The adapter of the service to `Request` and `Response`, without a socket. */
export const createFetch =
  (service: Service): MockFetch =>
  async (input, init) => {
    if (typeof Request === 'undefined')
      throw new Error(
        'mock.fetch needs the globals Request and Response, which simulated browsers such as jsdom lack: send requests to mock.url of startMock, or run this test in Node.js',
      );
    // Also accepts a Request of another library or realm.
    const request =
      typeof input === 'object' && 'headers' in input && !init ? input : new Request(input, init);
    const received = await toApiRequest(request);
    request.signal.throwIfAborted();
    const { reply, delayMs, endDelay } = service(received);
    if (delayMs > 0) {
      const isGone = await pause(delayMs, request.signal);
      endDelay(isGone);
      if (isGone) throw request.signal.reason;
    }
    return toResponse(reply, request.method);
  };

const toApiRequest = async (request: Request): Promise<ApiRequest> => {
  const { method, headers } = request;
  const url = new URL(request.url);
  const bytes = new Uint8Array(await request.arrayBuffer());
  // What a platform adds when it sends a request.
  const all = {
    host: url.host,
    ...(method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(bytes.length) }),
    ...Object.fromEntries(headers),
  };
  return {
    method,
    url: url.pathname + url.search,
    headers: all,
    rawHeaders: Object.entries(all).flat(),
    httpVersion: '1.1',
    body: bytes.length === 0 ? undefined : bytes.subarray(0, limits.requestBytes),
    isTooLarge: bytes.length > limits.requestBytes,
  };
};

const toResponse = (reply: Outcome['reply'], method: string): Response => {
  if ('connectionFault' in reply) return breakConnection(reply.connectionFault);
  const { status, body } = reply;
  const { connection: _, ...headers } = reply.headers;
  if (body === null) return new Response(null, { status, headers });
  const bytes = new TextEncoder().encode(body);
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
