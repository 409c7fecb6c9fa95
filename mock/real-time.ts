import { performance } from 'node:perf_hooks';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';

// The mock is a server, and stays one when the app under test, in the same process, gets fake timers: it never looks up the
// global ones when it needs them. The exports of `node:timers` stay what they were too, however often the globals are replaced.

/** Calls back after so many milliseconds of real time. */
export const startTimer: (run: () => void, ms: number) => NodeJS.Timeout = setTimeout;

export const stopTimer: (timer: NodeJS.Timeout) => void = clearTimeout;

/** Calls back again and again. */
export const startInterval: (run: () => void, ms: number) => NodeJS.Timeout = setInterval;

export const stopInterval: (timer: NodeJS.Timeout) => void = clearInterval;

/** Calls back in the next turn of the event loop. */
export const nextTurn: (run: () => void) => void = setImmediate;

/** Milliseconds, with fractions, since the process began. */
export const elapsedMs: () => number = performance.now.bind(performance);

const isNative = (method: () => unknown): boolean =>
  /\[native code\]/.test(Function.prototype.toString.call(method));

const now = Date.now;

/** The time on the wall, in milliseconds since 1970. A Date that was fake before this module was loaded is of no use. */
export const wallMs: () => number = isNative(now)
  ? () => now()
  : () => Math.floor(performance.timeOrigin + elapsedMs());
