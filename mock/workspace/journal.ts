import { pathMatcher } from '../contract/path-template.ts';
import { lazily } from '../runtime/json-parts.ts';
import { limits, textBytes } from '../runtime/limits.ts';
import { runAtOnce } from '../runtime/timers.ts';
import {
  createBoundedLog,
  createUnsharedResources,
  type DropLimit,
  type LogItems,
  type Range,
  type StoreResources,
} from './bounded-log.ts';
import { createIdNumbers, zeroPad } from './ids.ts';
import {
  entryOf,
  type JournalEntry,
  type JournalFilter,
  type JournalSummary,
  pathOf,
  type Recorded,
  type RecordedRequest,
  type RequestFilter,
  summaryOf,
  unmatchedCodes,
} from './journal-entry.ts';
import { type NearMiss, nearMissesInSteps, type WaitOptions, type WaitResult } from './waiters.ts';

type PageOf<Requests> = {
  readonly requests: Requests;
  readonly total: number;
  /** The position after the newest item, for `since`. */
  readonly cursor: string;
};

type RequestPage = PageOf<JournalSummary[]>;

type RequestWait = WaitOptions & { readonly since?: string | undefined };

/** The requests and responses of one workspace, with a limit of count and size: the oldest are dropped. */
export type Journal = {
  /** Adds a request. The object is kept as it is; it is formatted only when it is read. */
  readonly add: (recorded: RecordedRequest) => void;
  readonly get: (id: string) => JournalEntry | undefined;
  readonly latest: () => JournalEntry | undefined;
  /** Oldest first, all of them in full. */
  readonly all: () => JournalEntry[];
  /** As `all`, for the requests at the time of the call, each formatted only when it is reached. */
  readonly each: () => Iterable<JournalEntry>;
  /** Newest first, without headers and bodies. */
  readonly page: (filter?: JournalFilter, range?: Range) => RequestPage;
  /** As `page` in steps, each request formatted only when it is reached. */
  readonly pageInSteps: (
    filter?: JournalFilter,
    range?: Range,
  ) => Generator<undefined, PageOf<Iterable<JournalSummary>>>;
  readonly count: (filter?: RequestFilter, since?: string) => number;
  /** Resolves when enough requests match; after `matched`, `page` returns them. */
  readonly wait: (filter: RequestFilter, options?: RequestWait) => Promise<WaitResult>;
  /** Near misses, for a wait that timed out. */
  readonly nearMissesInSteps: (
    filter: RequestFilter,
    since?: string,
  ) => Generator<undefined, NearMiss<JournalSummary>[]>;
  readonly clear: () => void;
  /** Replaces all entries, oldest first. The next request gets the number after `lastNumber`. */
  readonly load: (entries: LogItems<Recorded>, lastNumber: number, epoch?: number) => void;
  /** The newest of some entries that fit into the journal, oldest first. */
  readonly fitInSteps: (entries: readonly JournalEntry[]) => Generator<undefined, LogItems<JournalEntry>>;
  readonly release: (why: WaitResult) => void;
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  readonly heldBytes: () => number;
  readonly dropped: () => number;
  /** The limit that caused the latest drop. */
  readonly droppedBy: () => DropLimit | null;
  /** The number of the latest request, even if it was dropped. */
  readonly lastNumber: () => number;
};

/** @param onAdded called with every request after it was added */
export const createJournal = (
  shared: StoreResources = createUnsharedResources(),
  onAdded: (summary: () => JournalSummary) => void = () => undefined,
): Journal => {
  const bounds = { limit: limits.journalRequests, maxBytes: limits.journalBytes, sizeOf: entryBytes };
  const log = createBoundedLog<Recorded>(bounds, shared);
  // Formatted and redacted only now that it is read.
  const entry = (recorded: Recorded): JournalEntry =>
    'id' in recorded ? recorded : entryOf(idOf(recorded), recorded, shared.secrets);
  const summary = (recorded: Recorded): JournalSummary =>
    'id' in recorded ? toSummary(recorded) : summaryOf(idOf(recorded), recorded, shared.secrets);
  const numbers = createIdNumbers();
  let previous: RecordedRequest | undefined;
  const recordedSince = (since?: string): Recorded[] =>
    log.page(() => true, { since, limit: Number.POSITIVE_INFINITY }).items;
  const pageInSteps = function* (filter: JournalFilter = {}, range?: Range) {
    const { items, ...rest } = yield* log.pageInSteps(matching(filter), range);
    return { requests: lazily(items, summary), ...rest };
  };
  return {
    add: (recorded) => {
      recorded.number = numbers.next();
      numbers.use(recorded.number);
      if (previous) shareStrings(previous, recorded);
      previous = recorded;
      log.add(recorded);
      onAdded(() => summary(recorded));
    },
    get: (id) => {
      const recordedRequest = log.find((recorded) => idOf(recorded) === id);
      return recordedRequest && entry(recordedRequest);
    },
    latest: () => {
      const recordedRequest = log.latest();
      return recordedRequest && entry(recordedRequest);
    },
    all: () => log.all().map(entry),
    each: () => lazily(log.all(), entry),
    page: (filter, range) => {
      const { requests, ...rest } = runAtOnce(pageInSteps(filter, range));
      return { requests: [...requests], ...rest };
    },
    pageInSteps,
    count: (filter = {}, since) => log.count(matching(filter), since),
    wait: (filter, options) => log.wait(matching(filter), options),
    *nearMissesInSteps(filter, since) {
      const misses = yield* nearMissesInSteps(recordedSince(), recordedSince(since), failedFilters(filter));
      return misses.map(({ item, failed }) => ({ item: summary(item), failed }));
    },
    clear: log.clear,
    fitInSteps: log.fitInSteps,
    load: (entries, lastNumber, epoch) => {
      numbers.restart(lastNumber);
      log.load(entries, epoch);
    },
    release: log.release,
    dropOldest: log.dropOldest,
    size: log.size,
    heldBytes: log.heldBytes,
    dropped: log.dropped,
    droppedBy: log.droppedBy,
    lastNumber: numbers.last,
  };
};

