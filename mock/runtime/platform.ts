// What Node.js and browsers do in different ways. The builds for browsers have `platform.browser.ts` in place of this file.
import { METHODS } from 'node:http';

export { performance } from 'node:perf_hooks';
// The mock is a server, and stays one when the app under test, in the same process, gets fake timers: it never looks up the
// global ones when it needs them. The exports of `node:timers` stay what they were too, however often the globals are replaced.
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';
// Not those of a simulated browser.
export { URL } from 'node:url';
export { TextDecoder } from 'node:util';

/** The methods of HTTP. */
export const methods: readonly string[] = METHODS;

/** The first characters of a text. A copy: a part of a text keeps all of it in memory. */
export const copyStart = (text: string, length: number): string =>
  Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
