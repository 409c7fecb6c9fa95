import { startTimer, stopTimer } from '../runtime/timers.ts';
import { createMeter, lengthOf, type Meter, type Publish } from './store.ts';

/** Why a wait ended. */
export type WaitResult =
  | 'matched'
  | 'timeout'
  | 'reset'
  | 'dropped'
  | 'stopping'
  | 'client-closed'
  | 'limit-reached';

/** What a wait needs of an `AbortSignal`, whose global type not every consumer of the types has. */
export type Signal = {
  readonly aborted: boolean;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
  readonly removeEventListener: (type: 'abort', listener: () => void) => void;
};

type WaitOptions = {
  /** Number of matching items to wait for; 1 by default. */
  readonly count?: number;
  /** 10,000 by default. */
  readonly timeoutMs?: number;
  readonly since?: string | undefined;
  /** Aborts the wait when the client disconnects. */
  readonly signal?: Signal | undefined;
};

/** The number of open waits and event streams of the whole mock. */
export type Waiting = { count: number; readonly max: number };

/** A filter: each test has the name under which a near miss reports it. All must pass. */
export type Tests<Item> = readonly (readonly [name: string, passes: (item: Item) => boolean])[];

/** Prepares the tests of a filter once, for many items. */
export const testsOf = <Stored>(
  tests: Readonly<Record<string, (expected: never) => (item: Stored) => boolean>>,
  filter: object,
): Tests<Stored> =>
  Object.entries(tests).flatMap(([name, prepare]) => {
    const { [name]: expected } = filter as { readonly [name: string]: never };
    return expected === undefined ? [] : [[name, prepare(expected)] as const];
  });

export type Range = {
  readonly since?: string | undefined;
  readonly start?: number;
  readonly limit?: number;
};

export type Page<Item> = {
  /** Newest first. */
  readonly items: Item[];
  readonly total: number;
  /** The position after the newest item, for `since`. */
  readonly cursor: string;
  /** Number of items dropped for lack of room since the last clear. */
  readonly dropped: number;
};

/** The number of the latest item that arrived, for all logs that have it: the numbers go on after a reset. */
export type Arrivals = { last: number };

const maxNearMisses = 5;

type Waiter<Item> = { readonly notify: (item: Item) => void; readonly end: (result: WaitResult) => void };

/** Whether an item passes all tests. */
const passesAll = <Item>(tests: Tests<Item>, item: Item): boolean =>
  tests.every(([, passes]) => passes(item));

/** What a log takes: items with an id. */
export type Logged = { readonly id: string };

type LogSettings<Item> = {
  readonly bounds: { readonly count: number; readonly length: number };
  readonly waiting: Waiting;
  readonly meter: Meter;
  readonly publish: Publish;
  /** The id with a number. */
  readonly idOf: (number: number) => string;
  readonly arrivals?: Arrivals;
  /** Its first items, oldest first, of which the newest that fit are kept. They never arrive: no cursor is older. */
  readonly items?: readonly Item[];
  /** The number of the latest id. */
  readonly lastNumber?: number;
};

/** What a search needs of a log. */
type Source<Item> = Pick<LogSettings<Item>, 'waiting'> & {
  readonly arrivals: Arrivals;
  /** The items that pass, oldest first, each with the number of its arrival. */
  readonly find: (
    passes: (item: Item, number: number) => boolean,
  ) => (readonly [number: number, item: Item])[];
  /** The number of its newest item. */
  readonly last: () => number;
  readonly dropped: () => number;
  readonly waiters: Set<Waiter<Item>>;
};

const oldestFirst = ([left]: readonly [number, unknown], [right]: readonly [number, unknown]): number =>
  left - right;

/** Items can be listed and waited for: those of one log, or of several with the same arrivals. */
export type Search<Item> = ReturnType<typeof searchIn<Item>>;

