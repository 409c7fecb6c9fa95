import type { OperationName } from '../contract/operation-id.ts';
import { foldCase } from '../mail/text.ts';
import { copyStart } from '../runtime/platform.ts';
import { createRedactor, type Redactor, replacement } from '../runtime/redaction.ts';
import { parseSearchQuery, type SearchTerm } from '../runtime/text-search.ts';
import { isoTime } from '../runtime/timers.ts';

/** The reason for a response that is not a plain success. */
export type Why = {
  /** The kind of reason: `validation_failed`, `asked_for` (by `Prefer`), `fault`, … */
  readonly code: string;
  /** What was wrong and where, or which rule handled the request. */
  readonly what: string;
  /** The open question whose answer decided the status, and that answer. */
  readonly question?: string;
  readonly answer?: string | number;
};

/** A request and its response in raw form. They are formatted and redacted only when they are read. */
export type RecordedRequest = {
  /** Its number in the workspace, counted from 1; 0 until it is recorded. */
  number: number;
  operation: string | null;
  readonly method: string;
  url: string;
  /** Names and values alternate, as received. */
  rawHeaders: readonly string[];
  /** The body as text; `null` if none was read. */
  requestBody: string | null;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  responseBody: string | null;
  why: Why | null;
  /** Milliseconds since 1970, by the clock of the workspace. */
  createdAtMs: number;
  /** Milliseconds from request to response, in real time. */
  durationMs: number;
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

/** The request or the response of an exchange: keys are redacted, and a long body is cut. */
export type Side = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
};

export type JournalEntry = JournalSummary & { readonly request: Side; readonly response: Side };

/** Selects requests: all given fields must match. */
export type RequestFilter = {
  /** `sendEmail`, `addLead`, …, for both path forms of an operation. Any text, because an imported state may contain others. */
  readonly operation?: OperationName | (string & {}) | undefined;
  readonly method?: string | undefined;
  /** A concrete path without its query, or a path template: `/api/v1/leads/{id}`. */
  readonly path?: string | undefined;
  /** A status like `503` or a class like `4xx`; `0` for a request that a connection fault left without a response. */
  readonly status?: number | string | undefined;
};

/** A filter for lists, which also selects requests that reached no operation: unknown path or method, no accepted key. */
export type JournalFilter = RequestFilter & {
  readonly unmatched?: boolean | undefined;
  /** Made by `createRequestSearch`. Passed in, so that callers without a search do not load its code. */
  readonly search?: ((recorded: Recorded) => boolean) | undefined;
};

/** Why a request reached no operation. */
export const unmatchedCodes: ReadonlySet<string> = new Set([
  'route_not_found',
  'method_not_allowed',
  'authentication_missing',
  'authentication_malformed',
  'key_unknown',
]);

/** Number of characters of a body that are kept. */
const maxBodyLength = 64 * 1024;

const maxPathLength = 2000;

/** A body cut to the number of characters that are kept. */
export const cutBody = (text: string): string =>
  text.length > maxBodyLength + 1 ? copyStart(text, maxBodyLength + 1) : text;

/**
 * A request for a list, without headers and bodies.
 * @param secrets keys to redact, in addition to the key of the request
 */
export const summaryOf = (
  id: string,
  recorded: RecordedRequest,
  secrets: readonly string[],
  redactor = redactorFor(recorded, secrets),
): JournalSummary => {
  const { operation, method, url, status, createdAtMs, durationMs, why } = recorded;
  return {
    id,
    operation,
    method,
    path: redactor.url(url).slice(0, maxPathLength),
    status,
    created_at: isoTime(createdAtMs),
    duration_ms: Number(durationMs.toFixed(1)),
    why: why && { ...why, what: redactor.message(why.what) },
  };
};

export const entryOf = (id: string, recorded: RecordedRequest, secrets: readonly string[]): JournalEntry => {
  const redactor = redactorFor(recorded, secrets);
  return {
    ...summaryOf(id, recorded, secrets, redactor),
    request: toSide(toPairs(recorded.rawHeaders), recorded.requestBody, redactor),
    response: toSide(Object.entries(recorded.headers), recorded.responseBody, redactor),
  };
};

const redactorFor = ({ rawHeaders }: RecordedRequest, secrets: readonly string[]): Redactor => {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  return createRedactor(secrets, at < 0 ? '' : rawHeaders[at + 1]);
};

const toSide = (
  headers: readonly (readonly [string, unknown])[],
  body: string | null,
  { text, cut }: Redactor,
): Side => {
  const isCut = (body?.length ?? 0) > maxBodyLength;
  return {
    headers: joinHeaders(headers, text),
    // Redacted before it is cut: a key cut in half would not be recognized.
    body: body === null ? null : isCut ? cut(body).slice(0, maxBodyLength) : text(body),
    body_cut: isCut,
  };
};

const toPairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie)$|api-?key|token|secret/;

/** Headers by lower-case name, with repeated ones joined. Values that may contain a key are redacted after their first word. */
const joinHeaders = (
  headers: readonly (readonly [string, unknown])[],
  redact: (text: string) => string,
): Record<string, string> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const own = name.toLowerCase();
    const text = secretHeader.test(own) ? redactHeader(String(value)) : redact(String(value));
    values.set(own, [...(values.get(own) ?? []), text]);
  }
  return Object.fromEntries([...values].map(([name, texts]) => [name, texts.join(', ')]));
};

const redactHeader = (value: string): string => (/^(Bearer|Basic) /.exec(value)?.[0] ?? '') + replacement;

/** A recorded request, or an entry of an imported state. */
export type Recorded = RecordedRequest | JournalEntry;

// Number of characters of a request that a search reads.
const maxSearched = 2000;
const maxBodySearched = 16_000;

/** Tests whether a request matches a query of words, or of fields of its body (`to:lena`). */
export const createRequestSearch = (query: string): ((recorded: Recorded) => boolean) => {
  const terms = parseSearchQuery(query, ['to', 'from', 'subject']).map((term) => ({
    ...term,
    text: foldCase(term.text),
  }));
  return (recorded) => terms.every((term) => hasTerm(recorded, term) !== term.isExcluded);
};

const hasTerm = (recorded: Recorded, { field, text }: SearchTerm): boolean => {
  const body = bodyOf(recorded);
  if (field !== undefined) return foldCase(fieldOf(body.slice(0, maxBodySearched), field)).includes(text);
  return foldCase(headOf(recorded)).includes(text) || foldCase(body.slice(0, maxSearched)).includes(text);
};

const headOf = (recorded: Recorded): string => {
  const { operation, method, status, why } = recorded;
  return `${method} ${pathOf(recorded).slice(0, maxSearched)} ${operation ?? ''} ${status} ${why?.what ?? ''}`;
};

export const pathOf = (recorded: Recorded): string => ('id' in recorded ? recorded.path : recorded.url);

const bodyOf = (recorded: Recorded): string =>
  ('id' in recorded ? recorded.request.body : recorded.requestBody) ?? '';

/** The text of a field in a body. The body is not parsed, because it may be cut or invalid JSON. */
const fieldOf = (body: string, field: string): string =>
  new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 's').exec(body)?.[1] ?? '';
