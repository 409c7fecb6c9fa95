import { copyOf } from '../contract/document.ts';
import type { Answers } from '../generated/questions.ts';
import { runAtOnce } from '../runtime/timers.ts';
import {
  advanceChange,
  changeClock,
  checkMessageFilter,
  checkRequestFilter,
  freezeChange,
  toTimeText,
} from '../validation/arguments.ts';
import { checkRules } from '../validation/fault-rules.ts';
import { findUnknownFilterValue } from '../validation/request-filter.ts';
import { checkState } from '../validation/snapshot.ts';
import { type Clock, realTime } from '../workspace/clock.ts';
import type { Journal } from '../workspace/journal.ts';
import type { RequestFilter } from '../workspace/journal-entry.ts';
import type { Outbox } from '../workspace/outbox.ts';
import type { Item } from '../workspace/registry.ts';
import type { NearMiss } from '../workspace/waiters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  describeMessageFilter,
  describeMessages,
  describeMisses,
  describeRequestFilter,
  describeRequests,
  toCapturedMessage,
  toReceivedRequest,
  waitFor,
  waitForNone,
} from './wait.ts';
import type { CapturedMessage, MockWorkspace, OneOrMore, ReceivedRequest } from './workspace.ts';

/** Returns possible reasons why an item is missing. */
type Explain = (item: Item) => readonly string[];

/** The SDK's outbox of a workspace. */
const outboxAccess = (getOutbox: () => Outbox, explain: Explain): MockWorkspace['outbox'] => ({
  list: (filter) => getOutbox().list(checkMessageFilter(filter)).map(toCapturedMessage),
  latest: (filter) => getOutbox().list(checkMessageFilter(filter)).slice(0, 1).map(toCapturedMessage)[0],
  waitFor: async (requestedFilter, options = {}) => {
    const outbox = getOutbox();
    const filter = checkMessageFilter(requestedFilter);
    await waitFor(
      (waitOptions) => outbox.wait(filter, waitOptions),
      options,
      () =>
        describeMisses(
          describeMessageFilter(filter),
          describeMessages(itemsOf(runAtOnce(outbox.nearMissesInSteps(filter)))),
          explain('message'),
        ),
    );
    return outbox.list(filter).map(toCapturedMessage) as OneOrMore<CapturedMessage>;
  },
  waitForNone: async (requestedFilter, options = {}) => {
    const outbox = getOutbox();
    const filter = checkMessageFilter(requestedFilter);
    const describeFound = (): string =>
      `${describeMessageFilter(filter)} is ${describeMessages(outbox.list(filter))}`;
    await waitForNone((waitOptions) => outbox.wait(filter, waitOptions), options, describeFound);
  },
  clear: () => getOutbox().clear(),
});

const itemsOf = <Item>(misses: readonly NearMiss<Item>[]): Item[] => misses.map(({ item }) => item);

/** The SDK's journal of a workspace. */
const requestsAccess = (getJournal: () => Journal, explain: Explain): MockWorkspace['requests'] => ({
  list: (filter) => list(getJournal(), checkFilter(filter, getJournal())),
  latest: (filter) => list(getJournal(), checkFilter(filter, getJournal()), 1)[0],
  count: (filter) => getJournal().count(checkFilter(filter, getJournal())),
  waitFor: async (requestedFilter, options = {}) => {
    const journal = getJournal();
    const filter = checkFilter(requestedFilter, journal);
    await waitFor(
      (waitOptions) => journal.wait(filter, waitOptions),
      options,
      () =>
        describeMisses(
          describeRequestFilter(filter),
          describeRequests(itemsOf(runAtOnce(journal.nearMissesInSteps(filter)))),
          explain('request'),
        ),
    );
    return list(journal, filter) as OneOrMore<ReceivedRequest>;
  },
  waitForNone: async (requestedFilter, options = {}) => {
    const journal = getJournal();
    const filter = checkFilter(requestedFilter, journal);
    const describeFound = (): string =>
      `${describeRequestFilter(requestedFilter ?? {})} is ${describeRequests(journal.page(filter).requests)}`;
    await waitForNone((waitOptions) => journal.wait(filter, waitOptions), options, describeFound);
  },
  clear: () => getJournal().clear(),
});

/** @throws Error for a filter that no request can match: a test that expects no request would always pass */
const checkFilter = (requestedFilter: RequestFilter | undefined, journal: Journal): RequestFilter => {
  const filter = checkRequestFilter(requestedFilter);
  const unknownValue = findUnknownFilterValue(filter, journal);
  if (unknownValue) throw new TypeError(`${unknownValue.name} ${unknownValue.problem}. ${unknownValue.hint}`);
  return filter;
};

const list = (journal: Journal, filter: RequestFilter, limit = Number.POSITIVE_INFINITY): ReceivedRequest[] =>
  journal.page(filter, { limit }).requests.flatMap(({ id }) => {
    const entry = journal.get(id);
    return entry ? toReceivedRequest(copyOf(entry)) : [];
  });

/**
 * The SDK's workspace for programs in the same process. Arguments and results are copied: changing them does not change the
 * workspace.
 * @param getWorkspace called every time, because an unused workspace may be dropped
 * @param explain returns possible reasons why an item is not in the workspace
 * @param serverAnswers the answers of a workspace without overrides
 * @param refreshSeed reads the seed file again if it has changed. @throws Error for a file that cannot be read
 */
export const createLocalWorkspace = (
  apiKey: string,
  getWorkspace: () => Workspace,
  explain: Explain,
  serverAnswers: Answers,
  refreshSeed: () => void,
): MockWorkspace => ({
  apiKey,
  outbox: outboxAccess(() => getWorkspace().outbox, explain),
  requests: requestsAccess(() => getWorkspace().journal, explain),
  faults: {
    set: (rules) => getWorkspace().faults.replace(checkRules(copyOf([rules].flat()))),
    list: () => copyOf(getWorkspace().faults.list()),
    clear: () => getWorkspace().faults.replace([]),
  },
  clock: clockAccess(() => getWorkspace().clock),
  answers: {
    get: () => ({ ...serverAnswers, ...getWorkspace().answerOverrides.values() }),
    set: (changes) => getWorkspace().answerOverrides.change(changes),
  },
  seed: (data) => getWorkspace().reseed(checkState(copyOf(data))),
  state: () => copyOf(getWorkspace().exportState()),
  reset: () => {
    refreshSeed();
    getWorkspace().reset();
  },
});

/** The SDK's clock of a workspace. */
const clockAccess = (getClock: () => Clock): MockWorkspace['clock'] => ({
  now: () => getClock().reading(),
  freeze: (at) => changeClock(getClock(), freezeChange(at)),
  set: (time) =>
    changeClock(getClock(), { now: toTimeText('set', time), frozen: getClock().reading().frozen }),
  advance: (ms) => changeClock(getClock(), advanceChange(ms)),
  reset: () => getClock().restore(realTime),
});
