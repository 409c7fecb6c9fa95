import { setTimeout } from 'node:timers/promises';

/** The time of a run, in milliseconds since some moment, and how the run lets time pass. */
export type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
};

/** A clock for a target whose time can be advanced: nothing waits for time that it can skip. */
export const skippingClock = (advance: (ms: number) => void): Clock => {
  let skippedMs = 0;
  return {
    now: () => performance.now() + skippedMs,
    wait: async (ms) => {
      skippedMs += ms;
      advance(ms);
    },
  };
};
