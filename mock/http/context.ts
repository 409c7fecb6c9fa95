import { type ContractInForce, createContracts } from '../contract/in-force.ts';
import { escapeInvisible, printableLine } from '../contract/printable.ts';
import type { Answers } from '../contract/questions.ts';
import { createRedactor, secretsAmong } from '../runtime/redaction.ts';
import { nextTurn, stopwatch, timeNow } from '../runtime/timers.ts';
import type { AnswerOverrides } from '../workspace/answers.ts';
import { createWorkspaces, type Workspaces } from '../workspace/registry.ts';
import type { StateDocument } from '../workspace/snapshot.ts';
import { seedTemplates } from '../workspace/templates.ts';
import { readCredentials } from './credentials.ts';

export type AppOptions = {
  readonly acceptKeys: readonly string[];
  readonly answers: Answers;
  readonly outboxLimit: number;
  /** Bytes of messages kept in the outbox of a workspace. */
  readonly outboxBytes?: number | undefined;
  /** Initial state of every workspace; validated by `validation/snapshot.ts`. */
  readonly seed?: StateDocument;
  /**
   * Passes the seed to `accept` if its file has changed since the last accepted one.
   * @throws Error for a file that cannot be read, and what `accept` throws
   */
  readonly readChangedSeed?: ((accept: (seed: StateDocument) => void) => void) | undefined;
  /** Certificate and key; without them the server uses plain HTTP. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  /** Delay of every response to an accepted key, in milliseconds. */
  readonly delay: number;
  /** Host names beside loopback under which the admin API may be called. */
  readonly allowedHosts: readonly string[];
  /** Origins of other sites whose pages may call the admin API. */
  readonly allowedOrigins: readonly string[];
  readonly admin: boolean;
  readonly version: string;
  readonly log: RequestLog;
};

/** Shared by all parts of the app. */
export type Context = AppOptions & {
  readonly workspaces: Workspaces;
  /** Seconds since the mock was made. */
  readonly uptime: () => number;
  /** The contract in force for requests without a workspace. */
  readonly contract: ContractInForce;
  /** The contract in force for a request: with the answers of the workspace of its key, else of the server. */
  readonly contractFor: (request: {
    readonly headers: { readonly authorization?: string | undefined };
  }) => ContractInForce;
  /** Reasons for responses that are not plain successes, by the request of the adapter; for the log. */
  readonly reasons: WeakMap<object, string>;
};

export const createContext = (options: AppOptions): Context => {
  const contracts = createContracts(options.answers);
  const workspaces = createWorkspaces({
    ...options,
    seed: options.seed ?? {},
    templates: seedTemplates,
    idFormat: options.answers['lead.id-format'],
  });
  return {
    ...options,
    workspaces,
    contract: contracts.server,
    contractFor: ({ headers }) => contracts.forOverrides(overridesFor(headers.authorization, workspaces)),
    uptime: stopwatch(),
    reasons: new WeakMap(),
  };
};

/** The answer overrides of the workspace whose key is in a header. */
const overridesFor = (header: string | undefined, { answersOf }: Workspaces): AnswerOverrides | undefined => {
  const credentials = readCredentials(header);
  return 'key' in credentials ? answersOf(credentials.key) : undefined;
};

export type LogStyle = 'pretty' | 'json' | 'silent';

type LoggedRequest = { readonly method: string; readonly url: string };
type LoggedResponse = {
  readonly statusCode: number;
  readonly elapsedTime: number;
  /** Why it is not a plain success. */
  readonly why?: string | undefined;
};

/** Logs one request; has the signature of Fastify's `onResponse` hook. `undefined` if nothing is logged. */
type RequestLog = ((request: LoggedRequest, reply: LoggedResponse, done?: () => void) => void) | undefined;

/**
 * One line per request: time, method, path, status, duration. It never contains headers, bodies, a key in a query, or an
 * accepted key anywhere. Lines are collected and written once per turn of the event loop, after the request.
 */
export const createLog = (
  style: LogStyle,
  write: (text: string) => void,
  acceptKeys: readonly string[] = [],
): RequestLog => {
  if (style === 'silent') return undefined;
  const line = style === 'json' ? jsonLine : prettyLine;
  const { url: redactUrl, message: redactMessage } = createRedactor(secretsAmong(acceptKeys));
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('');
    lines = [];
    write(text);
  };
  return (request, { why, ...reply }, done) => {
    const shown = why === undefined ? reply : { ...reply, why: redactMessage(why) };
    lines.push(line(request.method, truncateUrl(redactUrl(request.url)), shown));
    if (lines.length === 1) nextTurn(flush);
    done?.();
  };
};

const maxUrlLength = 500;

// After redaction: a key cut in half would not be recognized.
const truncateUrl = (url: string): string =>
  url.length > maxUrlLength ? `${url.slice(0, maxUrlLength - 3)}...` : url;

type Line = (method: string, url: string, reply: LoggedResponse) => string;

const jsonLine: Line = (method, url, { statusCode, elapsedTime, why }) =>
  `${escapeInvisible(
    JSON.stringify({
      time: timeNow(),
      method,
      url,
      status: statusCode,
      ms: Number(elapsedTime.toFixed(1)),
      why,
    }),
  ).replaceAll('##[', '#\\u0023[')}\n`;

const prettyLine: Line = (method, url, { statusCode, elapsedTime, why }) => {
  const line = `${timeNow().slice(11, 23)} ${method.padEnd(6)} ${url} → ${statusCode} ${elapsedTime.toFixed(1)} ms`;
  return `${printableLine(why === undefined ? line : `${line}  ${why}`)}\n`;
};
