import { redactErrors } from '../../mock/contract/printable.ts';
import { type Call, type Credentials, cleanUp, type Exchange, outcomeOf } from '../exchange/exchange.ts';
import { causesMail } from '../exchange/operations.ts';
import { mayHaveSentMail } from '../exchange/responses.ts';
import { headersFor, tokensFor } from './credentials.ts';
import { createBodyReader, maxReplyBytes } from './decode-body.ts';
import { RequestFailed } from './errors.ts';
import { type Gateway, noGateway, redactorFor, withGateway } from './gateway.ts';
import type { Ledger } from './ledger.ts';
import { forbids, type Permissions } from './permissions.ts';
import { createPace, maxTotalPauseMs, type PaceOptions, pauseAfter, realClock } from './throttle.ts';
import { createHandlerTransport, createTransport, type Handler } from './transport.ts';

/** What a run costs: requests that were sent, those that may have sent a mail, and milliseconds of waiting. */
export type Effort = {
  readonly requests: number;
  readonly mailsRequested: number;
  readonly waitedMs: number;
};

export type ClientOptions = PaceOptions & {
  /** Base URL without a trailing slash. */
  readonly base: string;
  readonly key: string;
  /** Responds in place of a deployment. */
  readonly fetch?: Handler | undefined;
  /** What a gateway in front of the deployment wants. */
  readonly gateway?: Gateway | undefined;
  readonly permissions: Permissions;
  /** Records every lead that a response names, before the next request is sent. */
  readonly ledger: Ledger;
  /** Milliseconds after which a request without a response fails. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request. It returns what to call when the request has ended, with the exchange if it was sent. */
  readonly onSend?: ((at: number, call: Call) => (exchange?: Exchange) => void) | undefined;
};

/** A request without a response: it may have taken effect. */
export const lostExchange = (call: Call, sentAt: number, receivedAt: number): Exchange => ({
  ...call,
  status: 0,
  headers: {},
  size: 0,
  rawText: '',
  text: '',
  json: undefined,
  byteProblem: undefined,
  outcome: 'gateway',
  sentAt,
  receivedAt,
});

export type Client = ReturnType<typeof createClient>;

