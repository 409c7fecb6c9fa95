import { type Account, type Budget, createAccount } from '../runtime/limits.ts';
import { runAtOnce } from '../runtime/timers.ts';
import { type ConnectionLimit, createWaiters, type WaitOptions, type WaitResult } from './waiters.ts';

/**
 * A position in a log that clients keep: later items are new to them. It includes the epoch, because a reset restarts the
 * numbers: with a cursor from before the reset, all current items are new.
 */
export const writeCursor = (epoch: number, number: number): string => `${epoch}.${number}`;

/** The number in a cursor; 0 for a cursor of another epoch or beyond the last number. Items with higher numbers are new. */
const readCursor = (cursor: string | undefined, epoch: number, last: number): number => {
  const [of, number] = (cursor ?? '').split('.').map(Number);
  return of === epoch && number !== undefined && number <= last ? number : 0;
};

/** Resources shared by all workspaces. */
export type SharedResources = {
  readonly budget: Budget;
  readonly connectionLimit: ConnectionLimit;
  /** Keys that no journal may show, in addition to the key of each request. */
  readonly secrets: readonly string[];
  /** A new unique number for cursors: see `writeCursor`. */
  readonly nextEpoch: () => number;
};

/** Resources for the stores of one workspace, which share an account. */
export type StoreResources = SharedResources & { readonly account: Account };

/** For a workspace outside a registry. */
export const createUnsharedResources = (): StoreResources => {
  let epoch = 0;
  const budget = { held: 0, max: Number.POSITIVE_INFINITY, evict: () => undefined };
  return {
    budget,
    account: createAccount(budget),
    connectionLimit: { used: 0, max: 1000 },
    secrets: [],
    nextEpoch: () => {
      epoch += 1;
      return epoch;
    },
  };
};

type Bounds<Item> = {
  /** Highest number of items and bytes; the oldest are dropped. The newest item always stays. */
  readonly limit: number;
  readonly maxBytes: number;
  readonly sizeOf: (item: Item) => number;
};

export type Range = {
  readonly since?: string | undefined;
  readonly start?: number;
  readonly limit?: number;
};

type Page<Item> = { readonly items: Item[]; readonly total: number; readonly cursor: string };

/** The items that fit into a log, the bytes of each, and the number of older items that do not fit. */
export type LogItems<Item> = {
  readonly items: readonly Item[];
  readonly sizes: readonly number[];
  readonly bytes: number;
  readonly dropped: number;
};

/** The number of items, their bytes, or the bytes of the whole mock. */
export type DropLimit = 'count' | 'bytes' | 'total_bytes';

/** Numbered items in order of arrival, with a limit of count and size. They can be listed, found and waited for. */
type BoundedLog<Item> = {
  readonly add: (item: Item) => void;
  readonly find: (matches: (item: Item) => boolean) => Item | undefined;
  readonly latest: () => Item | undefined;
  /** Oldest first. */
  readonly all: () => Item[];
  /** Newest first. */
  readonly page: (matches: (item: Item) => boolean, range?: Range) => Page<Item>;
  /** As `page`, for the items at the time of the call, one in each step. */
  readonly pageInSteps: (matches: (item: Item) => boolean, range?: Range) => Generator<undefined, Page<Item>>;
  readonly count: (matches: (item: Item) => boolean, since?: string) => number;
  readonly wait: (
    matches: (item: Item) => boolean,
    options?: WaitOptions & { readonly since?: string | undefined },
  ) => Promise<WaitResult>;
  readonly remove: (item: Item) => void;
  readonly clear: () => void;
  /** The newest of some items that fit into the log, oldest first. */
  readonly fitInSteps: <Own extends Item>(items: readonly Own[]) => Generator<undefined, LogItems<Own>>;
  /** Replaces all items. Earlier cursors become invalid and open waits end. */
  readonly load: (items: LogItems<Item>, epoch?: number) => void;
  readonly release: (why: WaitResult) => void;
  /** Drops the oldest item if at least `kept` remain, 1 by default. Returns the number of bytes freed. */
  readonly dropOldest: (kept?: number) => number;
  readonly size: () => number;
  readonly heldBytes: () => number;
  /** Number of items dropped for lack of room since the last clear. */
  readonly dropped: () => number;
  /** The limit that caused the latest drop. */
  readonly droppedBy: () => DropLimit | null;
};

// Items are dropped from the front one by one, and the holes are removed together: shifting a long array each time is too slow.
const maxHoles = 1024;

