import type { Message, MessageFilter } from './message.ts';
import { mentions } from './message-text.ts';
import { createShelf, type Range, type Shared, unshared } from './shelf.ts';
import type { WaitEnd, WaitOptions } from './waiters.ts';

export type { Message, MessageFilter };

export type MessagePage = {
  readonly messages: Message[];
  readonly total: number;
  /** For `since`: what comes later is new. */
  readonly cursor: string;
};

export type MessageWait = WaitOptions & { readonly since?: string | undefined };

/** The messages of one workspace, bounded by number and by size: the oldest are dropped. */
export type Outbox = {
  readonly add: (message: Message) => void;
  readonly get: (id: string) => Message | undefined;
  readonly latest: () => Message | undefined;
  /** Newest first. */
  readonly list: (filter?: MessageFilter) => Message[];
  /** The same in pages. */
  readonly page: (filter?: MessageFilter, range?: Range) => MessagePage;
  /** Resolves when enough messages are there; `met` means that `page` has them. */
  readonly wait: (filter: MessageFilter, options?: MessageWait) => Promise<WaitEnd>;
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
  /** These instead, oldest first. */
  readonly load: (messages: readonly Message[], epoch?: number) => void;
  readonly release: (why: WaitEnd) => void;
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  /** How many were dropped because the outbox was full, since the last clear. */
  readonly dropped: () => number;
};

// Beyond any sensible test, and small enough that a client in a loop does not fill the memory of a machine.
const mostCharacters = 64 * 1024 * 1024;

export const createOutbox = (
  limit: number,
  shared: Shared = unshared(),
  characters = mostCharacters,
): Outbox => {
  const shelf = createShelf<Message>({ limit, characters, sizeOf }, shared);
  const get = (id: string): Message | undefined => shelf.find((message) => message.id === id);
  return {
    ...shelf,
    get,
    list: (filter = {}) => shelf.page(matching(filter), { limit: Number.POSITIVE_INFINITY }).items,
    page: (filter = {}, range) => {
      const { items, ...rest } = shelf.page(matching(filter), range);
      return { messages: items, ...rest };
    },
    wait: (filter, options) => shelf.wait(matching(filter), options),
    remove: (id) => {
      const message = get(id);
      if (message) shelf.remove(message);
      return message !== undefined;
    },
  };
};

// What every message costs beside its texts.
const overhead = 300;

const sizeOf = ({ html, subject, from, to, template_id, variables }: Message): number => {
  let sum =
    overhead + lengthOf(html) + lengthOf(subject) + lengthOf(from) + lengthOf(to) + lengthOf(template_id);
  for (const name in variables) sum += name.length + lengthOf(variables[name]);
  return sum;
};

const lengthOf = (text: string | null | undefined): number => text?.length ?? 0;

const matching =
  (filter: MessageFilter) =>
  (message: Message): boolean =>
    failedFilters(message, filter).length === 0;

/** The filters a message does not pass. */
export const failedFilters = (message: Message, filter: MessageFilter): (keyof MessageFilter)[] =>
  (['to', 'from', 'subject', 'template_id', 'q'] as const).filter((field) => {
    const wanted = filter[field];
    if (wanted === undefined) return false;
    return field === 'q' ? !mentions(message, wanted) : !fits(field, message[field], wanted);
  });

// Addresses and ids are compared whole, without regard to case for addresses; a subject by what it contains.
const fits = (field: Exclude<keyof MessageFilter, 'q'>, value: string | null, wanted: string): boolean => {
  if (value === null) return false;
  if (field === 'template_id') return value === wanted;
  if (field === 'subject') return value.toLowerCase().includes(wanted.toLowerCase());
  return value.toLowerCase() === wanted.toLowerCase();
};
