import { rateLimit } from '../contract/schemas.ts';
import { elapsedMs } from '../runtime/timers.ts';

/** Counts the requests of a key, in windows of real time: a frozen clock must not keep a client from trying again. */
export type RateLimit = {
  /** Counts a request. */
  readonly take: () => {
    readonly isExceeded: boolean;
    readonly remaining: number;
    /** Whole seconds until the window ends. */
    readonly seconds: number;
  };
  readonly restart: () => void;
};

export const createRateLimit = (): RateLimit => {
  let end = 0;
  let count = 0;
  return {
    take: () => {
      const now = elapsedMs();
      if (now >= end) {
        end = now + rateLimit.seconds * 1000;
        count = 0;
      }
      count += 1;
      return {
        isExceeded: count > rateLimit.requests,
        remaining: Math.max(0, rateLimit.requests - count),
        seconds: Math.ceil((end - now) / 1000),
      };
    },
    restart: () => {
      end = 0;
    },
  };
};
