import type { Publish } from '../route/noun.ts';
import { copyStart } from '../runtime/platform.ts';
import { createIdNumbers, requestId } from '../store/ids.ts';
import { type RedactKeys, replacement } from '../store/keys.ts';
import { createLog, type Log, type Shared } from '../store/log.ts';
import { limits, type Meter } from '../store/store.ts';
import { type JournalEntry, type JournalSummary, type Side, toSummary } from './journal-entry.ts';

/** The requests of one workspace and their responses, the newest of which are kept. */
export type Journal = Omit<Log<JournalEntry>, 'add' | 'changed' | 'load'> & {
  readonly record: (exchanged: Exchanged) => JournalEntry;
  /** Changes an entry: the client closed the connection before the response came. */
  readonly change: (id: string, changes: Partial<JournalEntry>) => void;
  /** The id of the next request. */
  readonly nextId: () => string;
  /** Replaces all entries, oldest first. The next one gets the number after `lastNumber`. */
  readonly load: (entries: readonly JournalEntry[], lastNumber: number, epoch?: number) => void;
  /** The number of the latest request, even if it was dropped. */
  readonly lastNumber: () => number;
};

export const createJournal = (
  now: () => string,
  redact: RedactKeys,
  shared: Shared,
  meter: Meter,
  publish: Publish = () => undefined,
): Journal => {
  const bounds = { count: limits.journalRequests, length: limits.journalLength };
  const log = createLog<JournalEntry>(bounds, shared, meter);
  const numbers = createIdNumbers();
  const nextId = (): string => requestId(numbers.next());
  const write = createEntryWriter(redact);
  return {
    ...log,
    record: (exchanged) => {
      const entry = write(nextId(), now(), exchanged);
      numbers.use(numbers.next());
      log.add(entry);
      publish(() => toSummary(entry));
      return entry;
    },
    change: (id, changes) => {
      const entry = log.get(id);
      if (!entry) return;
      log.changed(Object.assign(entry, changes));
      publish(() => toSummary(entry));
    },
    clear: () => {
      log.clear();
      publish(() => ({ change: 'cleared' }));
    },
    load: (entries, lastNumber, epoch) => {
      numbers.restart(lastNumber);
      log.load(entries, epoch);
    },
    nextId,
    lastNumber: numbers.last,
  };
};

/** A request and its response, before keys are redacted. */
export type Exchanged = Omit<JournalSummary, 'id' | 'path' | 'created_at'> & {
  readonly url: string;
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly requestBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
};

const maxPathLength = 2000;

/**
 * Writes entries of a journal: keys are redacted now, before anybody reads them. Shares what a client repeats in every request:
 * a thousand copies of the same headers slow down garbage collection.
 */
const createEntryWriter = (redact: RedactKeys) => {
  let lastRaw: readonly string[] = [];
  let lastHeaders: Side['headers'] = {};
  let lastPath = '';
  let lastBody: string | null = '';
  let lastSent: Side['headers'] | undefined;
  let lastShown: Side['headers'] = {};
  const sentOf = (headers: Side['headers']): Side['headers'] => {
    if (headers !== lastSent) lastShown = redactValues(headers, redact);
    lastSent = headers;
    return lastShown;
  };
  const headersOf = (raw: readonly string[]): Side['headers'] => {
    let isSame = raw.length === lastRaw.length;
    for (let at = 0; isSame && at < raw.length; at += 1) isSame = raw[at] === lastRaw[at];
    if (!isSame) {
      lastRaw = raw;
      lastHeaders = joinHeaders(raw, redact);
    }
    return lastHeaders;
  };
  const pathOf = (url: string): string => {
    const path = redact(url).slice(0, maxPathLength);
    if (path !== lastPath) lastPath = path;
    return lastPath;
  };
  return (id: string, created_at: string, exchanged: Exchanged): JournalEntry => {
    const { why } = exchanged;
    if (exchanged.responseBody !== lastBody) lastBody = exchanged.responseBody;
    return {
      id,
      operation: exchanged.operation,
      method: exchanged.method,
      path: pathOf(exchanged.url),
      status: exchanged.status,
      created_at,
      duration_ms: Math.round(exchanged.duration_ms * 10) / 10,
      why: why && { ...why, what: redact(why.what) },
      request: toSide(headersOf(exchanged.rawHeaders), exchanged.requestBody, redact),
      response: toSide(sentOf(exchanged.headers), lastBody, redact),
    };
  };
};

/** Number of characters of a body that are kept. */
const maxBodyLength = 64 * 1024;

const toSide = (headers: Side['headers'], body: string | null, redact: RedactKeys): Side => {
  const text = body === null ? null : redact(body);
  const isCut = text !== null && text.length > maxBodyLength;
  return { headers, body: isCut ? copyStart(text, maxBodyLength) : text, body_cut: isCut };
};

const redactValues = (headers: Side['headers'], redact: RedactKeys): Side['headers'] => {
  if (Object.values(headers).every((value) => redact(value) === value)) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
};

const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie)$|api-?key|token|secret/;

/** Headers by lower-case name, with repeated ones joined. Values that may contain a key are redacted after their first word. */
const joinHeaders = (raw: readonly string[], redact: RedactKeys): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const value = raw[at + 1] as string;
    const shown = secretHeader.test(name) ? redactHeader(value) : redact(value);
    // Own properties only: a header may be named `__proto__`.
    const joined = Object.hasOwn(headers, name) ? `${headers[name]}, ${shown}` : shown;
    if (name === '__proto__')
      Object.defineProperty(headers, name, { value: joined, enumerable: true, configurable: true });
    else headers[name] = joined;
  }
  return headers;
};

const redactHeader = (value: string): string => (/^(Bearer|Basic) /.exec(value)?.[0] ?? '') + replacement;

const pairs = (headers: Side['headers']) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** The content of a body. A cut body is left out, because HAR cannot mark it as incomplete. */
const contentOf = ({ body, body_cut: isCut, headers }: Side) => {
  const mimeType = headers['content-type'] ?? '';
  if (body === null) return { size: 0, mimeType };
  return isCut ? { size: -1, mimeType } : { size: Buffer.byteLength(body), mimeType, text: body };
};

const parametersOf = (path: string) =>
  [...new URLSearchParams(path.split('?', 2)[1])].map(([name, value]) => ({ name, value }));

const entryOf = (
  base: string,
  { method, path, status, created_at: at, duration_ms: ms, ...sides }: JournalEntry,
) => {
  const { size, text, mimeType } = contentOf(sides.request);
  return {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url: base + path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(sides.request.headers),
      queryString: parametersOf(path),
      headersSize: -1,
      bodySize: size,
      ...(text === undefined ? {} : { postData: { mimeType, text } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(sides.response.headers),
      content: contentOf(sides.response),
      redirectURL: sides.response.headers.location ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  };
};

/** Requests in HAR 1.2 format. */
export const harOf = (entries: readonly JournalEntry[], base: string): object => ({
  log: {
    version: '1.2',
    creator: { name: 'email-leads mock', version: '1' },
    entries: entries.map((entry) => entryOf(base, entry)),
  },
});