export const searchIn = <Item>(sources: readonly [Source<Item>, ...Source<Item>[]]) => {
  const [first] = sources;
  const { arrivals, waiting } = first;
  /** The number in a cursor, a position that clients keep: later items are new to them. Of an earlier process, all items are. */
  const readCursor = (cursor = '-1'): number => (Number(cursor) <= arrivals.last ? Number(cursor) : -1);
  /** Oldest first. */
  const find: Source<Item>['find'] = (passes) =>
    sources.flatMap((source) => source.find(passes)).sort(oldestFirst);
  const matching = (tests: Tests<Item>, since?: string): Item[] => {
    const from = readCursor(since);
    return find((item, number) => number > from && passesAll(tests, item)).map(([, item]) => item);
  };
  return {
    page: (
      tests: Tests<Item> = [],
      { since, start = 0, limit = Number.POSITIVE_INFINITY }: Range = {},
    ): Page<Item> => {
      const found = matching(tests, since).reverse();
      return {
        items: found.slice(start, start + limit),
        total: found.length,
        cursor: String(Math.max(...sources.map(({ last }) => last()))),
        dropped: sources.reduce((sum, { dropped }) => sum + dropped(), 0),
      };
    },
    /** Resolves when enough items match; after `matched`, `page` returns them. */
    wait: (
      tests: Tests<Item>,
      { count: needed = 1, timeoutMs = 10_000, since, signal }: WaitOptions = {},
    ): Promise<WaitResult> =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve('client-closed');
        // Counts arrivals: a thousand waits must not search a thousand messages for each new one.
        let found = matching(tests, since).length;
        if (found >= needed) return resolve('matched');
        if (waiting.count >= waiting.max) return resolve('limit-reached');
        const end = (result: WaitResult): void => {
          if (!first.waiters.has(waiter)) return;
          for (const { waiters } of sources) waiters.delete(waiter);
          waiting.count -= 1;
          stopTimer(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(result);
        };
        const look = (item: Item): void => {
          if (!passesAll(tests, item)) return;
          found += 1;
          if (found < needed) return;
          // Some may have been removed.
          found = matching(tests, since).length;
          if (found >= needed) end('matched');
        };
        const onAbort = (): void => end('client-closed');
        const timer = startTimer(() => end('timeout'), timeoutMs);
        const waiter = { notify: look, end };
        for (const { waiters } of sources) waiters.add(waiter);
        waiting.count += 1;
        signal?.addEventListener('abort', onAbort);
      }),
    /** The items that fail the fewest tests, newest first, and these tests; `since` means that an item is older than the cursor. */
    nearest: (tests: Tests<Item>, since?: string) => {
      const from = readCursor(since);
      return find(() => true)
        .map(([number, item]) => ({
          item,
          failed: [
            ...tests.flatMap(([name, passes]) => (passes(item) ? [] : [name])),
            ...(number > from ? [] : ['since']),
          ],
        }))
        .reverse()
        .sort((a, b) => a.failed.length - b.failed.length)
        .slice(0, maxNearMisses);
    },
  };
};

/** Items in order of arrival, the newest of which are kept. They can be listed, found and waited for. */
export type Log<Item extends Logged> = ReturnType<typeof createLog<Item>>;

export const createLog = <Item extends Logged>({
  bounds,
  waiting,
  meter,
  publish,
  idOf,
  items: loaded = [],
  lastNumber: loadedNumber = 0,
  arrivals = { last: 0 },
}: LogSettings<Item>) => {
  const { add: count, held } = createMeter(meter);
  const waiters = new Set<Waiter<Item>>();
  // Parallel arrays instead of an object per item: every garbage collection would copy these objects.
  let items: Item[] = [];
  let numbers: number[] = [];
  let lengths: number[] = [];
  let last = 0;
  let lastNumber = loadedNumber;
  let dropped = 0;

  const append = (item: Item, number: number): void => {
    const length = lengthOf(item);
    items.push(item);
    numbers.push(number);
    lengths.push(length);
    count(length);
    // The newest item always stays.
    while (items.length > bounds.count || (held() > bounds.length && items.length > 1)) {
      items.shift();
      numbers.shift();
      count(-(lengths.shift() ?? 0));
      dropped += 1;
    }
  };
  for (const item of loaded) append(item, 0);
  const indexOf = (id: string): number => items.findLastIndex((item) => item.id === id);
  const notify = (item: Item, change: 'added' | 'updated'): void => {
    for (const waiter of [...waiters]) waiter.notify(item);
    publish({ change, id: item.id });
  };
  /** What a search needs of it. */
  const source: Source<Item> = {
    ...{ waiting, arrivals, waiters },
    find: (passes) =>
      items.flatMap((item, index) => {
        const number = numbers[index] as number;
        return passes(item, number) ? [[number, item] as const] : [];
      }),
    last: () => last,
    dropped: () => dropped,
  };
  return {
    source,
    ...searchIn([source]),
    /** Adds an item, whose id is the next one. */
    add: (item: Item): Item => {
      lastNumber += 1;
      arrivals.last += 1;
      last = arrivals.last;
      append(item, last);
      notify(item, 'added');
      return item;
    },
    /** Tells open waits and watchers that an item was changed in place. */
    changed: (item: Item): void => notify(item, 'updated'),
    get: (id: string): Item | undefined => items[indexOf(id)],
    latest: (): Item | undefined => items.at(-1),
    /** Oldest first. */
    all: (): Item[] => [...items],
    remove: (id: string): boolean => {
      const index = indexOf(id);
      if (index < 0) return false;
      items.splice(index, 1);
      numbers.splice(index, 1);
      count(-(lengths.splice(index, 1)[0] ?? 0));
      publish({ change: 'deleted', id });
      return true;
    },
    /** @returns the number of items that were deleted */
    clear: (): number => {
      const deleted = items.length;
      count(-held());
      items = [];
      numbers = [];
      lengths = [];
      dropped = 0;
      publish({ change: 'cleared' });
      return deleted;
    },
    /** Ends all waits. */
    release: (result: WaitResult): void => {
      for (const waiter of [...waiters]) waiter.end(result);
    },
    size: () => items.length,
    nextId: () => idOf(lastNumber + 1),
    /** The number of the latest id, even if its item was dropped. */
    lastNumber: () => lastNumber,
  };
};
