// Functions that differ between Node.js and browsers. The builds for browsers use `platform.browser.ts` instead of this file.
// Not the global ones: a simulated browser may have others, or none.
export { URL } from 'node:url';
export { TextDecoder, TextEncoder } from 'node:util';

/** A copy of the first characters of a text: a slice would keep the whole text in memory. */
export const copyStart = (text: string, length: number): string =>
  Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
