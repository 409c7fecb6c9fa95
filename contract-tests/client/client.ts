import { headersFor, tokensFor } from './credentials.ts';
import { readBody } from './decode-body.ts';
import { isDisconnected, RequestFailed } from './errors.ts';
import { type Call, type Credentials, type Exchange, outcomeOf, type Response } from './exchange.ts';
import type { Ledger } from './ledger.ts';
import { causesMail, forbids, type Permissions } from './permissions.ts';
import { createRedactor } from './redaction.ts';
import {
  createRateLimiter,
  createRestartWait,
  createWaiting,
  retryOnReset,
  type Wait,
  withBackoff,
} from './throttle.ts';
import { createTransport, proxiesFrom } from './transport.ts';

export { RequestFailed } from './errors.ts';

/** A request that was not sent because it is not permitted; the message names the flag that permits it. */
export class NotPermitted extends Error {}

type ClientOptions = {
  /** Base URL without a trailing slash. */
  readonly base: string;
  readonly key: string;
  readonly permissions: Permissions;
  /** Records every lead that a response names, before the next request is sent. */
  readonly ledger: Ledger;
  /** Milliseconds after which a request without a response fails. */
  readonly timeout: number;
  /** Minimum number of milliseconds between two requests. */
  readonly interval?: number | undefined;
  /** Total milliseconds that the run may wait: for pauses that the deployment requests, and for requests that time out. */
  readonly maxWait?: number | undefined;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether the server is the mock, which never closes a connection that may be in use. */
  readonly reuseConnectionsForPost?: boolean;
  /** The environment variables to read HTTP_PROXY, HTTPS_PROXY and NO_PROXY from. */
  readonly environment?: NodeJS.ProcessEnv;
};

