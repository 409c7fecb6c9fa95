import { failedFilters, type MessageFilter, type Outbox } from '../outbox.ts';
import { captured } from './captured-message.ts';
import { checkedMessageFilter } from './check-filters.ts';
import { namedMessages, wantedMessage } from './in-words.ts';
import type { CapturedMessage, MockWorkspace, OneOrMore } from './mock-workspace.ts';
import { waitedFor, waitedInVain } from './waited.ts';

/** The outbox of a workspace as a program uses it. */
export const outboxAccess = (open: () => Outbox): MockWorkspace['outbox'] => ({
  list: (filter) => open().list(checkedMessageFilter(filter)).map(captured),
  latest: (filter) => open().list(checkedMessageFilter(filter)).slice(0, 1).map(captured)[0],
  waitFor: async (given, options = {}) => {
    const outbox = open();
    const filter = checkedMessageFilter(given);
    await waitedFor(
      (how) => outbox.wait(filter, how),
      options,
      () => missed(outbox, filter),
    );
    return outbox.list(filter).map(captured) as OneOrMore<CapturedMessage>;
  },
  waitForNone: async (given, options = {}) => {
    const outbox = open();
    const filter = checkedMessageFilter(given);
    const found = (): string => `${wantedMessage(filter)} is ${namedMessages(outbox.list(filter))}`;
    await waitedInVain((how) => outbox.wait(filter, how), options, found);
  },
  clear: () => open().clear(),
});

const missed = (outbox: Outbox, filter: MessageFilter): string => {
  const there = outbox.list();
  if (there.length === 0) return `${wantedMessage(filter)}; the outbox is empty`;
  const near = there.sort(
    (one, other) => failedFilters(one, filter).length - failedFilters(other, filter).length,
  );
  return `${wantedMessage(filter)}; of ${there.length} in the outbox the nearest are ${namedMessages(near)}`;
};
