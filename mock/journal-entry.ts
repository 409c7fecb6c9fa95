import { isoTime } from './clock.ts';
import { createRedactor, type Redactor, replacement } from './redaction.ts';

/** Why a request was answered as it was, where that is not plain success. */
export type Why = {
  /** What kind of refusal: `validation_failed`, `asked_for` (by `Prefer`), `fault`, … */
  readonly code: string;
  /** What was wrong and where, or which rule took it. */
  readonly what: string;
  /** The open question whose answer decided the status, and that answer. */
  readonly question?: string;
  readonly answer?: string | number;
};

/** A request and its reply as they passed by; put into words only when somebody looks. */
export type Arrival = {
  /** Its place among those of its workspace, counted from 1; 0 until it is taken down. */
  number: number;
  operation: string | null;
  readonly method: string;
  url: string;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[];
  /** The body as text; `null` where none was read. */
  sent: string | null;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  replied: string | null;
  why: Why | null;
  /** Milliseconds since 1970, by the clock of the workspace. */
  at: number;
  /** Milliseconds from arrival to reply, in real time. */
  took: number;
};

export type JournalSummary = {
  readonly id: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly created_at: string;
  readonly duration_ms: number;
  readonly why: Why | null;
};

/** One side of an exchange: keys are left out of it, and a long body is cut. */
export type Side = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
};

export type JournalEntry = JournalSummary & { readonly request: Side; readonly response: Side };

/** Characters of a body that are kept. */
export const longestBody = 64 * 1024;

const longestPath = 2000;

/** A text with no more than what is kept of a body. A copy where it is longer: a part of a text keeps all of it in memory. */
export const cutBody = (text: string): string =>
  text.length > longestBody + 1
    ? Buffer.from(text.slice(0, longestBody + 1), 'utf16le').toString('utf16le')
    : text;

/**
 * A request in words, without what only a look at it alone shows.
 * @param secrets keys that nobody is to see, beside the one it carries
 */
export const summaryOf = (
  id: string,
  arrival: Arrival,
  secrets: readonly string[],
  redactor = redactorFor(arrival, secrets),
): JournalSummary => {
  const { operation, method, url, status, at, took, why } = arrival;
  return {
    id,
    operation,
    method,
    path: redactor.url(url).slice(0, longestPath),
    status,
    created_at: isoTime(at),
    duration_ms: Number(took.toFixed(1)),
    why: why && { ...why, what: redactor.message(why.what) },
  };
};

export const entryOf = (id: string, arrival: Arrival, secrets: readonly string[]): JournalEntry => {
  const redactor = redactorFor(arrival, secrets);
  return {
    ...summaryOf(id, arrival, secrets, redactor),
    request: side(pairs(arrival.rawHeaders), arrival.sent, redactor),
    response: side(Object.entries(arrival.headers), arrival.replied, redactor),
  };
};

const redactorFor = ({ rawHeaders }: Arrival, secrets: readonly string[]): Redactor => {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  return createRedactor(secrets, at < 0 ? '' : rawHeaders[at + 1]);
};

const side = (
  headers: readonly (readonly [string, unknown])[],
  body: string | null,
  { text, cut }: Redactor,
): Side => {
  const isCut = (body?.length ?? 0) > longestBody;
  return {
    headers: joined(headers, text),
    // Before it is cut: half a key would not be known for one.
    body: body === null ? null : isCut ? cut(body).slice(0, longestBody) : text(body),
    body_cut: isCut,
  };
};

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const secret = /^(authorization|proxy-authorization|cookie|set-cookie)$|api-?key|token|secret/;

/** Headers by lower-case name, repeated ones in one; what may hold a key is replaced, but for the word before it. */
const joined = (
  headers: readonly (readonly [string, unknown])[],
  redact: (text: string) => string,
): Record<string, string> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const own = name.toLowerCase();
    const text = secret.test(own) ? hidden(String(value)) : redact(String(value));
    values.set(own, [...(values.get(own) ?? []), text]);
  }
  return Object.fromEntries([...values].map(([name, texts]) => [name, texts.join(', ')]));
};

const hidden = (value: string): string => (/^(Bearer|Basic) /.exec(value)?.[0] ?? '') + replacement;
