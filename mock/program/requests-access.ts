import type { Journal, RequestFilter as JournalFilter } from '../journal.ts';
import { hopelessFilter } from '../request-filter.ts';
import { checkedRequestFilter } from './check-filters.ts';
import { namedRequests, wantedRequest } from './in-words.ts';
import type { MockWorkspace, OneOrMore, ReceivedRequest, RequestFilter } from './mock-workspace.ts';
import { received } from './received-request.ts';
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
    const found = (): string =>
      `${wantedRequest(given ?? {})} is ${namedRequests(journal.page(filter).requests)}`;
    await waitedInVain((how) => journal.wait(filter, how), options, found);
  },
  clear: () => open().clear(),
});

/** @throws Error for a filter that no request passes: a test that counts none would be content */
const checked = (given: RequestFilter | undefined, journal: Journal): JournalFilter => {
  const filter = checkedRequestFilter(given);
  const asText = { ...filter, status: filter.status === undefined ? undefined : String(filter.status) };
  const hopeless = hopelessFilter(asText, journal);
  if (hopeless) throw new TypeError(`${hopeless.name} ${hopeless.what}. ${hopeless.hint}`);
  return asText;
};

const list = (journal: Journal, filter: JournalFilter, limit = Number.POSITIVE_INFINITY): ReceivedRequest[] =>
  journal.page(filter, { limit }).requests.flatMap(({ id }) => {
    const entry = journal.get(id);
    return entry ? received(structuredClone(entry)) : [];
  });

const missed = (journal: Journal, filter: RequestFilter = {}): string => {
  const { requests, total } = journal.page();
  return total === 0
    ? `${wantedRequest(filter)}; there was no request`
    : `${wantedRequest(filter)}; of ${total} the latest are ${namedRequests(requests)}`;
};
