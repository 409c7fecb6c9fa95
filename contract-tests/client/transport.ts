import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Gateway } from '../../mock/contract/gateway.ts';
import { ConfigurationError, isBadMessage, RequestFailed, toRequestFailed } from './errors.ts';

/**
 * In bytes. The default of Node.js is 16 KiB, of browsers and curl 256 KiB or more. §8 states no limit for response headers.
 */
const maxHeaderSize = 256 * 1024;

/** The proxies for requests, from the same variables that curl reads. */
type Proxies = { readonly http: string; readonly https: string; readonly none: string };

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; lower-case names take precedence, as in curl.
 * @throws ConfigurationError for a proxy that is not an http or https address
 */
export const proxiesFrom = (environment: NodeJS.ProcessEnv): Proxies => {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return {
    http: checked('HTTP_PROXY', read('HTTP_PROXY')),
    https: checked('HTTPS_PROXY', read('HTTPS_PROXY')),
    none: read('NO_PROXY'),
  };
};

const checked = (name: string, value: string): string => {
  if (value === '') return '';
  const address = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new ConfigurationError(`${name} is not the http address of a proxy`);
};

/** The proxy of a deployment for messages, without a password. */
const proxyFor = (base: string, proxies: Proxies): string | undefined => {
  const { protocol, hostname } = new URL(base);
  const proxy = protocol === 'https:' ? proxies.https : proxies.http;
  return proxy === '' || isLoopback(hostname) ? undefined : new URL(proxy).host;
};

/**
 * The dispatcher for a deployment. Loopback addresses never use a proxy: a proxy for a company network is not meant for the
 * mock on this machine. curl behaves differently, Go and browsers behave like this.
 */
const dispatcherFor = (
  base: string,
  proxies: Proxies,
  options: Agent.Options,
  tls: Gateway['tls'] = {},
): Dispatcher => {
  if (proxyFor(base, proxies) === undefined)
    return new Agent({ ...options, connect: { ...options.connect, ...tls } });
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.none,
    // A plain http request is forwarded to the proxy; many proxies refuse to open a tunnel to port 80.
    proxyTunnel: false,
    // The certificates concern the deployment, not the proxy.
    requestTls: tls,
  });
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
  /** Milliseconds after which the request fails, if fewer are left than the usual timeout. */
  readonly timeout?: number;
};

/** A response in the form in which it was received. */
export type RawReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** How the body ended, if it did not end correctly. */
  readonly cut?: string;
};

export type Transport = {
  /** @throws RequestFailed */
  readonly exchange: (request: WireRequest, signal?: AbortSignal) => Promise<RawReply>;
  readonly close: () => Promise<void>;
};

type TransportOptions = {
  readonly base: string;
  readonly timeout: number;
  readonly proxies: Proxies;
  readonly gateway?: Gateway | undefined;
  /**
   * Whether the server, like the mock, never closes a connection that may be in use, so that a
   * POST needs no connection of its own.
   */
  readonly reuseConnectionsForPost?: boolean | undefined;
};

/**
 * Sends one request and reads one response, within the limits of time and size. Follows no redirect, which could leak the key.
 */
export const createTransport = ({
  base,
  timeout,
  proxies,
  gateway,
  reuseConnectionsForPost = false,
}: TransportOptions): Transport => {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, '');
  // One deadline for the whole exchange, so that a slow response cannot take forever.
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize, connect: { timeout } };
  const shared = dispatcherFor(base, proxies, limits, gateway?.tls);
  // A server may close an idle connection while a request is being sent on it. It is then unknown whether the request was read.
  // It can be repeated unless it is a POST, so each POST uses a new connection.
  const fresh = reuseConnectionsForPost
    ? shared
    : dispatcherFor(base, proxies, { ...limits, pipelining: 0 }, gateway?.tls);

  const exchange: Transport['exchange'] = async (wireRequest, signal) => {
    const { method, path, headers, body, maxBytes } = wireRequest;
    const requestLine = `${method} ${path}`;
    const deadline = deadlineFor(requestLine, wireRequest.timeout ?? timeout, signal);
    try {
      const request = (method === 'POST' ? fresh : shared).request({
        origin,
        path: prefix + path,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
        signal: deadline.signal,
      });
      // undici ignores the signal while it establishes a connection.
      const reply = await Promise.race([request, deadline.passed]);
      return {
        status: reply.statusCode,
        headers: reply.headers,
        ...(await readAll(reply.body, maxBytes, requestLine)),
      };
    } catch (error) {
      throw withProxy(toRequestFailed(error, requestLine), base, proxies);
    } finally {
      deadline.end();
    }
  };

  const close = async (): Promise<void> => void (await Promise.all([shared.destroy(), fresh.destroy()]));
  return { exchange, close };
};

type Deadline = {
  /** Aborted at the deadline, or with the signal of the run. */
  readonly signal: AbortSignal;
  /** Rejects then. */
  readonly passed: Promise<never>;
  readonly end: () => void;
};

/** The deadline of one request. */
export const deadlineFor = (
  requestLine: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Deadline => {
  const controller = new AbortController();
  const expire = (): void =>
    controller.abort(
      new RequestFailed('timeout', `${requestLine}: no complete response within ${timeout / 1000} s`),
    );
  const timer = setTimeout(expire, timeout);
  const interrupt = (): void =>
    controller.abort(new RequestFailed('interrupted', `${requestLine} was interrupted`));
  signal?.addEventListener('abort', interrupt, { once: true });
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  passed.catch(() => undefined); // prevents an unhandled rejection after the response has arrived
  if (signal?.aborted) interrupt();
  return {
    signal: controller.signal,
    passed,
    end: (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
    },
  };
};

/** A body that the server ends early is a defect of the response; a broken connection is a failed request. */
export const readAll = (
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

const withProxy = (error: RequestFailed, base: string, proxies: Proxies): RequestFailed => {
  const proxy = proxyFor(base, proxies);
  if (proxy === undefined || (error.kind !== 'unreachable' && error.kind !== 'proxy')) return error;
  const { kind, message, unsent, cause } = error;
  return new RequestFailed(
    kind,
    `${message} (through the proxy ${proxy}, which an environment variable sets)`,
    { unsent, cause },
  );
};
