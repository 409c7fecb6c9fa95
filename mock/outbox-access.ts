import { checkFields, text } from './check-fields.ts';
import type { MockWorkspace, OneOrMore } from './mock-workspace.ts';
import { failedFilters, type Message, type MessageFilter, type Outbox } from './outbox.ts';
import { waitedFor, waitedInVain } from './waited.ts';

/** The outbox of a workspace as a program uses it. */
export const outboxAccess = (open: () => Outbox): MockWorkspace['outbox'] => ({
  list: (filter) => structuredClone(open().list(checked(filter))),
  latest: (filter) => structuredClone(open().list(checked(filter))[0]),
  waitFor: async (given, options = {}) => {
    const outbox = open();
    const filter = checked(given);
    await waitedFor(
      (how) => outbox.wait(filter, how),
      options,
      () => missed(outbox, filter),
    );
    return structuredClone(outbox.list(filter)) as OneOrMore<Message>;
  },
  waitForNone: async (given, options = {}) => {
    const outbox = open();
    const filter = checked(given);
    const found = (): string => `${wanted(filter)} is ${named(outbox.list(filter))}`;
    await waitedInVain((how) => outbox.wait(filter, how), options, found);
  },
  clear: () => open().clear(),
});

const fields = { to: text, from: text, subject: text, template_id: text, q: text };

const checked = (filter: MessageFilter = {}): MessageFilter => {
  checkFields('a filter of messages', filter, fields);
  return filter;
};

const wanted = (filter: MessageFilter): string => `a message with ${JSON.stringify(filter)}`;

const missed = (outbox: Outbox, filter: MessageFilter): string => {
  const there = outbox.list();
  if (there.length === 0) return `${wanted(filter)}; the outbox is empty`;
  const near = there.sort(
    (one, other) => failedFilters(one, filter).length - failedFilters(other, filter).length,
  );
  return `${wanted(filter)}; of ${there.length} in the outbox the nearest are ${named(near)}`;
};

const mostNamed = 3;

const named = (messages: readonly Message[]): string =>
  messages
    .slice(0, mostNamed)
    .map(({ id, to, subject }) => `${id} to ${to ?? 'nobody'}${subject === null ? '' : ` "${subject}"`}`)
    .join(', ');
