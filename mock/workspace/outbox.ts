import type { Message, MessageFilter } from '../mail/template.ts';
import { createTextSearch, foldCase, includesFolded, matchesAddress, maxTextLength } from '../mail/text.ts';
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
import { type NearMiss, nearMissesInSteps, type WaitOptions, type WaitResult } from './waiters.ts';

type MessagePage = {
  readonly messages: Message[];
  readonly total: number;
  /** The position after the newest item, for `since`. */
  readonly cursor: string;
};

type MessageWait = WaitOptions & { readonly since?: string | undefined };

/** The messages of one workspace, with a limit of count and size: the oldest are dropped. */
export type Outbox = {
  readonly add: (message: Message) => void;
  readonly get: (id: string) => Message | undefined;
  readonly latest: () => Message | undefined;
  /** Newest first. */
  readonly list: (filter?: MessageFilter) => Message[];
  /** One page of the messages, newest first. */
  readonly page: (filter?: MessageFilter, range?: Range) => MessagePage;
  readonly pageInSteps: (filter?: MessageFilter, range?: Range) => Generator<undefined, MessagePage>;
  /** Resolves when enough messages match; after `matched`, `page` returns them. */
  readonly wait: (filter: MessageFilter, options?: MessageWait) => Promise<WaitResult>;
  /** Near misses, for a wait that timed out. */
  readonly nearMissesInSteps: (
    filter: MessageFilter,
    since?: string,
  ) => Generator<undefined, NearMiss<Message>[]>;
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
  /** The newest of some messages that fit into the outbox, oldest first. */
  readonly fitInSteps: (messages: readonly Message[]) => Generator<undefined, LogItems<Message>>;
  /** Replaces all items. */
  readonly load: (messages: LogItems<Message>, epoch?: number) => void;
  readonly release: (why: WaitResult) => void;
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  readonly heldBytes: () => number;
  /** Number of messages dropped because the outbox was full, since the last clear. */
  readonly dropped: () => number;
  /** The limit that caused the latest drop. */
  readonly droppedBy: () => DropLimit | null;
};

export const createOutbox = (
  limit: number,
  shared: StoreResources = createUnsharedResources(),
  maxBytes: number = limits.outboxBytes,
): Outbox => {
  const log = createBoundedLog<Message>({ limit, maxBytes, sizeOf: messageBytes }, shared);
  const all = (since?: string): Message[] =>
    log.page(() => true, { since, limit: Number.POSITIVE_INFINITY }).items;
  const pageInSteps = function* (filter: MessageFilter = {}, range?: Range) {
    const { items, ...rest } = yield* log.pageInSteps(matching(filter), range);
    return { messages: items, ...rest };
  };
  const get = (id: string): Message | undefined => log.find((message) => message.id === id);
  return {
    ...log,
    get,
    list: (filter = {}) => log.page(matching(filter), { limit: Number.POSITIVE_INFINITY }).items,
    page: (filter, range) => runAtOnce(pageInSteps(filter, range)),
    pageInSteps,
    wait: (filter, options) => log.wait(matching(filter), options),
    nearMissesInSteps: (filter, since) => nearMissesInSteps(all(), all(since), failedFilters(filter)),
    remove: (id) => {
      const message = get(id);
      if (message) log.remove(message);
      return message !== undefined;
    },
  };
};

// Bytes of memory for each message, in addition to its texts.
const overhead = 400;
const variableOverhead = 48;

/** Bytes of memory that a message takes. */
export const messageBytes = ({
  html,
  subject,
  from,
  to,
  template_id,
  variables,
}: Partial<Message>): number => {
  let sum =
    overhead +
    textBytes(html) +
    textBytes(subject) +
    textBytes(from) +
    textBytes(to) +
    textBytes(template_id);
  // Its plain text, which is kept after the first search or list.
  sum += Math.min(textBytes(html), 2 * maxTextLength);
  for (const name in variables) sum += variableOverhead + textBytes(name) + textBytes(variables[name]);
  return sum;
};

type Test = readonly [field: keyof MessageFilter, passes: (message: Message) => boolean];

/** Prepares the tests of a filter once, for many messages. */
const testsOf = ({ to, from, subject, template_id, q }: MessageFilter): readonly Test[] => [
  ...addressTest('to', to),
  ...addressTest('from', from),
  ...subjectTest(subject),
  ...(template_id === undefined
    ? []
    : [['template_id', (message: Message) => message.template_id === template_id] as const]),
  ...(q === undefined ? [] : [['q', createTextSearch(q)] as const]),
];

// An address must match as a whole, ignoring case.
const addressTest = (field: 'to' | 'from', expected: string | undefined): readonly Test[] => {
  if (expected === undefined) return [];
  const searched = foldCase(expected);
  return [[field, (message) => message[field] !== null && matchesAddress(message[field], searched)]];
};

const subjectTest = (expected: string | undefined): readonly Test[] => {
  if (expected === undefined) return [];
  const searched = foldCase(expected);
  return [['subject', ({ subject }) => subject !== null && includesFolded(subject, searched)]];
};

const matching = (filter: MessageFilter): ((message: Message) => boolean) => {
  const tests = testsOf(filter);
  return (message) => tests.every(([, passes]) => passes(message));
};

/** Returns the names of the filters that a message does not match. */
const failedFilters = (filter: MessageFilter): ((message: Message) => readonly string[]) => {
  const tests = testsOf(filter);
  return (message) => tests.filter(([, passes]) => !passes(message)).map(([field]) => field);
};
