import type { ServerResponse } from 'node:http';
import {
  clearInterval,
  clearTimeout,
  performance,
  setImmediate,
  setInterval,
  setTimeout,
} from './platform.ts';

/** Calls back after so many milliseconds of real time. */
export const startTimer: (run: () => void, ms: number) => NodeJS.Timeout = setTimeout;

export const stopTimer: (timer: NodeJS.Timeout) => void = clearTimeout;

/** Calls back again and again. */
export const startInterval: (run: () => void, ms: number) => NodeJS.Timeout = setInterval;

export const stopInterval: (timer: NodeJS.Timeout) => void = clearInterval;

/** Calls back in the next turn of the event loop. */
export const nextTurn: (run: () => void) => void = setImmediate;

/** Does work in steps at once. */
export const runAtOnce = <Result>(steps: Iterator<unknown, Result>): Result => {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
};

/** A list made of another one, item by item. */
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

/** Works until a time, or until it has ended: then true. */
type Work = (until: number) => boolean;

const sliceMs = 15;
const queue: Work[] = [];
let isScheduled = false;

/** One work in each turn of the event loop: what follows when it has ended takes time as well. */
const runSlice = (): void => {
  const work = queue.shift();
  isScheduled = work !== undefined;
  if (!work) return;
  nextTurn(runSlice);
  if (!work(elapsedMs() + sliceMs)) queue.push(work);
};

/** Does work in steps, and lets others have their turn in between. However much of such work there is, it takes turns. */
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

/** Resolves when it is the caller's turn: for many who are to go on at once. */
export const takeTurn = (): Promise<void> => runInSteps([][Symbol.iterator]()) as Promise<void>;

/** Milliseconds, with fractions, since the process began. */
export const elapsedMs: () => number = performance.now.bind(performance);

const isNative = (method: () => unknown): boolean =>
  /\[native code\]/.test(Function.prototype.toString.call(method));

const now = Date.now;

/** The time on the wall, in milliseconds since 1970. A Date that was fake before this module was loaded is of no use. */
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

/** The time on the wall, ISO 8601 in UTC. */
export const timeNow = (): string => isoTime(wallMs());

/** Seconds since it was started. */
export const stopwatch = (): (() => number) => {
  const started = elapsedMs();
  return () => (elapsedMs() - started) / 1000;
};

export const isoTime = (ms: number): string => new Date(ms).toISOString();
