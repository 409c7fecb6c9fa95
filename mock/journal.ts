import { type Arrival, entryOf, type JournalEntry, type JournalSummary, summaryOf } from './journal-entry.ts';
import { numberAfter, padded } from './numbering.ts';
import { pathMatcher } from './path-pattern.ts';
import { createShelf, type Range, type Shared, unshared } from './shelf.ts';
import type { WaitEnd, WaitOptions } from './waiters.ts';

export type RequestFilter = {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** The path without its query, as it was called or as the contract writes it: `/api/v1/leads/{id}`. */
  readonly path?: string | undefined;
  /** A status like `503`, a class like `4xx`; `0` where a connection fault left the request without a reply. */
  readonly status?: string | undefined;
};

export type RequestPage = {
  readonly requests: JournalSummary[];
  readonly total: number;
  /** For `since`: what comes later is new. */
  readonly cursor: string;
};

export type RequestWait = WaitOptions & { readonly since?: string | undefined };

/** The requests one workspace received and what was answered, bounded by number and size: the oldest are dropped. */
export type Journal = {
  /** Takes over the object. Nothing of it is read or copied here: that is left to whoever looks. */
  readonly add: (arrival: Arrival) => void;
  readonly get: (id: string) => JournalEntry | undefined;
  readonly latest: () => JournalEntry | undefined;
  /** Oldest first, all of them in full. */
  readonly all: () => JournalEntry[];
  /** Newest first, without headers and bodies. */
  readonly page: (filter?: RequestFilter, range?: Range) => RequestPage;
  readonly count: (filter?: RequestFilter, since?: string) => number;
  /** Resolves when enough requests are there; `met` means that `page` has them. */
  readonly wait: (filter: RequestFilter, options?: RequestWait) => Promise<WaitEnd>;
  readonly clear: () => void;
  /** These instead, oldest first; the next request has the number after `lastNumber`. */
  readonly load: (entries: readonly JournalEntry[], lastNumber: number, epoch?: number) => void;
  readonly release: (why: WaitEnd) => void;
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  readonly dropped: () => number;
  /** Of the latest request, kept or not. */
  readonly lastNumber: () => number;
};

/** As it came, or as a state file has it. */
type Recorded = Arrival | JournalEntry;

const mostEntries = 1000;
const mostCharacters = 16 * 1024 * 1024;

/** @param added told of every request, after it was taken in */
export const createJournal = (
  shared: Shared = unshared(),
  added: (summary: () => JournalSummary) => void = () => undefined,
): Journal => {
  const bounds = { limit: mostEntries, characters: mostCharacters, sizeOf };
  const shelf = createShelf<Recorded>(bounds, shared);
  // Put into words, and rid of keys, only now that somebody looks.
  const entry = (recorded: Recorded): JournalEntry =>
    'id' in recorded ? recorded : entryOf(idOf(recorded), recorded, shared.secrets);
  const summary = (recorded: Recorded): JournalSummary =>
    'id' in recorded ? withoutSides(recorded) : summaryOf(idOf(recorded), recorded, shared.secrets);
  const isTaken = (number: number): boolean =>
    shelf.find((recorded) => idOf(recorded) === requestId(number)) !== undefined;
  let lastNumber = 0;
  let previous: Arrival | undefined;
  return {
    add: (arrival) => {
      arrival.number = numberAfter(lastNumber, isTaken);
      lastNumber = Math.max(lastNumber, arrival.number);
      if (previous) shareWith(previous, arrival);
      previous = arrival;
      shelf.add(arrival);
      added(() => summary(arrival));
    },
    get: (id) => {
      const found = shelf.find((recorded) => idOf(recorded) === id);
      return found && entry(found);
    },
    latest: () => {
      const found = shelf.latest();
      return found && entry(found);
    },
    all: () => shelf.all().map(entry),
    page: (filter = {}, range) => {
      const { items, ...rest } = shelf.page(matching(filter), range);
      return { requests: items.map(summary), ...rest };
    },
    count: (filter = {}, since) => shelf.count(matching(filter), since),
    wait: (filter, options) => shelf.wait(matching(filter), options),
    clear: shelf.clear,
    load: (entries, last, epoch) => {
      lastNumber = last;
      shelf.load(entries, epoch);
    },
    release: shelf.release,
    dropOldest: shelf.dropOldest,
    size: shelf.size,
    dropped: shelf.dropped,
    lastNumber: () => lastNumber,
  };
};

/** What a client repeats from request to request is kept once: a thousand times the same headers is a lot of memory to clean. */
const shareWith = (previous: Arrival, arrival: Arrival): void => {
  if (previous.url === arrival.url) arrival.url = previous.url;
  const { rawHeaders } = previous;
  if (rawHeaders.length !== arrival.rawHeaders.length) return;
  for (let at = 0; at < rawHeaders.length; at += 1) if (rawHeaders[at] !== arrival.rawHeaders[at]) return;
  arrival.rawHeaders = rawHeaders;
};

const idOf = (recorded: Recorded): string => ('id' in recorded ? recorded.id : requestId(recorded.number));

const requestId = (number: number): string => `req_${padded(number)}`;

const withoutSides = ({ request: _request, response: _response, ...summary }: JournalEntry): JournalSummary =>
  summary;

// What every request costs beside its bodies: its headers, mostly.
const overhead = 1000;

const sizeOf = (recorded: Recorded): number => {
  if ('id' in recorded)
    return overhead + (recorded.request.body?.length ?? 0) + (recorded.response.body?.length ?? 0);
  const { url, sent, replied } = recorded;
  return overhead + url.length + (sent?.length ?? 0) + (replied?.length ?? 0);
};

/** The filters a request does not pass. */
export const failedFilters = (request: JournalSummary, filter: RequestFilter): string[] =>
  (['operation', 'method', 'path', 'status'] as const).filter(
    (name) => filter[name] !== undefined && !matching({ [name]: filter[name] })(request),
  );

const matching = (filter: RequestFilter): ((recorded: Arrival | JournalSummary) => boolean) => {
  const { operation, status = '' } = filter;
  const method = filter.method?.toUpperCase();
  const fits = filter.path?.includes('{') ? pathMatcher(filter.path) : (path: string) => path === filter.path;
  const hundreds = /^[1-5]xx$/i.test(status) ? Number(status[0]) : undefined;
  return (recorded) => {
    const path = 'id' in recorded ? recorded.path : recorded.url;
    return (
      (operation === undefined || recorded.operation === operation) &&
      (method === undefined || recorded.method === method) &&
      (filter.path === undefined || fits(path.split('?', 1)[0] ?? '')) &&
      (hundreds === undefined || Math.floor(recorded.status / 100) === hundreds) &&
      (hundreds !== undefined || status === '' || String(recorded.status) === status)
    );
  };
};