/** The only place that sends requests: permissions, key, rate limit, requested pauses and the ledger are applied here. */
export const createClient = (options: ClientOptions) => {
  const { key, permissions, timeout, ledger, gateway = noGateway } = options;
  const { clock = realClock } = options;
  const transport = options.fetch
    ? createHandlerTransport(options.base, options.fetch)
    : createTransport(options);
  const pace = createPace({ ...options, clock });
  const { tokens, derived } = tokensFor(key);
  const redact = redactorFor(options, derived);
  redactErrors(redact);
  const exchanges: Exchange[] = [];
  const bodies = createBodyReader();
  const pending = new Set<Promise<Exchange>>();
  let requests = 0;
  let mails = 0;
  let isLastMailLent = false;
  let wasLastMailLent = false;
  let throttled = false;

  const permit = (call: Call): void => {
    const forbidden = forbids(call, permissions, mails, isLastMailLent);
    if (forbidden) throw forbidden;
  };

  const sendOnce = async (call: Call): Promise<Exchange> => {
    const { scenario, operation, credentials, method, path, body } = call;
    const signal = scenario === cleanUp ? undefined : options.signal; // an interrupted run still cleans up
    await pace.acquire(scenario, signal);
    if (scenario !== cleanUp) bodies.expectCapacity(`${method} ${path}`);
    permit(call); // checked before every attempt: other mails may have been sent while this request waited
    requests += 1;
    if (causesMail(call)) mails += 1;
    const own = headersFor(call, tokens[credentials], `${options.userAgent} scenario/${scenario}`);
    const headers = Object.fromEntries(withGateway(Object.entries(own), gateway));
    // An interruption does not cancel an addition: the lead would be left behind with an unknown id.
    const sendSignal = operation === 'addLead' ? undefined : signal;
    const limits = { maxBytes: maxReplyBytes, timeout: pace.limit(timeout) };
    const wire = { method, path, headers, body, ...limits };
    const sentAt = clock.now();
    const startedAt = performance.now();
    const reply = await transport.exchange(wire, sendSignal).catch((error: unknown) => {
      if (!(error instanceof RequestFailed)) throw error;
      if (error.kind === 'timeout') pace.noteTimeout(startedAt);
      if (error.unsent) requests -= 1;
      if (error.unsent && causesMail(call)) mails -= 1;
      throw error;
    });
    const { status, headers: received, bytes } = reply;
    const content = bodies.read(bytes, String(received['content-encoding'] ?? ''));
    let text: string | undefined;
    const exchange = {
      ...call,
      status,
      headers: received,
      size: bytes.length,
      ...content,
      byteProblem: content.byteProblem ?? reply.cut,
      outcome: outcomeOf({ status, headers: received, json: content.json }),
      sentAt,
      receivedAt: clock.now(),
      // Most responses are never shown.
      get text() {
        text ??= redact(content.rawText);
        return text;
      },
    };
    if (causesMail(call) && !mayHaveSentMail(exchange)) mails -= 1;
    if (operation === 'addLead') ledger.noteReply(exchange);
    return exchange;
  };

  const sendWithPauses = async (call: Call): Promise<Exchange> => {
    const { method, path, scenario } = call;
    let waited = 0;
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await sendOnce(call);
      const ms = pauseAfter(exchange, attempt);
      const reason = `the deployment responded to ${method} ${path} with ${exchange.status} and asks for a pause`;
      if (
        ms !== undefined &&
        waited + ms <= maxTotalPauseMs &&
        pace.pause(ms, reason, scenario === cleanUp)
      ) {
        throttled = true;
        waited += ms;
        continue;
      }
      exchanges.push(exchange);
      return exchange;
    }
  };

  // After a deployment has asked for a pause, requests are sent one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const sendInTurn = (call: Call): Promise<Exchange> => {
    if (!throttled) return sendWithPauses(call);
    const request = last.then(() => sendWithPauses(call));
    last = request.catch(() => undefined);
    return request;
  };

  const sendAndRecord = async (call: Call): Promise<Exchange> => {
    const isAddition = call.operation === 'addLead';
    const startedAt = clock.now();
    const end = options.onSend?.(startedAt, call);
    let ended: Exchange | undefined;
    let settle: (() => void) | undefined;
    try {
      permit(call);
      if (isAddition) settle = ledger.beginAdd();
      ended = await sendInTurn(call);
      return ended;
    } catch (error) {
      if (error instanceof RequestFailed && !error.unsent) {
        ended = lostExchange(call, startedAt, clock.now());
        if (isAddition) ledger.noteLost();
      }
      throw error;
    } finally {
      settle?.();
      end?.(ended);
    }
  };

  /** @throws NotPermitted, RequestFailed */
  const send = (call: Call): Promise<Exchange> => {
    const exchange = sendAndRecord(call);
    const forget = (): void => void pending.delete(exchange);
    pending.add(exchange);
    exchange.then(forget, forget);
    return exchange;
  };

  return {
    send,
    clock,
    /** Every exchange so far, in the order in which the responses arrived. */
    exchanges: exchanges as readonly Exchange[],
    /** What was sent so far, and the milliseconds of pauses and of requests that timed out. */
    effort: (): Effort => ({ requests, mailsRequested: mails, waitedMs: pace.waitedMs() }),
    /** Does work that confirms a finding. It may cause the last mail too, which is otherwise kept for wrong keys. */
    lendLastMail: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      isLastMailLent = true;
      wasLastMailLent = true;
      try {
        return await work();
      } finally {
        isLastMailLent = false;
      }
    },
    /** Whether findings or failures were confirmed, which may have taken the last mail. */
    hasLentLastMail: (): boolean => wasLastMailLent,
    /** Whether credentials differ from the key. A key of digits, for example, does not change with its letter case. */
    differs: (credentials: Credentials): boolean => tokens[credentials] !== tokens.key,
    /** Removes the key from a text. Every text that is printed or written passes through this function. */
    redact,
    pause: pace.pause,
    /** Resolves when no request is pending. */
    idle: async (): Promise<void> => void (await Promise.allSettled(pending)),
    close: transport.close,
  };
};