export const createBoundedLog = <Item>(
  { limit, maxBytes, sizeOf }: Bounds<Item>,
  shared: StoreResources,
): BoundedLog<Item> => {
  const { account, connectionLimit } = shared;
  const waiters = createWaiters<Item>(connectionLimit);
  // Parallel arrays instead of an object per item: every garbage collection would copy these objects.
  let items: (Item | undefined)[] = [];
  let numbers: number[] = [];
  let sizes: number[] = [];
  let first = 0;
  let last = 0;
  let epoch = shared.nextEpoch();
  let held = 0;
  let dropped = 0;
  let droppedBy: DropLimit | null = null;

  const size = (): number => items.length - first;
  const adjustHeld = (difference: number): void => {
    held += difference;
    account.charge(difference);
  };
  const drop = (limitName: DropLimit, keep = 1): number => {
    const oldest = items[first];
    if (oldest === undefined || size() <= keep) return 0;
    items[first] = undefined;
    dropped += 1;
    droppedBy = limitName;
    const freed = sizes[first] ?? 0;
    adjustHeld(-freed);
    first += 1;
    if (first > maxHoles && first * 2 > items.length) {
      items = items.slice(first);
      numbers = numbers.slice(first);
      sizes = sizes.slice(first);
      first = 0;
    }
    return freed;
  };
  const append = (item: Item): void => {
    last += 1;
    items.push(item);
    numbers.push(last);
    const bytes = sizeOf(item);
    sizes.push(bytes);
    adjustHeld(bytes);
    while (size() > limit) drop('count');
    while (held > maxBytes && size() > 1) drop('bytes');
  };
  const clear = (): void => {
    adjustHeld(-held);
    items = [];
    numbers = [];
    sizes = [];
    first = 0;
    dropped = 0;
    droppedBy = null;
  };
  const currentItems = (): Item[] => items.slice(first) as Item[];
  const after = (since: string | undefined): Item[] => {
    const from = readCursor(since, epoch, last);
    return from === 0
      ? currentItems()
      : currentItems().filter((_, index) => (numbers[first + index] ?? 0) > from);
  };
  const pageInSteps = function* (
    matches: (item: Item) => boolean,
    { since, start = 0, limit: pageSize = 50 }: Range = {},
  ): Generator<undefined, Page<Item>> {
    const cursor = writeCursor(epoch, last);
    const items: Item[] = [];
    for (const item of after(since).reverse()) {
      if (matches(item)) items.push(item);
      yield;
    }
    return { items: items.slice(start, start + pageSize), total: items.length, cursor };
  };
  const countInSteps = function* (matches: (item: Item) => boolean, since?: string) {
    const { total } = yield* pageInSteps(matches, { since, limit: 0 });
    return total;
  };

  return {
    add: (item) => {
      append(item);
      account.settle();
      waiters.notify(item);
    },
    find: (matches) => currentItems().findLast(matches),
    latest: () => (size() > 0 ? items.at(-1) : undefined),
    all: currentItems,
    page: (matches, range) => runAtOnce(pageInSteps(matches, range)),
    pageInSteps,
    count: (matches, since) => runAtOnce(countInSteps(matches, since)),
    wait: (matches, options = {}) =>
      waiters.wait(matches, () => countInSteps(matches, options.since), options),
    remove: (item) => {
      const index = items.indexOf(item, first);
      if (index < 0) return;
      items.splice(index, 1);
      numbers.splice(index, 1);
      const [bytes = 0] = sizes.splice(index, 1);
      adjustHeld(-bytes);
    },
    clear,
    *fitInSteps(newItems) {
      const newSizes: number[] = [];
      let bytes = 0;
      let from = newItems.length;
      for (; from > 0 && newSizes.length < limit; from -= 1) {
        const itemBytes = sizeOf(newItems[from - 1] as Item);
        if (bytes + itemBytes > maxBytes && newSizes.length > 0) break;
        bytes += itemBytes;
        newSizes.push(itemBytes);
        yield;
      }
      return { items: newItems.slice(from), sizes: newSizes.reverse(), bytes, dropped: from };
    },
    load: (loaded, newEpoch = shared.nextEpoch()) => {
      clear();
      epoch = newEpoch;
      items = [...loaded.items];
      sizes = [...loaded.sizes];
      numbers = items.map((_, index) => loaded.dropped + index + 1);
      last = loaded.dropped + items.length;
      dropped = loaded.dropped;
      if (dropped > 0) droppedBy = items.length === limit ? 'count' : 'bytes';
      adjustHeld(loaded.bytes);
      waiters.release('reset');
    },
    release: waiters.release,
    dropOldest: (keep) => drop('total_bytes', keep),
    size,
    heldBytes: () => held,
    dropped: () => dropped,
    droppedBy: () => droppedBy,
  };
};
