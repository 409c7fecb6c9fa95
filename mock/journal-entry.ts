import { isoTime } from './clock.ts';

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

type Summarized = { readonly id: string } & (
  | JournalSummary
  | Pick<Arrival, 'operation' | 'method' | 'url' | 'rawHeaders' | 'status' | 'at' | 'took' | 'why'>
);

export const summaryOf = (seen: Summarized): JournalSummary => {
  const { id, operation, method, status, why } = seen;
  const own =
    'path' in seen
      ? { path: seen.path, created_at: seen.created_at, duration_ms: seen.duration_ms }
      : {
          path: redactor(seen.rawHeaders)(seen.url).slice(0, longestPath),
          created_at: isoTime(seen.at),
          duration_ms: Number(seen.took.toFixed(1)),
        };
  return {
    id,
    operation,
    method,
    path: own.path,
    status,
    created_at: own.created_at,
    duration_ms: own.duration_ms,
    why,
  };
};

export const entryOf = (id: string, arrival: Arrival): JournalEntry => {
  const redact = redactor(arrival.rawHeaders);
  return {
    ...summaryOf({ id, ...arrival }),
    request: side(pairs(arrival.rawHeaders), arrival.sent, redact),
    response: side(Object.entries(arrival.headers), arrival.replied, redact),
  };
};

const side = (
  headers: readonly (readonly [string, unknown])[],
  body: string | null,
  redact: (text: string) => string,
): Side => ({
  headers: joined(headers, redact),
  body: body === null ? null : redact(body.slice(0, longestBody)),
  body_cut: (body?.length ?? 0) > longestBody,
});

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

const replacement = 'REDACTED';
// The name of the parameter may itself be percent-encoded.
const keyParameter = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&\s"]*/gi;

// A shorter key would be found in ordinary words; a test key is no secret.
const worthHiding = (key: string): boolean => key.length >= 8 && !key.startsWith('test_');

/** Takes the key a request carried out of any text, wherever else the request repeats it. */
const redactor = (rawHeaders: readonly string[]): ((text: string) => string) => {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const key = at < 0 ? '' : (rawHeaders[at + 1] ?? '').replace(/^\S+\s+/, '').trim();
  return (text) => {
    const own = worthHiding(key) ? text.replaceAll(key, replacement) : text;
    return own.replace(keyParameter, `$1${replacement}`);
  };
};
