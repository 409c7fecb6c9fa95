// All in real time: the mock must keep it when the app under test, in the same process, uses fake timers. So it never reads the
// global timers at run time. The exports of `node:timers` stay real, however often the globals are replaced.
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

export {
  clearInterval as stopInterval,
  clearTimeout as stopTimer,
  setImmediate as nextTurn,
  setInterval as startInterval,
  setTimeout as startTimer,
} from 'node:timers';

/** Milliseconds, with fractions, since the process began. */
export const elapsedMs: () => number = performance.now.bind(performance);

const isNative = (method: () => unknown): boolean =>
  /\[native code\]/.test(Function.prototype.toString.call(method));

const now = Date.now;

/** Real time in milliseconds since 1970. Does not use a `Date` that was already faked when this module was loaded. */
export const wallMs: () => number = isNative(now)
  ? () => now()
  : () => Math.floor(performance.timeOrigin + elapsedMs());

/** Real time, ISO 8601 in UTC. */
export const timeNow = (): string => new Date(wallMs()).toISOString();

/** Starts a stopwatch. The returned function gives the seconds since then. */
export const stopwatch = (): (() => number) => {
  const started = elapsedMs();
  return () => (elapsedMs() - started) / 1000;
};

/**
 * @param holdsProcess whether the process stays alive meanwhile
 * @returns whether the signal was aborted before the time was over
 */
export const pause = (ms: number, signal: AbortSignal | null, holdsProcess = true): Promise<boolean> =>
  new Promise((resolve) => {
    const finish = (isAborted: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(isAborted);
    };
    const onAbort = (): void => finish(true);
    const timer = setTimeout(() => finish(false), ms);
    if (!holdsProcess) timer.unref();
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