/** Shares texts that a client repeats in every request: a thousand copies of the same headers slow down garbage collection. */
const shareStrings = (previous: RecordedRequest, recorded: RecordedRequest): void => {
  if (previous.url === recorded.url) recorded.url = previous.url;
  const { rawHeaders } = previous;
  if (rawHeaders.length !== recorded.rawHeaders.length) return;
  for (let at = 0; at < rawHeaders.length; at += 1) if (rawHeaders[at] !== recorded.rawHeaders[at]) return;
  recorded.rawHeaders = rawHeaders;
};

const idOf = (recorded: Recorded): string => ('id' in recorded ? recorded.id : requestId(recorded.number));

const requestId = (number: number): string => `req_${zeroPad(number)}`;

const toSummary = ({ request: _request, response: _response, ...summary }: JournalEntry): JournalSummary =>
  summary;

// Bytes of memory for each request and each header, in addition to their texts.
const overhead = 400;
const headerOverhead = 48;

/** Bytes of memory that a request takes. */
export const entryBytes = (recorded: Recorded): number => {
  let sum = overhead + (recorded.why === null ? 0 : textBytes(recorded.why.what));
  if ('id' in recorded) {
    const { path, request, response } = recorded;
    sum += textBytes(path) + textBytes(request.body) + textBytes(response.body);
    return sum + headerBytes(request.headers) + headerBytes(response.headers);
  }
  const { url, requestBody, responseBody, rawHeaders, headers } = recorded;
  for (const text of rawHeaders) sum += headerOverhead + textBytes(text);
  return sum + textBytes(url) + textBytes(requestBody) + textBytes(responseBody) + headerBytes(headers);
};

const headerBytes = (headers: Readonly<Record<string, unknown>>): number => {
  let sum = 0;
  for (const name in headers) {
    const value = headers[name];
    sum +=
      2 * headerOverhead + textBytes(name) + textBytes(typeof value === 'string' ? value : String(value));
  }
  return sum;
};

/** The filters a request does not pass. */
const failedFilters = (filter: RequestFilter): ((recorded: Recorded) => readonly string[]) => {
  const names = (['operation', 'method', 'path', 'status'] as const).filter(
    (name) => filter[name] !== undefined,
  );
  const tests = names.map((name) => ({ name, passes: matching({ [name]: filter[name] }) }));
  return (recorded) => tests.filter(({ passes }) => !passes(recorded)).map(({ name }) => name);
};

const matching = (filter: JournalFilter): ((recorded: Recorded) => boolean) => {
  const { operation } = filter;
  const status = String(filter.status ?? '');
  const method = filter.method?.toUpperCase();
  const matchesPath = filter.path?.includes('{')
    ? pathMatcher(filter.path)
    : (path: string) => path === filter.path;
  const statusClass = /^[1-5]xx$/i.test(status) ? Number(status[0]) : undefined;
  return (recorded) => {
    return (
      filter.search?.(recorded) !== false &&
      (filter.unmatched !== true || (recorded.why !== null && unmatchedCodes.has(recorded.why.code))) &&
      (operation === undefined || recorded.operation === operation) &&
      (method === undefined || recorded.method === method) &&
      (filter.path === undefined || matchesPath(pathOf(recorded).split('?', 1)[0] ?? '')) &&
      (statusClass === undefined || Math.floor(recorded.status / 100) === statusClass) &&
      (statusClass !== undefined || status === '' || String(recorded.status) === status)
    );
  };
};
