import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isBadMessage, NoAnswer, noAnswerFor } from './no-answer.ts';
import { dispatcherFor, type Proxies, proxyFor } from './proxy.ts';

/** A request as it stands on the wire. */
export type Letter = {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Bytes of the reply at most. */
  readonly most: number;
};

/** A reply as it stood on the wire. */
export type RawReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** How the body ended, where it did not end as announced. */
  readonly cut?: string;
};

export type Wire = {
  /** @throws NoAnswer */
  readonly exchange: (letter: Letter, signal?: AbortSignal) => Promise<RawReply>;
  readonly close: () => Promise<void>;
};

export type WireOptions = {
  readonly base: string;
  readonly timeout: number;
  readonly proxies: Proxies;
  /** Whether the server closes no connection that may be in use, as the mock: then a POST needs none of its own. */
  readonly steady?: boolean | undefined;
};

/** Sends one request and reads one reply, within the time and size allowed. Follows no redirect: the key stays here. */
export const createWire = ({ base, timeout, proxies, steady = false }: WireOptions): Wire => {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, '');
  // One deadline for all of it, so that a reply that dribbles does not last for ever.
  const limits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout } };
  const kept = dispatcherFor(base, proxies, limits);
  // A server may close an idle connection while a request is on its way into it, and nobody knows whether that request
  // was read. It may be sent again unless it is a POST, so a POST gets a connection of its own.
  const fresh = steady ? kept : dispatcherFor(base, proxies, { ...limits, pipelining: 0 });

  const exchange: Wire['exchange'] = async ({ method, path, headers, body, most }, signal) => {
    const what = `${method} ${path}`;
    const deadline = deadlineFor(what, timeout, signal);
    try {
      const asking = (method === 'POST' ? fresh : kept).request({
        origin,
        path: prefix + path,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
        signal: deadline.signal,
      });
      // While it connects, undici listens to no signal.
      const reply = await Promise.race([asking, deadline.passed]);
      return { status: reply.statusCode, headers: reply.headers, ...(await readAll(reply.body, most, what)) };
    } catch (error) {
      throw withProxy(noAnswerFor(error, what), base, proxies);
    } finally {
      deadline.end();
    }
  };

  const close = async (): Promise<void> => void (await Promise.all([kept.destroy(), fresh.destroy()]));
  return { exchange, close };
};

const deadlineFor = (what: string, timeout: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController();
  const late = new NoAnswer('timeout', `${what}: no complete answer within ${timeout / 1000} s`);
  const timer = setTimeout(() => controller.abort(late), timeout);
  const interrupt = (): void => controller.abort(new NoAnswer('interrupted', `${what} was interrupted`));
  signal?.addEventListener('abort', interrupt, { once: true });
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  passed.catch(() => undefined); // nobody waits for it any more once the reply is there
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

/** A body that ends early is the server's doing where it ended it; a connection that was torn is nobody's. */
const readAll = async (
  body: AsyncIterable<Buffer>,
  most: number,
  what: string,
): Promise<Pick<RawReply, 'bytes' | 'cut'>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > most)
        throw new NoAnswer('too large', `${what}: the suite stopped reading after ${most} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof NoAnswer || !isBadMessage(error)) throw error;
    return { bytes: Buffer.concat(chunks), cut: `it ends in the middle: ${(error as Error).message}` };
  }
  return { bytes: Buffer.concat(chunks) };
};

const withProxy = (error: NoAnswer, base: string, proxies: Proxies): NoAnswer => {
  const proxy = proxyFor(base, proxies);
  if (proxy === undefined || (error.kind !== 'unreachable' && error.kind !== 'proxy')) return error;
  const { kind, message, unsent, cause } = error;
  return new NoAnswer(kind, `${message} (the environment names the proxy ${proxy})`, { unsent, cause });
};
