import type { ServerResponse } from 'node:http';
import {
  clearInterval,
  clearTimeout,
  performance,
  setImmediate,
  setInterval,
  setTimeout,
} from './platform.ts';

/** Calls `run` after this many milliseconds of real time. */
export const startTimer: (run: () => void, ms: number) => NodeJS.Timeout = setTimeout;

export const stopTimer: (timer: NodeJS.Timeout) => void = clearTimeout;

/** Calls `run` repeatedly, at this interval of real time. */
export const startInterval: (run: () => void, ms: number) => NodeJS.Timeout = setInterval;

export const stopInterval: (timer: NodeJS.Timeout) => void = clearInterval;

/** Calls `run` in the next turn of the event loop. */
export const nextTurn: (run: () => void) => void = setImmediate;

/** Runs all steps without a pause. */
export const runAtOnce = <Result>(steps: Iterator<unknown, Result>): Result => {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
};

/** Maps a list, one item in each step. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Generator<undefined, Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}

/** Runs until a time, in ms, or until it is complete. Returns whether it is complete. */
type Work = (until: number) => boolean;

const sliceMs = 15;
const queue: Work[] = [];
let isScheduled = false;

/** Runs a slice of one work per turn of the event loop, because the code that awaits it takes time as well. */
const runSlice = (): void => {
  const work = queue.shift();
  isScheduled = work !== undefined;
  if (!work) return;
  nextTurn(runSlice);
  if (!work(elapsedMs() + sliceMs)) queue.push(work);
};

/** Runs steps in slices between turns of the event loop, so that requests are served meanwhile. All such work takes turns. */
export const runInSteps = <Result>(steps: Iterator<unknown, Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    queue.push((until) => {
      try {
        do {
          const step = steps.next();
          if (!step.done) continue;
          resolve(step.value);
          return true;
        } while (elapsedMs() < until);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    });
    if (!isScheduled) runSlice();
  });

/** Resolves in a later slice: for many callers that would otherwise continue in the same turn. */
export const takeTurn = (): Promise<void> => runInSteps([][Symbol.iterator]()) as Promise<void>;

/** Milliseconds, with fractions, since the process began. */
export const elapsedMs: () => number = performance.now.bind(performance);

const isNative = (method: () => unknown): boolean =>
  /\[native code\]/.test(Function.prototype.toString.call(method));

const now = Date.now;

/** Real time in milliseconds since 1970. Does not use a `Date` that was already faked when this module was loaded. */
export const wallMs: () => number = isNative(now)
  ? () => now()
  : () => Math.floor(performance.timeOrigin + elapsedMs());

/**
 * Calls `done` after a delay, or at once if the client closes the connection.
 * @param done receives whether the client closed the connection
 */
export const delayResponse = (
  ms: number,
  response: ServerResponse,
  done: (closed: boolean) => void,
): void => {
  const finish = (closed: boolean): void => {
    stopTimer(timer);
    response.off('close', onClose);
    done(closed);
  };
  const onClose = (): void => finish(true);
  // A delayed response must not keep a stopping process alive.
  const timer = startTimer(() => finish(false), ms).unref();
  response.once('close', onClose);
};

/** Real time, ISO 8601 in UTC. */
export const timeNow = (): string => isoTime(wallMs());

/** Starts a stopwatch. The returned function gives the seconds since then. */
export const stopwatch = (): (() => number) => {
  const started = elapsedMs();
  return () => (elapsedMs() - started) / 1000;
};

export const isoTime = (ms: number): string => new Date(ms).toISOString();
