import type { OperationName } from '../contract/operation-id.ts';
import { pathMatcher } from '../contract/path-template.ts';
import { type Redact, redactHeader, replacement } from '../contract/redaction.ts';
import type { components } from '../generated/state.ts';
import { foldCase, wordsOf } from '../mail/search.ts';
import type { PartSettings } from '../route/noun.ts';
import { copyStart } from '../runtime/platform.ts';
import { nameItems, requestId } from '../store/ids.ts';
import { createLog, type Tests, testsOf } from '../store/log.ts';
import { limits } from '../store/store.ts';

/** A request and its response: keys are redacted, and a long body is cut. */
export type JournalEntry = components['schemas']['Request'];

/** The reason for a response that is not a plain success. */
export type Why = NonNullable<JournalEntry['why']>;

/** The request or the response of an exchange. */
export type Side = JournalEntry['request'];

export type JournalSummary = Omit<JournalEntry, 'request' | 'response'>;

/** An entry for a list, without headers and bodies. */
export const toSummary = (entry: JournalEntry): JournalSummary => {
  const { request: _request, response: _response, ...summary } = entry;
  return summary;
};

/** The requests of one workspace and their responses, the newest of which are kept. */
export type Journal = ReturnType<typeof createJournal>;

/** @param idOf the id with a number */
export const createJournal = (
  settings: Pick<
    PartSettings,
    'now' | 'redact' | 'waiting' | 'arrivals' | 'meter' | 'publish' | 'lastNumber'
  >,
  entries: readonly JournalEntry[] = [],
  idOf = requestId,
) => {
  const { named, lastNumber } = nameItems(entries, 'id', idOf, settings.lastNumber);
  const log = createLog<JournalEntry>({
    ...settings,
    bounds: { count: limits.journalRequests, length: limits.journalLength },
    idOf,
    items: named.slice(-limits.journalRequests),
    lastNumber,
  });
  const write = createEntryWriter(settings.redact);
  return {
    ...log,
    record: (exchanged: Exchanged): JournalEntry => log.add(write(log.nextId(), settings.now(), exchanged)),
    /** The client closed the connection before the response came. */
    markGone: (entry: JournalEntry, ms: number): void => {
      const { status, why } = entry;
      const before = why === null ? '' : `${why.what}; `;
      const what = `${before}the client closed the connection before the reply came, which would have been ${status}`;
      const gone = { code: 'client_gone', what };
      Object.assign(entry, { status: 0, duration_ms: rounded(ms), response: emptySide, why: gone });
      // After a reset, another entry may have its id.
      if (log.get(entry.id) === entry) log.changed(entry);
    },
  };
};

/** A request and its response, before keys are redacted. */
type Exchanged = Omit<JournalSummary, 'id' | 'path' | 'created_at'> & {
  readonly url: string;
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly requestBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
};

const maxPathLength = 2000;

const haveSameItems = (left: readonly string[], right: readonly string[]): boolean => {
  if (left.length !== right.length) return false;
  // Faster than `every`.
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
};

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

const emptySide: Side = { headers: {}, body: null, body_cut: false };

/** Writes entries, in which keys are redacted. */
const createEntryWriter = (redact: Redact) => {
  // A client repeats its headers, and gets the same response again: a thousand copies slow down garbage collection.
  let lastRaw: readonly string[] = [];
  let lastHeaders: Side['headers'] = {};
  let lastSent: Pick<Exchanged, 'headers' | 'responseBody'> | undefined;
  let lastResponse = emptySide;
  const responseOf = (sent: NonNullable<typeof lastSent>): Side => {
    const { headers, responseBody } = sent;
    if (headers !== lastSent?.headers || responseBody !== lastSent.responseBody) {
      lastResponse = toSide(redactValues(headers, redact), responseBody, redact);
      // Neither the request, nor more of a response than the journal keeps.
      lastSent = lastResponse.body_cut ? undefined : { headers, responseBody };
    }
    return lastResponse;
  };
  const headersOf = (raw: readonly string[]): Side['headers'] => {
    if (!haveSameItems(raw, lastRaw)) [lastRaw, lastHeaders] = [raw, joinHeaders(raw, redact)];
    return lastHeaders;
  };
  return (id: string, created_at: string, exchanged: Exchanged): JournalEntry => {
    const { operation, method, url, status, duration_ms, why } = exchanged;
    // Written out: with the rest of the fields as one pattern, a request takes a quarter more of the processor.
    return {
      id,
      operation,
      method,
      path: redact(url).slice(0, maxPathLength),
      status,
      created_at,
      duration_ms: rounded(duration_ms),
      why: why && { ...why, what: redact(why.what) },
      request: toSide(headersOf(exchanged.rawHeaders), exchanged.requestBody, redact),
      response: responseOf(exchanged),
    };
  };
};

