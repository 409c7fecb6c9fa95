import { type Clock, type ClockChange, realTime } from './clock.ts';
import type { Answers } from './generated/questions.ts';
import type { Journal, RequestFilter as JournalFilter } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { MockWorkspace, OneOrMore, RequestFilter, WaitForOptions } from './mock-workspace.ts';
import { failedFilters, type Message, type MessageFilter, type Outbox } from './outbox.ts';
import { hopelessFilter } from './request-filter.ts';
import type { Workspace } from './state.ts';
import { checkClockChange, checkRules, checkState } from './state-rules.ts';
import type { WaitEnd } from './waiters.ts';

/**
 * A workspace as a program in the same process uses it.
 * @param open asked at every call, as a workspace that nobody uses may be dropped
 * @param server the answers a workspace has where it has none of its own
 */
export const accessTo = (apiKey: string, open: () => Workspace, server: Answers): MockWorkspace => ({
  apiKey,
  outbox: {
    list: (filter) => copy(open().outbox.list(filter)),
    latest: (filter) => copy(open().outbox.list(filter)[0]),
    waitFor: async (filter = {}, options: WaitForOptions = {}) => {
      const { outbox } = open();
      await met(outbox.wait(filter, waitOf(options)), options, missedMessages(outbox, filter));
      return copy(outbox.list(filter)) as OneOrMore<Message>;
    },
    clear: () => open().outbox.clear(),
  },
  requests: {
    list: (filter) => requestsIn(open().journal, filter),
    count: (filter = {}) => {
      const { journal } = open();
      return journal.count(sensible(filter, journal));
    },
    waitFor: async (filter = {}, options: WaitForOptions = {}) => {
      const { journal } = open();
      const missed = missedRequests(journal, filter);
      await met(journal.wait(sensible(filter, journal), waitOf(options)), options, missed);
      return requestsIn(journal, filter) as OneOrMore<JournalEntry>;
    },
    clear: () => open().journal.clear(),
  },
  faults: {
    set: (rules) => open().faults.replace(checkRules(copy([rules].flat()))),
    list: () => copy(open().faults.list()),
    clear: () => open().faults.replace([]),
  },
  clock: {
    now: () => open().clock.reading(),
    freeze: (at) => change(open().clock, { now: timeOf(at), frozen: true }),
    set: (time) => {
      const { clock } = open();
      change(clock, { now: timeOf(time), frozen: clock.reading().frozen });
    },
    advance: (ms) => change(open().clock, { advance_ms: Math.round(ms) }),
    reset: () => open().clock.restore(realTime),
  },
  answers: {
    get: () => ({ ...server, ...open().ownAnswers.given() }),
    set: (changes) => open().ownAnswers.change(changes),
  },
  seed: (data) => open().reseed(checkState(copy(data))),
  state: () => copy(open().content()),
  reset: () => open().reset(),
});

// What is handed out, or taken in, is nobody else's: changing it must not change a workspace.
const copy = <Value>(value: Value): Value => structuredClone(value);

const change = (clock: Clock, wanted: ClockChange): void => checkClockChange(wanted)(clock);

const timeOf = (time: string | Date | undefined): string | undefined =>
  typeof time === 'object' ? time.toISOString() : time;

const asText = ({ status, ...filter }: RequestFilter): JournalFilter => ({
  ...filter,
  status: status === undefined ? undefined : String(status),
});

/** @throws Error for a filter that no request passes: a test that counts none would be content */
const sensible = (filter: RequestFilter, journal: Journal): JournalFilter => {
  const hopeless = hopelessFilter(asText(filter), journal);
  if (hopeless) throw new Error(`${hopeless.name} ${hopeless.what}. ${hopeless.hint}`);
  return asText(filter);
};

const requestsIn = (journal: Journal, filter: RequestFilter = {}): JournalEntry[] =>
  journal
    .page(sensible(filter, journal), { limit: Number.POSITIVE_INFINITY })
    .requests.flatMap(({ id }) => journal.get(id) ?? []);

const waitOf = ({ timeout = 10_000, count = 1 }: WaitForOptions): { timeoutMs: number; count: number } => ({
  timeoutMs: timeout,
  count,
});

const ended: Readonly<Record<Exclude<WaitEnd, 'met' | 'timeout'>, string>> = {
  reset: 'the workspace was reset meanwhile',
  dropped: 'the workspace was dropped: too many are in use',
  stopping: 'the mock was closed meanwhile',
  gone: 'the wait was given up',
  full: 'too many wait already',
};

/** @throws Error where the wait ended without what was waited for */
const met = async (
  wait: Promise<WaitEnd>,
  { timeout = 10_000, count = 1 }: WaitForOptions,
  missed: () => string,
): Promise<void> => {
  const how = await wait;
  if (how === 'met') return;
  const wanted = count === 1 ? '' : ` ${count} times`;
  throw new Error(how === 'timeout' ? `not there${wanted} within ${timeout} ms: ${missed()}` : ended[how]);
};

const mostNamed = 3;

const missedMessages = (outbox: Outbox, filter: MessageFilter) => (): string => {
  const there = outbox.list();
  const wanted = `a message with ${JSON.stringify(filter)}`;
  if (there.length === 0) return `${wanted}; the outbox is empty`;
  const near = there.sort(
    (one, other) => failedFilters(one, filter).length - failedFilters(other, filter).length,
  );
  const named = near
    .slice(0, mostNamed)
    .map(({ id, to, subject }) => `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` "${subject}"`}`);
  return `${wanted}; of ${there.length} in the outbox the nearest are ${named.join(', ')}`;
};

const missedRequests = (journal: Journal, filter: RequestFilter) => (): string => {
  const wanted = `a request with ${JSON.stringify(filter)}`;
  const { requests, total } = journal.page({}, { limit: mostNamed });
  if (total === 0) return `${wanted}; there was no request`;
  const named = requests.map(({ method, path, status }) => `${method} ${path} → ${status}`);
  return `${wanted}; of ${total} the latest are ${named.join(', ')}`;
};
