import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { readBody } from './body.ts';
import { type Answer, type Call, type Credentials, type Exchange, outcomeOf } from './exchange.ts';
import { causesMail, forbids, type Permissions } from './permissions.ts';

/** A request that was not let out, and the flag that would permit it. */
export class NotPermitted extends Error {}

/** No answer at all: the deployment, or the way to it, could not be reached. */
export class NoAnswer extends Error {
  readonly kind: 'unreachable' | 'tls' | 'timeout' | 'interrupted';

  constructor(kind: NoAnswer['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export type ClientOptions = {
  /** Base URL without a trailing slash. */
  readonly base: string;
  readonly key: string;
  readonly permissions: Permissions;
  /** Milliseconds until a request counts as unanswered. */
  readonly timeout: number;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
};

/** The one place a request leaves the suite: permissions, key, retries and redaction happen here and nowhere else. */
export type Client = {
  /** @throws NotPermitted, NoAnswer */
  readonly send: (call: Call) => Promise<Exchange>;
  /** Every exchange so far, in the order of the answers. */
  readonly exchanges: readonly Exchange[];
  /** How many requests that may cause a mail were sent. */
  readonly mailsRequested: () => number;
  /** A text without the key. */
  readonly redact: (text: string) => string;
  readonly close: () => Promise<void>;
};

/** The name under which the run deletes what it created. */
export const cleanUp = 'clean-up';

const mostRetries = 4;
const longestPause = 30_000;

export const createClient = (options: ClientOptions): Client => {
  const { base, key, permissions, timeout } = options;
  const agent = new Agent({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout });
  const exchanges: Exchange[] = [];
  const tokens = tokensFor(key);
  let mails = 0;
  // Whatever its case: a server may echo the key as it stores it.
  const secret = new RegExp(key.replace(/[^A-Za-z0-9]/g, '\\$&'), 'gi');
  const redact = (text: string): string => text.replace(secret, () => '$EMAIL_LEADS_API_KEY');

  // An interrupted run still cleans up.
  const signalFor = ({ check }: Call): { signal?: AbortSignal } =>
    options.signal && check !== cleanUp ? { signal: options.signal } : {};

  const once = async (call: Call): Promise<Answer> => {
    const response = await request(base + call.path, {
      dispatcher: agent,
      method: call.method as Dispatcher.HttpMethod,
      headers: headersOf(call, tokens, options.userAgent),
      body: call.body ?? null,
      ...signalFor(call),
    });
    const raw = Buffer.from(await response.body.arrayBuffer());
    const encoding = response.headers['content-encoding'];
    const { text, ...body } = readBody(raw, Array.isArray(encoding) ? encoding.join() : encoding);
    return {
      status: response.statusCode,
      headers: response.headers,
      size: raw.length,
      text: redact(text),
      ...body,
    };
  };

  const send = async (call: Call): Promise<Exchange> => {
    const forbidden = forbids(call, permissions, mails);
    if (forbidden) throw new NotPermitted(forbidden);
    if (causesMail(call)) mails += 1;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await withOneRetry(call, () => once(call));
      const pause = attempt < mostRetries ? pauseAsked(answer) : undefined;
      if (pause === undefined) {
        const exchange = { ...call, ...answer, outcome: outcomeOf(answer.status, answer.json) };
        exchanges.push(exchange);
        return exchange;
      }
      await wait(pause, undefined, signalFor(call)).catch((error: unknown) => {
        throw noAnswer(error, call);
      });
    }
  };

  return { send, exchanges, mailsRequested: () => mails, redact, close: () => agent.close() };
};

/** A deployment that asks for a pause gets it: rate limits are no finding. */
const pauseAsked = ({ status, headers }: Answer): number | undefined => {
  if (status !== 429 && status !== 503) return undefined;
  const after = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return status === 429 ? 1000 : undefined;
  return Math.min(Math.max(seconds * 1000, 50), longestPause);
};

/** A connection that broke is tried once more where asking twice does no harm. */
const withOneRetry = async (call: Call, attempt: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await attempt();
  } catch (error) {
    if (call.method === 'POST' || !isReset(error)) throw noAnswer(error, call);
  }
  try {
    return await attempt();
  } catch (error) {
    throw noAnswer(error, call);
  }
};

const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).name);

const isReset = (error: unknown): boolean =>
  ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'].includes(codeOf(error));

const noAnswer = (error: unknown, call: Call): NoAnswer => {
  const code = codeOf(error);
  const what = `${call.method} ${call.path}`;
  if (code === 'AbortError' || code === 'ABORT_ERR')
    return new NoAnswer('interrupted', `${what} was interrupted`, error);
  if (code.includes('TIMEOUT'))
    return new NoAnswer('timeout', `${what} was not answered in time (${code})`, error);
  if (/CERT|TLS|SSL|ALTNAME/.test(code))
    return new NoAnswer('tls', `${what}: ${(error as Error).message}`, error);
  return new NoAnswer('unreachable', `${what}: ${(error as Error).message || code} (${code})`, error);
};

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

type Tokens = Readonly<Record<Credentials, string | undefined>>;

/** The random key has the length of the real one and nothing else of it: half a check may look at the length only. */
const tokensFor = (key: string): Tokens => {
  const random = randomBytes(Math.max(key.length, 8)).toString('hex').slice(0, Math.max(key.length, 8));
  return {
    key: `Bearer ${key}`,
    none: undefined,
    'random key': `Bearer ${random}`,
    'key with ~ appended': `Bearer ${key}~`,
    'key in other case': `Bearer ${swapCase(key)}`,
    'Bearer without a key': 'Bearer',
    Basic: 'Basic eDp5',
  };
};

const headersOf = (call: Call, tokens: Tokens, userAgent: string): Record<string, string> => {
  const authorization = tokens[call.credentials];
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': `${userAgent} check/${call.check}`,
    ...(authorization === undefined ? {} : { authorization }),
    ...(call.contentType === undefined ? {} : { 'content-type': call.contentType }),
  };
};
