import { startTimer, stopTimer } from './real-time.ts';

/** How a wait ended: fulfilled, by time, because the workspace was reset or dropped or the mock stops, by the caller, or never begun. */
export type WaitEnd = 'met' | 'timeout' | 'reset' | 'dropped' | 'stopping' | 'gone' | 'full';

export type WaitOptions = {
  /** How many must be there; 1 by default. */
  readonly count?: number;
  /** 10,000 by default; without end where it is more than a timer can be set to. */
  readonly timeoutMs?: number;
  /** Ends the wait when whoever waits is gone. */
  readonly signal?: AbortSignal | undefined;
};

/** Room for those who wait or watch, shared by all workspaces of a mock. */
export type Room = { taken: number; readonly most: number };

export type Waiters<Item> = {
  /**
   * Resolves as soon as enough items are there.
   * @param matches whether an item that arrives counts
   * @param present how many are there now; asked again before the wait ends, as some may have gone meanwhile
   */
  readonly wait: (
    matches: (item: Item) => boolean,
    present: () => number,
    options?: WaitOptions,
  ) => Promise<WaitEnd>;
  /** Tells those who wait what arrived. */
  readonly offer: (item: Item) => void;
  readonly release: (why: WaitEnd) => void;
};

// Timers count in 32 bits: one that is set to more goes off at once.
const longestMs = 2 ** 31 - 1;

type Waiter<Item> = { readonly offer: (item: Item) => void; readonly end: (how: WaitEnd) => void };

export const createWaiters = <Item>(room: Room): Waiters<Item> => {
  const waiting = new Set<Waiter<Item>>();
  const hold = (
    matches: (item: Item) => boolean,
    present: () => number,
    count: number,
    { timeoutMs = 10_000, signal }: WaitOptions,
  ): Promise<WaitEnd> =>
    new Promise((resolve) => {
      let there = present();
      const gone = (): void => end('gone');
      const timer = timeoutMs > longestMs ? undefined : startTimer(() => end('timeout'), timeoutMs);
      const end = (how: WaitEnd): void => {
        if (!waiting.delete(waiter)) return;
        room.taken -= 1;
        if (timer) stopTimer(timer);
        signal?.removeEventListener('abort', gone);
        resolve(how);
      };
      // Counted, not looked for again: a thousand who wait must not search a thousand messages for each that comes.
      const offer = (item: Item): void => {
        if (!matches(item)) return;
        there += 1;
        if (there >= count) there = present();
        if (there >= count) end('met');
      };
      const waiter: Waiter<Item> = { offer, end };
      waiting.add(waiter);
      room.taken += 1;
      signal?.addEventListener('abort', gone);
    });
  return {
    wait: async (matches, present, options = {}) => {
      const { count = 1, signal } = options;
      if (present() >= count) return 'met';
      if (signal?.aborted) return 'gone';
      return room.taken >= room.most ? 'full' : hold(matches, present, count, options);
    },
    offer: (item) => {
      if (waiting.size > 0) for (const waiter of [...waiting]) waiter.offer(item);
    },
    release: (why) => {
      for (const waiter of [...waiting]) waiter.end(why);
    },
  };
};
