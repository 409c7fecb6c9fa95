import { readBody } from './body.ts';
import { tokensFor } from './credentials.ts';
import { type Answer, type Call, type Credentials, type Exchange, outcomeOf } from './exchange.ts';
import type { Ledger } from './ledger.ts';
import { NoAnswer } from './no-answer.ts';
import { createPace } from './pace.ts';
import { causesMail, forbids, type Permissions } from './permissions.ts';
import { proxiesFrom } from './proxy.ts';
import { createRedactor } from './redact.ts';
import { onceMore, patiently } from './retry.ts';
import { createWire } from './wire.ts';

export { NoAnswer } from './no-answer.ts';

/** A request that was not let out, and the flag that would permit it. */
export class NotPermitted extends Error {}

export type ClientOptions = {
  /** Base URL without a trailing slash. */
  readonly base: string;
  readonly key: string;
  readonly permissions: Permissions;
  /** Takes down every lead a reply names, before the next request goes out. */
  readonly ledger: Ledger;
  /** Milliseconds until a request counts as unanswered. */
  readonly timeout: number;
  /** Milliseconds between two requests at least. */
  readonly interval?: number | undefined;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether the server is the mock, which never closes a connection that may be in use. */
  readonly steady?: boolean;
  /** Where HTTP_PROXY and its like are read from. */
  readonly environment?: NodeJS.ProcessEnv;
};

/** The one place a request leaves the suite: permissions, key, pace, retries and the ledger happen here and nowhere else. */
export type Client = {
  /** @throws NotPermitted, NoAnswer */
  readonly send: (call: Call) => Promise<Exchange>;
  /** Every exchange so far, in the order of the answers. */
  readonly exchanges: readonly Exchange[];
  /** How many requests that may cause a mail were sent. */
  readonly mailsRequested: () => number;
  /** Whether the deployment asked for a pause (429, 503). */
  readonly wasHeld: () => boolean;
  /** Whether credentials are others than the key: a key of digits has no other case. */
  readonly differs: (credentials: Credentials) => boolean;
  /** A text without the key: whatever is printed or written goes through this. */
  readonly redact: (text: string) => string;
  /** Ends when no request is under way. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The name under which the run deletes what it created. */
export const cleanUp = 'clean-up';

/** A hostile server must not fill the memory: neither with one reply nor with many, all of which a run keeps. */
const largestReply = 20 * 2 ** 20;
const largestRun = 128 * 2 ** 20;

export const createClient = (options: ClientOptions): Client => {
  const { base, key, permissions, timeout, ledger, environment = process.env } = options;
  const { steady } = options;
  const wire = createWire({ base, timeout, proxies: proxiesFrom(environment), steady });
  const pace = createPace(options.interval);
  const { tokens, derived } = tokensFor(key);
  const redact = createRedactor(key, derived);
  const exchanges: Exchange[] = [];
  const underWay = new Set<Promise<Exchange>>();
  let mails = 0;
  let held = false;
  let bytesLeft = largestRun;

  const permit = (call: Call): void => {
    const forbidden = forbids(call, permissions, mails);
    if (forbidden !== undefined) throw new NotPermitted(forbidden);
  };

  const once = async (call: Call): Promise<Answer> => {
    const { check, operation, credentials, contentType, method, path, body } = call;
    const signal = check === cleanUp ? undefined : options.signal; // an interrupted run still cleans up
    await pace.turn(signal);
    permit(call); // every attempt counts, and others were sent while this one waited
    if (causesMail(call)) mails += 1;
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': `${options.userAgent} check/${check}`,
      ...(tokens[credentials] === undefined ? {} : { authorization: tokens[credentials] }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    };
    // A lead that is being added is waited for: cut off, it would be left behind without anybody knowing its id.
    const patience = operation === 'addLead' ? undefined : signal;
    const most = Math.min(largestReply, bytesLeft);
    const reply = await wire.exchange({ method, path, headers, body, most }, patience);
    const { status, headers: received, bytes } = reply;
    const read = readBody(bytes, String(received['content-encoding'] ?? ''), most);
    bytesLeft = Math.max(0, bytesLeft - Math.max(bytes.length, read.rawText.length));
    const { rawText, json, byteProblem = reply.cut } = read;
    return {
      status,
      headers: received,
      size: bytes.length,
      rawText,
      text: redact(rawText),
      json,
      byteProblem,
    };
  };

  const hold = (milliseconds: number): void => {
    held = true;
    pace.hold(milliseconds);
  };

  // A deployment that asked for a pause gets one request after the other from there on.
  let last: Promise<unknown> = Promise.resolve();
  const ask = (call: Call): Promise<Exchange> => {
    if (!held) return askNow(call);
    const mine = last.then(() => askNow(call));
    last = mine.catch(() => undefined);
    return mine;
  };

  const askNow = async (call: Call): Promise<Exchange> => {
    permit(call);
    const answer = await patiently(() => onceMore(call, () => once(call)), hold);
    const exchange = { ...call, ...answer, outcome: outcomeOf(answer.status, answer.json) };
    exchanges.push(exchange);
    return exchange;
  };

  const recorded = async (call: Call): Promise<Exchange> => {
    if (call.operation !== 'addLead') return ask(call);
    permit(call);
    const settle = ledger.asking();
    try {
      const exchange = await ask(call);
      ledger.noteReply(exchange);
      return exchange;
    } catch (error) {
      if (error instanceof NoAnswer && !error.unsent) ledger.noteLost();
      throw error;
    } finally {
      settle();
    }
  };

  const send: Client['send'] = (call) => {
    const exchange = recorded(call);
    const forget = (): void => void underWay.delete(exchange);
    underWay.add(exchange);
    exchange.then(forget, forget);
    return exchange;
  };

  return {
    send,
    exchanges,
    mailsRequested: () => mails,
    wasHeld: () => held,
    differs: (credentials) => credentials === 'key' || tokens[credentials] !== tokens.key,
    redact,
    idle: async () => void (await Promise.allSettled(underWay)),
    close: wire.close,
  };
};
