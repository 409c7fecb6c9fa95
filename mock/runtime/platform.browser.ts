// Replaces `platform.ts`, `node:timers` and `node:perf_hooks` in the builds for browsers: web standards only, as they are when this file is loaded.
import type * as node from './platform.ts';

const { performance, setTimeout, clearTimeout, setInterval, clearInterval, TextDecoder, TextEncoder, URL } =
  globalThis;
const setImmediate = (run: () => void): unknown => setTimeout(run, 0);

export {
  clearInterval,
  clearTimeout,
  performance,
  setImmediate,
  setInterval,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
};

export const copyStart: typeof node.copyStart = (text, length) => text.slice(0, length);
