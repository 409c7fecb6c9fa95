import { checkFields, text } from './check-fields.ts';
import type { Journal, RequestFilter as JournalFilter } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { MockWorkspace, OneOrMore, ReceivedRequest, RequestFilter } from './mock-workspace.ts';
import { hopelessFilter } from './request-filter.ts';
import { waitedFor, waitedInVain } from './waited.ts';

/** The journal of a workspace as a program uses it. */
export const requestsAccess = (open: () => Journal): MockWorkspace['requests'] => ({
  list: (filter) => list(open(), checked(filter, open())),
  latest: (filter) => list(open(), checked(filter, open()), 1)[0],
  count: (filter) => open().count(checked(filter, open())),
  waitFor: async (given, options = {}) => {
    const journal = open();
    const filter = checked(given, journal);
    await waitedFor(
      (how) => journal.wait(filter, how),
      options,
      () => missed(journal, given),
    );
    return list(journal, filter) as OneOrMore<ReceivedRequest>;
  },
  waitForNone: async (given, options = {}) => {
    const journal = open();
    const filter = checked(given, journal);
    const found = (): string => `${wanted(given)} is ${named(journal, filter)}`;
    await waitedInVain((how) => journal.wait(filter, how), options, found);
  },
  clear: () => open().clear(),
});

const status = {
  fits: (value: unknown) => /^([1-5]\d\d|[1-5]xx|0)$/i.test(String(value)),
  words: '503 or 5xx, or 0 where a connection fault left it without a reply',
};

const fields = { operation: text, method: text, path: text, status };

/** @throws Error for a filter that no request passes: a test that counts none would be content */
const checked = (filter: RequestFilter = {}, journal: Journal): JournalFilter => {
  checkFields('a filter of requests', filter, fields);
  const asText = { ...filter, status: filter.status === undefined ? undefined : String(filter.status) };
  const hopeless = hopelessFilter(asText, journal);
  if (hopeless) throw new TypeError(`${hopeless.name} ${hopeless.what}. ${hopeless.hint}`);
  return asText;
};

const list = (journal: Journal, filter: JournalFilter, limit = Number.POSITIVE_INFINITY): ReceivedRequest[] =>
  journal.page(filter, { limit }).requests.flatMap(({ id }) => {
    const entry = journal.get(id);
    return entry ? received(entry) : [];
  });

/** An entry of one's own, with what the request said in JSON. */
export const received = (entry: JournalEntry): ReceivedRequest => {
  const { request, ...rest } = structuredClone(entry);
  return { ...rest, request: { ...request, json: parsed(request.body) } };
};

const parsed = (body: string | null): unknown => {
  try {
    return body === null ? undefined : JSON.parse(body);
  } catch {
    return undefined; // another media type, broken, or cut
  }
};

const wanted = (filter: RequestFilter = {}): string => `a request with ${JSON.stringify(filter)}`;

const missed = (journal: Journal, filter: RequestFilter | undefined): string =>
  journal.size() === 0
    ? `${wanted(filter)}; there was no request`
    : `${wanted(filter)}; of ${journal.size()} the latest are ${named(journal)}`;

const mostNamed = 3;

const named = (journal: Journal, filter: JournalFilter = {}): string =>
  journal
    .page(filter, { limit: mostNamed })
    .requests.map((one) => `${one.method} ${one.path} → ${one.status}`)
    .join(', ');
