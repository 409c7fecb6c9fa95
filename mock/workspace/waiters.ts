import { runInSteps, startTimer, stopTimer } from '../runtime/timers.ts';

/** The result of a wait. */
export type WaitResult =
  | 'matched'
  | 'timeout'
  | 'reset'
  | 'dropped'
  | 'stopping'
  | 'client-closed'
  | 'limit-reached';

export type WaitOptions = {
  /** Number of matching items to wait for; 1 by default. */
  readonly count?: number;
  /** 10,000 by default; unlimited if it exceeds the range of a timer. */
  readonly timeoutMs?: number;
  /** Aborts the wait when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
};

/** Limit of open waits and event streams, shared by all workspaces of a mock. */
export type ConnectionLimit = { used: number; readonly max: number };

/** An item that does not match, with the filters it fails; `since` means that it is older than the cursor. */
export type NearMiss<Item> = { readonly item: Item; readonly failed: readonly string[] };

const maxNearMisses = 5;

/** The items that fail the fewest filters, in their order. An item older than the cursor fails `since` like a filter. */
export function* nearMissesInSteps<Item>(
  items: readonly Item[],
  afterCursor: readonly Item[],
  failedFilters: (item: Item) => readonly string[],
): Generator<undefined, NearMiss<Item>[]> {
  const newItems = new Set(afterCursor);
  const misses: NearMiss<Item>[] = [];
  for (const item of items) {
    misses.push({ item, failed: [...failedFilters(item), ...(newItems.has(item) ? [] : ['since'])] });
    yield;
  }
  return misses.sort((a, b) => a.failed.length - b.failed.length).slice(0, maxNearMisses);
}

type Waiters<Item> = {
  /**
   * Resolves as soon as there are enough items.
   * @param matches whether an arriving item counts
   * @param countInSteps counts the current items; called again before the wait ends, because items may have been removed
   */
  readonly wait: (
    matches: (item: Item) => boolean,
    countInSteps: () => Generator<undefined, number>,
    options?: WaitOptions,
  ) => Promise<WaitResult>;
  /** Passes a new item to all open waits. */
  readonly notify: (item: Item) => void;
  readonly release: (reason: WaitResult) => void;
};

// Timers have 32 bits: a longer timeout would fire at once.
const maxTimerMs = 2 ** 31 - 1;

type Waiter<Item> = { readonly notify: (item: Item) => void; readonly end: (result: WaitResult) => void };

export const createWaiters = <Item>(connectionLimit: ConnectionLimit): Waiters<Item> => {
  const waiting = new Set<Waiter<Item>>();
  const enqueue = (
    matches: (item: Item) => boolean,
    countPresent: () => Promise<number>,
    { count = 1, timeoutMs = 10_000, signal }: WaitOptions,
  ): Promise<WaitResult> =>
    new Promise((resolve) => {
      // Counts arrivals: a thousand waits must not search a thousand messages for each new one.
      let matching = 0;
      let arrived = 0;
      let isCounting = false;
      const end = (result: WaitResult): void => {
        if (!waiting.delete(waiter)) return;
        connectionLimit.used -= 1;
        if (timer) stopTimer(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(result);
      };
      const check = async (): Promise<void> => {
        if (isCounting) return;
        isCounting = true;
        do {
          arrived = 0;
          matching = await countPresent();
          if (matching >= count) end('matched');
          matching += arrived;
        } while (matching >= count && waiting.has(waiter));
        isCounting = false;
      };
      const notify = (item: Item): void => {
        if (!waiting.has(waiter) || !matches(item)) return;
        arrived += 1;
        matching += 1;
        if (matching >= count) void check();
      };
      const onAbort = (): void => end('client-closed');
      // The latest arrivals may not have been counted yet.
      const onTimeout = (): void =>
        void countPresent().then((present) => end(present >= count ? 'matched' : 'timeout'));
      const timer = timeoutMs > maxTimerMs ? undefined : startTimer(onTimeout, timeoutMs);
      const waiter: Waiter<Item> = { notify, end };
      waiting.add(waiter);
      connectionLimit.used += 1;
      signal?.addEventListener('abort', onAbort);
      void check();
    });
  const notifyInSteps = function* (item: Item): Generator<undefined, void> {
    for (const waiter of [...waiting]) {
      waiter.notify(item);
      yield;
    }
  };
  return {
    wait: async (matches, countInSteps, options = {}) => {
      const countPresent = () => runInSteps(countInSteps());
      if (options.signal?.aborted) return 'client-closed';
      if (connectionLimit.used < connectionLimit.max) return enqueue(matches, countPresent, options);
      return (await countPresent()) >= (options.count ?? 1) ? 'matched' : 'limit-reached';
    },
    notify: (item) => {
      if (waiting.size > 0) void runInSteps(notifyInSteps(item));
    },
    release: (reason) => {
      for (const waiter of [...waiting]) waiter.end(reason);
    },
  };
};
