import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../../mock/contract/loopback.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import type { ClientOptions } from './client.ts';
import { isBadMessage, RequestFailed, toRequestFailed } from './errors.ts';

/** In bytes. The default of Node.js is 16 KiB, of browsers and curl 256 KiB or more. §8 states no limit for response headers. */
const maxHeaderSize = 256 * 1024;

const variable = (name: string): string => process.env[name.toLowerCase()] ?? process.env[name] ?? '';

/**
 * The proxy for a deployment, from the same variables that curl reads: lower-case names take precedence. Empty if there is none:
 * loopback addresses never use one, because a proxy for a company network is not meant for the mock on this machine. curl behaves
 * differently, Go and browsers behave like this.
 * @throws UsageError for a proxy that is not an http or https address
 */
export const proxyFor = (base: string): string => {
  const { protocol, hostname } = new URL(base);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = isLoopback(hostname) ? '' : variable(name);
  const address = value === '' || value.includes('://') ? value : `http://${value}`;
  if (value === '' || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) return address;
  throw new UsageError(`${name} is not the http address of a proxy`);
};

/** A request in the form in which it is sent. */
type WireRequest = {
  readonly method: string;
  /** Path below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Maximum size of the response body in bytes. */
  readonly maxBytes: number;
  /** Milliseconds after which the request fails. */
  readonly timeout: number;
};

/** A response whose body is still arriving. */
type Arriving = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Readable };

/** A response in the form in which it was received. */
type RawReply = Omit<Arriving, 'body'> & {
  readonly bytes: Buffer;
  /** How the body ended, if it did not end correctly. */
  readonly cut?: string;
};

type Transport = {
  /** @throws RequestFailed */
  readonly exchange: (request: WireRequest, signal?: AbortSignal) => Promise<RawReply>;
  readonly close: () => Promise<void>;
};

/** Gets one response for one request, within the limits of time and size. */
const createExchange =
  (
    respond: (request: WireRequest, signal: AbortSignal) => Promise<Arriving>,
    toFailure: (error: unknown, requestLine: string) => RequestFailed,
  ): Transport['exchange'] =>
  async (request, interruption) => {
    const { method, path, maxBytes, timeout } = request;
    const requestLine = `${method} ${path}`;
    // One deadline for the whole exchange, so that a slow response cannot take forever.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeout);
    const signal = AbortSignal.any([deadline.signal, ...(interruption ? [interruption] : [])]);
    // undici ignores the signal while it establishes a connection, and a handler may always ignore it.
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const arrive = async (): Promise<RawReply> => {
      signal.throwIfAborted();
      const { body, ...reply } = await respond(request, signal);
      return { ...reply, ...(await readAll(body, maxBytes, requestLine)) };
    };
    try {
      return await Promise.race([arrive(), ended]);
    } catch (error) {
      if (deadline.signal.aborted)
        throw new RequestFailed('timeout', `${requestLine}: no complete response within ${timeout / 1000} s`);
      if (signal.aborted) throw new RequestFailed('interrupted', `${requestLine} was interrupted`);
      throw error instanceof RequestFailed ? error : toFailure(error, requestLine);
    } finally {
      clearTimeout(timer);
    }
  };

type TransportOptions = Pick<ClientOptions, 'base' | 'timeout' | 'gateway'>;

/** Requests to a deployment. Follows no redirect, which could leak the key. */
export const createTransport = ({ base, timeout, gateway }: TransportOptions): Transport => {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, '');
  const proxy = proxyFor(base);
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    connect: { timeout, ...gateway?.tls },
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: variable('NO_PROXY'),
    // A plain http request is forwarded to the proxy; many proxies refuse to open a tunnel to port 80.
    proxyTunnel: false,
    // The certificates concern the deployment, not the proxy.
    requestTls: gateway?.tls ?? {},
  };
  const shared = new EnvHttpProxyAgent(options);
  // A server may close an idle connection while a request is being sent on it. It is then unknown whether the request was read.
  // It can be repeated unless it is a POST, so each POST uses a new connection.
  const fresh = new EnvHttpProxyAgent({ ...options, pipelining: 0 });

  const respond = async (request: WireRequest, signal: AbortSignal): Promise<Arriving> => {
    const { method, path, headers, body = null } = request;
    const call = { origin, path: prefix + path, method: method as Dispatcher.HttpMethod };
    const dispatcher = method === 'POST' ? fresh : shared;
    const reply = await dispatcher.request({ ...call, headers, body, signal });
    return { status: reply.statusCode, headers: reply.headers, body: reply.body };
  };

  const toFailure = (error: unknown, requestLine: string): RequestFailed =>
    withProxy(toRequestFailed(error, requestLine), proxy);
  const close = async (): Promise<void> => void (await Promise.all([shared.destroy(), fresh.destroy()]));
  return { exchange: createExchange(respond, toFailure), close };
};

/** Responds to a request without a socket. */
export type Handler = (request: Request) => Promise<Response>;

/** What serves a handler would close the connection. */
const bodyFailed = (error: unknown, requestLine: string): RequestFailed =>
  new RequestFailed('closed', `${requestLine}: the body of the response failed: ${error}`, { cause: error });

/** Requests to a handler in the same process. @param base the URL that it sees, without a trailing slash */
export const createHandlerTransport = (base: string, handle: Handler): Transport => ({
  exchange: createExchange(async ({ method, path, headers, body }, signal) => {
    // Bytes, because a text would set a Content-Type.
    const bytes = body === undefined ? null : Buffer.from(body);
    const request = new Request(base + path, { method, headers, body: bytes, signal });
    // If it throws, what serves it would respond like this.
    const response = await handle(request).catch(
      (error: unknown) => new Response(`the handler threw: ${error}`, { status: 500 }),
    );
    const cookies = response.headers.getSetCookie();
    return {
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
        ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
      },
      body: response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]),
    };
  }, bodyFailed),
  close: async () => undefined,
});

/** A body that the server ends early is a defect of the response; a broken connection is a failed request. */
const readAll = (
  body: Readable,
  maxBytes: number,
  requestLine: string,
): Promise<Pick<RawReply, 'bytes' | 'cut'>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else
        body.destroy(
          new RequestFailed('too large', `${requestLine}: the suite stopped reading after ${maxBytes} bytes`),
        );
    };
    // Events, because an async iterator takes as much time as the rest of a small request.
    body
      .on('data', read)
      .on('end', () => resolve({ bytes: Buffer.concat(chunks) }))
      .on('error', (error) => {
        if (error instanceof RequestFailed || !isBadMessage(error)) reject(error);
        else resolve({ bytes: Buffer.concat(chunks), cut: `it ends in the middle: ${error.message}` });
      });
  });

const withProxy = (error: RequestFailed, proxy: string): RequestFailed => {
  if (proxy === '' || (error.kind !== 'unreachable' && error.kind !== 'proxy')) return error;
  const { kind, message, unsent, cause } = error;
  const through = `(through the proxy ${new URL(proxy).host}, which an environment variable sets)`;
  return new RequestFailed(kind, `${message} ${through}`, { unsent, cause });
};
