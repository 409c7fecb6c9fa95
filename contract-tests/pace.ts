import { setTimeout as wait } from 'node:timers/promises';
import { NoAnswer } from './no-answer.ts';

/** When the next request may leave: one queue for the whole run, first come, first served. */
export type Pace = {
  /** Ends when it is this request's turn. @throws NoAnswer when the run is interrupted before that */
  readonly turn: (signal?: AbortSignal) => Promise<void>;
  /** Lets nothing out for a while: a deployment that asks one request to wait means all of them. */
  readonly hold: (ms: number) => void;
};

/** @param interval milliseconds between two requests at least */
export const createPace = (interval = 0): Pace => {
  let freeAt = 0;
  let last: Promise<void> = Promise.resolve();

  const take = async (signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      if (signal?.aborted) throw new NoAnswer('interrupted', 'the run was interrupted', { unsent: true });
      const left = freeAt - performance.now();
      if (left <= 0) break;
      // Again afterwards: while this one waits, an answer to another may have asked for more.
      await wait(Math.ceil(left), undefined, signal ? { signal } : {}).catch(() => undefined);
    }
    freeAt = performance.now() + interval;
  };

  const turn: Pace['turn'] = (signal) => {
    const mine = last.then(() => take(signal));
    last = mine.catch(() => undefined); // who leaves the queue takes no turn
    return mine;
  };

  return {
    turn,
    hold: (ms) => {
      freeAt = Math.max(freeAt, performance.now() + ms);
    },
  };
};

/** Milliseconds between two requests for `5/s` or `90/m`; `undefined` for anything else. */
export const intervalOf = (rate: string): number | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,5})\/(s|m)$/.exec(rate.trim()) ?? [];
  const number = Number(count);
  return number > 0 ? (unit === 's' ? 1000 : 60_000) / number : undefined;
};
