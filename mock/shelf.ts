import { readCursor, writeCursor } from './cursor.ts';
import { createWaiters, type Room, type WaitEnd, type WaitOptions } from './waiters.ts';

/** Characters held by all shelves of a mock together; `relieve` makes room where they are too many. */
export type Budget = { held: number; readonly most: number; relieve: () => void };

/** What the shelves of one workspace share with those of all others. */
export type Shared = {
  readonly budget: Budget;
  readonly room: Room;
  /** Keys that no journal may show, beside the one a request carries. */
  readonly secrets: readonly string[];
  /** A number nobody had before, for cursors: see `cursor.ts`. */
  readonly nextEpoch: () => number;
};

/** Shared by nobody, for a workspace that stands alone. */
export const unshared = (): Shared => {
  let epoch = 0;
  return {
    budget: { held: 0, most: Number.POSITIVE_INFINITY, relieve: () => undefined },
    room: { taken: 0, most: 1000 },
    secrets: [],
    nextEpoch: () => {
      epoch += 1;
      return epoch;
    },
  };
};

export type Bounds<Item> = {
  /** Items kept at most, and characters; the oldest are dropped. The newest stays however large it is. */
  readonly limit: number;
  readonly characters: number;
  /** The same every time it is asked of an item. */
  readonly sizeOf: (item: Item) => number;
};

export type Range = {
  readonly since?: string | undefined;
  readonly start?: number;
  readonly limit?: number;
};

export type Page<Item> = { readonly items: Item[]; readonly total: number; readonly cursor: string };

/** Items in the order they came, numbered, bounded, to be listed, found and waited for. */
export type Shelf<Item> = {
  readonly add: (item: Item) => void;
  readonly find: (wanted: (item: Item) => boolean) => Item | undefined;
  readonly latest: () => Item | undefined;
  /** Oldest first. */
  readonly all: () => Item[];
  /** Newest first. */
  readonly page: (matches: (item: Item) => boolean, range?: Range) => Page<Item>;
  readonly count: (matches: (item: Item) => boolean, since?: string) => number;
  readonly wait: (
    matches: (item: Item) => boolean,
    options?: WaitOptions & { readonly since?: string | undefined },
  ) => Promise<WaitEnd>;
  readonly remove: (item: Item) => void;
  readonly clear: () => void;
  /** These instead of what there was; cursors from before are void and those who wait are told so. */
  readonly load: (items: readonly Item[], epoch?: number) => void;
  readonly release: (why: WaitEnd) => void;
  /** Drops the oldest where more than `kept` would be left, 1 by default, and returns how many characters that freed. */
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  /** How many were dropped for lack of room since the last clear. */
  readonly dropped: () => number;
};

// Dropped from the front one by one, and cut off together: shifting a long array for each would cost more than all the rest.
const mostHoles = 1024;

export const createShelf = <Item>(
  { limit, characters, sizeOf }: Bounds<Item>,
  shared: Shared,
): Shelf<Item> => {
  const { budget, room } = shared;
  const waiters = createWaiters<Item>(room);
  // Side by side and not in an object for each item: what lives as long as an item does is copied by every collection.
  let items: (Item | undefined)[] = [];
  let numbers: number[] = [];
  let first = 0;
  let last = 0;
  let epoch = shared.nextEpoch();
  let held = 0;
  let dropped = 0;

  const size = (): number => items.length - first;
  const hold = (difference: number): void => {
    held += difference;
    budget.held += difference;
  };
  const dropOldest = (kept = 1): number => {
    const oldest = items[first];
    if (oldest === undefined || size() <= kept) return 0;
    items[first] = undefined;
    first += 1;
    dropped += 1;
    const freed = sizeOf(oldest);
    hold(-freed);
    if (first > mostHoles && first * 2 > items.length) {
      items = items.slice(first);
      numbers = numbers.slice(first);
      first = 0;
    }
    return freed;
  };
  const put = (item: Item): void => {
    last += 1;
    items.push(item);
    numbers.push(last);
    hold(sizeOf(item));
    while (size() > limit || (held > characters && size() > 1)) dropOldest();
  };
  const clear = (): void => {
    hold(-held);
    items = [];
    numbers = [];
    first = 0;
    dropped = 0;
  };
  const present = (): Item[] => items.slice(first) as Item[];
  const after = (since: string | undefined): Item[] => {
    const from = readCursor(since, epoch, last);
    return from === 0 ? present() : present().filter((_, index) => (numbers[first + index] ?? 0) > from);
  };
  const count = (matches: (item: Item) => boolean, since?: string): number =>
    after(since).reduce((sum, item) => sum + (matches(item) ? 1 : 0), 0);

  return {
    add: (item) => {
      put(item);
      if (budget.held > budget.most) budget.relieve();
      waiters.offer(item);
    },
    find: (wanted) => present().findLast(wanted),
    latest: () => (size() > 0 ? items.at(-1) : undefined),
    all: present,
    page: (matches, { since, start = 0, limit: most = 50 } = {}) => {
      const found = after(since).filter(matches).reverse();
      return {
        items: found.slice(start, start + most),
        total: found.length,
        cursor: writeCursor(epoch, last),
      };
    },
    count,
    wait: (matches, options = {}) => waiters.wait(matches, () => count(matches, options.since), options),
    remove: (item) => {
      const index = items.indexOf(item, first);
      if (index < 0) return;
      items.splice(index, 1);
      numbers.splice(index, 1);
      hold(-sizeOf(item));
    },
    clear,
    load: (others, next = shared.nextEpoch()) => {
      clear();
      epoch = next;
      last = 0;
      for (const item of others) put(item);
      if (budget.held > budget.most) budget.relieve();
      waiters.release('reset');
    },
    release: waiters.release,
    dropOldest,
    size,
    dropped: () => dropped,
  };
};