/** The only place that sends requests: permissions, key, rate limit, retries and the ledger are applied here. */
export type Client = {
  /** @throws NotPermitted, RequestFailed */
  readonly send: (call: Call) => Promise<Exchange>;
  /** Every exchange so far, in the order in which the responses arrived. */
  readonly exchanges: readonly Exchange[];
  /** When connections could not be made or broke, on the clock of the exchanges. */
  readonly brokenAt: readonly number[];
  /** Number of requests sent that may have caused a mail. Requests refused with 429 are not counted. */
  readonly mailsRequested: () => number;
  /** Whether the deployment asked for a pause (429, 503). */
  readonly wasThrottled: () => boolean;
  /** Total milliseconds waited so far. */
  readonly waitedMs: () => number;
  /** Whether the time for waiting is used up. */
  readonly hasWaitedEnough: () => boolean;
  /** Whether credentials differ from the key. A key of digits, for example, does not change with its letter case. */
  readonly differs: (credentials: Credentials) => boolean;
  /** Removes the key from a text. Every text that is printed or written passes through this function. */
  readonly redact: (text: string) => string;
  /** Delays all requests if enough time for waiting is left. @returns whether the pause was granted */
  readonly pause: (ms: number, reason: string, isCleanUp?: boolean) => boolean;
  /** From now on a 503 is treated like a 429: the deployment limits the request rate with it. */
  readonly expectRateLimit: () => void;
  /** Resolves when no request is pending. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The check name for requests that delete what the run created. */
export const cleanUp = 'clean-up';

/** The check name for requests that test whether the service is available. */
export const preflight = 'preflight';
/** The check name for control requests. */
export const controlCheck = 'control';

/** Memory limits in bytes: a run keeps all responses, and a hostile server may send large ones. */
const maxReplyBytes = 20 * 2 ** 20;
const maxRunBytes = 128 * 2 ** 20;

/** Total milliseconds that a run may wait, unless `--max-wait` sets another value. */
export const defaultMaxWait = 120_000;

export const createClient = (options: ClientOptions): Client => {
  const { base, key, permissions, timeout, ledger, environment = process.env } = options;
  const { reuseConnectionsForPost } = options;
  const proxies = proxiesFrom(environment);
  const transport = createTransport({ base, timeout, proxies, reuseConnectionsForPost });
  const rateLimiter = createRateLimiter(options.interval);
  const waiting = createWaiting(options.maxWait ?? defaultMaxWait, options.onWait);
  const { tokens, derived } = tokensFor(key);
  const redact = createRedactor(key, derived);
  const exchanges: Exchange[] = [];
  const brokenAt: number[] = [];
  const pending = new Set<Promise<Exchange>>();
  let mails = 0;
  let throttled = false;
  let limitsRate = false;
  let bytesLeft = maxRunBytes;

  const permit = (call: Call): void => {
    const forbidden = forbids(call, permissions, mails);
    if (forbidden !== undefined) throw new NotPermitted(forbidden);
  };

  const sendOnce = async (call: Call): Promise<Response> => {
    const { check, operation, credentials, method, path, body } = call;
    const signal = check === cleanUp ? undefined : options.signal; // an interrupted run still cleans up
    await rateLimiter.acquire(signal);
    permit(call); // checked before every attempt: other mails may have been sent while this request waited
    if (causesMail(call)) mails += 1;
    const headers = headersFor(call, tokens[credentials], `${options.userAgent} check/${check}`);
    // An interruption does not cancel an addition: the lead would be left behind with an unknown id.
    const sendSignal = operation === 'addLead' ? undefined : signal;
    const maxBytes = Math.min(maxReplyBytes, bytesLeft);
    const startedAt = performance.now();
    const reply = await transport
      .exchange({ method, path, headers, body, maxBytes, timeout: waiting.limit(timeout) }, sendSignal)
      .catch((error: unknown) => {
        if (!(error instanceof RequestFailed)) throw error;
        if (error.kind === 'timeout') waiting.noteTimeout(startedAt);
        if (isDisconnected(error)) brokenAt.push(performance.now());
        if (error.unsent && causesMail(call)) mails -= 1;
        throw error;
      });
    const { status, headers: received, bytes } = reply;
    if (causesMail(call) && status === 429) mails -= 1; // a 429 sent no mail, and the next attempt may send one
    const read = readBody(bytes, String(received['content-encoding'] ?? ''), maxBytes);
    bytesLeft = Math.max(0, bytesLeft - Math.max(bytes.length, read.rawText.length));
    const { rawText, json, byteProblem = reply.cut } = read;
    return {
      status,
      headers: received,
      size: bytes.length,
      ...{ rawText, json, byteProblem },
      sentAt: startedAt,
      receivedAt: performance.now(),
    };
  };

  const waitFor = (ms: number, reason: string, isCleanUp = false): boolean => {
    if (!waiting.take(rateLimiter.addedBy(ms), reason, isCleanUp)) return false;
    rateLimiter.pauseFor(ms);
    return true;
  };

  const waitForRestart = createRestartWait(waitFor);

  const pause: Client['pause'] = (ms, reason, isCleanUp) => {
    const isWaiting = waitFor(ms, reason, isCleanUp);
    throttled ||= isWaiting;
    return isWaiting;
  };

  const pauseFor = (call: Call, ms: number, { status }: Response): boolean => {
    if (status === 429) rateLimiter.noteTooFast();
    const reason = `the deployment responded to ${call.method} ${call.path} with ${status} and asks for a pause`;
    return pause(ms, reason, call.check === cleanUp);
  };

  // After a deployment has asked for a pause, requests are sent one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const sendInTurn = (call: Call): Promise<Exchange> => {
    if (!throttled) return sendWithRetries(call);
    const request = last.then(() => sendWithRetries(call));
    last = request.catch(() => undefined);
    return request;
  };

  const sendWithRetries = async (call: Call): Promise<Exchange> => {
    permit(call);
    let repeated = false;
    const attempt = (): Promise<Response> =>
      retryOnReset(
        call,
        () => waitForRestart(() => sendOnce(call)),
        () => {
          repeated = true;
        },
      );
    const answer = await withBackoff(
      attempt,
      (ms, response) => {
        const isRepeated = pauseFor(call, ms, response);
        if (isRepeated && call.operation === 'addLead' && !limitsRate)
          ledger.noteReply({ ...call, ...response, outcome: outcomeOf(response.status, response.json) });
        return isRepeated;
      },
      () => limitsRate,
    );
    let text: string | undefined;
    const exchange = {
      ...{ ...call, ...answer, repeated, outcome: outcomeOf(answer.status, answer.json) },
      // Most responses are never shown.
      get text() {
        text ??= redact(answer.rawText);
        return text;
      },
    };
    exchanges.push(exchange);
    return exchange;
  };

  const sendAndRecord = async (call: Call): Promise<Exchange> => {
    if (call.operation !== 'addLead') return sendInTurn(call);
    permit(call);
    const settle = ledger.beginAdd();
    try {
      const exchange = await sendInTurn(call);
      ledger.noteReply(exchange);
      return exchange;
    } catch (error) {
      if (error instanceof RequestFailed && !error.unsent) ledger.noteLost();
      throw error;
    } finally {
      settle();
    }
  };

  const send: Client['send'] = (call) => {
    const exchange = sendAndRecord(call);
    const forget = (): void => void pending.delete(exchange);
    pending.add(exchange);
    exchange.then(forget, forget);
    return exchange;
  };

  return {
    send,
    exchanges,
    brokenAt,
    mailsRequested: () => mails,
    wasThrottled: () => throttled,
    waitedMs: waiting.totalMs,
    hasWaitedEnough: waiting.isUsedUp,
    differs: (credentials) => credentials === 'key' || tokens[credentials] !== tokens.key,
    redact,
    pause,
    expectRateLimit: () => {
      limitsRate = true;
    },
    idle: async () => void (await Promise.allSettled(pending)),
    close: transport.close,
  };
};