/** Number of characters of a body that are kept. */
const maxBodyLength = 64 * 1024;

const toSide = (headers: Side['headers'], body: string | null, redact: Redact): Side => {
  const text = body === null ? null : redact(body);
  const isCut = text !== null && text.length > maxBodyLength;
  return { headers, body: isCut ? copyStart(text, maxBodyLength) : text, body_cut: isCut };
};

const redactValues = (headers: Side['headers'], redact: Redact): Side['headers'] => {
  if (Object.values(headers).every((value) => redact(value) === value)) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
};

/** Headers by lower-case name, with repeated ones joined. Values that may contain a key are redacted after their first word. */
const joinHeaders = (raw: readonly string[], redact: Redact): Side['headers'] => {
  // A header may be named `__proto__`.
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const shown = redactHeader(name, raw[at + 1] as string, redact, replacement);
    const before = headers.get(name);
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`);
  }
  return Object.fromEntries(headers);
};

/** Selects requests: all given fields must match. */
export type RequestFilter = {
  /** `sendEmail`, `addLead`, …, for both path forms of an operation. */
  readonly operation?: OperationName | undefined;
  readonly method?: string | undefined;
  /** A concrete path without its query, or a path template: `/api/v1/leads/{id}`. */
  readonly path?: string | undefined;
  /** A status like `503` or a class like `4xx`; `0` for a request without a response. */
  readonly status?: number | string | undefined;
  /** Only requests that reached no operation: unknown path or method, no accepted key. */
  readonly unmatched?: boolean | undefined;
  /** Words in method, path, operation, status, reason or body. */
  readonly q?: string | undefined;
};

const keyErrors = ['authentication_missing', 'authentication_malformed', 'key_unknown'];

/** Whether a request was refused for its key. */
export const isWithoutKey = ({ why }: JournalEntry): boolean => keyErrors.includes(why?.code ?? '');

/** Why a request reached no operation. */
const unmatchedCodes = ['route_not_found', 'method_not_allowed', ...keyErrors];

/** Whether a status is that of a filter, or of its class. */
export const statusTest = (expected: number | string): ((status: number) => boolean) => {
  const [digit = ''] = String(expected);
  return /xx$/i.test(String(expected))
    ? (status) => String(status).startsWith(digit)
    : (status) => String(status) === String(expected);
};

/** Whether a text has every word of a search. */
export const wordsTest = (query: string): ((text: string) => boolean) => {
  const words = wordsOf(query);
  return (text) => {
    const folded = foldCase(text);
    return words.every((word) => folded.includes(word));
  };
};

type Test = (entry: JournalEntry) => boolean;

const tests: {
  readonly [Name in keyof RequestFilter]-?: (expected: NonNullable<RequestFilter[Name]>) => Test;
} = {
  operation: (expected) => (entry) => entry.operation === expected,
  method: (expected) => {
    const method = expected.toUpperCase();
    return (entry) => entry.method === method;
  },
  path: (expected) => {
    const matches = expected.includes('{') ? pathMatcher(expected) : (path: string) => path === expected;
    return ({ path }) => matches(path.split('?', 1)[0] ?? '');
  },
  status: (expected) => {
    const isMeant = statusTest(expected);
    return ({ status }) => isMeant(status);
  },
  unmatched:
    (expected) =>
    ({ why }) =>
      !expected || unmatchedCodes.includes(why?.code ?? ''),
  q: (query) => {
    const hasWords = wordsTest(query);
    return (entry) => hasWords(searchedText(entry));
  },
};

export const requestTests = (filter: RequestFilter): Tests<JournalEntry> => testsOf(tests, filter);

// Number of characters of a body that a search reads.
const maxSearched = 2000;

const searchedText = ({ operation, method, path, status, why, request }: JournalEntry): string =>
  `${method} ${path} ${operation ?? ''} ${status} ${why?.what ?? ''} ${request.body?.slice(0, maxSearched) ?? ''}`;
