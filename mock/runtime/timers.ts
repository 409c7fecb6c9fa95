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
