// Whatever a text is made of, reading it takes time linear in its length. `npm run lint` holds that of every expression; these
// readers take a text apart in loops.
import { expect, test } from 'vitest';
import { createRedactor } from '../contract/redaction.ts';
import { messageInTest } from '../testing/message.ts';
import { isWhole } from '../testing/scale.ts';
import { contentsOf, digestOf } from './captured.ts';

const key = `sk_${'a'.repeat(7000)}b`;

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  contents: (html) => contentsOf({ ...messageInTest, html }),
  'snippet and warnings': (html) => digestOf({ ...messageInTest, html }),
  'redacted text': createRedactor([key, 'aaaaaaaaaaaaaaab', 'sk_live_%41"\\x']),
};

// `npm run proof` feeds each of them a megabyte.
const length = isWhole ? 1_000_000 : 48_000;
// What grows with the square takes ten times as long at least. The shortest of some runs is nearest to the work.
const [limitMs, attempts] = [length / 240, 40];

type Shape = { readonly start: string; readonly repeated: readonly string[]; readonly end: string };

// The ones that once took minutes.
const shapes: readonly Shape[] = [
  { start: 'http://a', repeated: [')'], end: 'a' },
  { start: '', repeated: ['<a href="'], end: '' },
  { start: '', repeated: ['<a>'], end: '</b>'.repeat(10_000) },
  { start: '<style>', repeated: ['url(//'], end: '' },
  { start: '<style>@import', repeated: [' '], end: 'x' },
  { start: '<style>', repeated: ['@font-face{'], end: '' },
  { start: '', repeated: ['a'], end: '...' },
  { start: '', repeated: ['\\', ';', '<a href'], end: '' },
  { start: '', repeated: ['{{a '], end: '' },
  { start: '<b>', repeated: ['<p>'], end: '</p></b>'.repeat(5000) },
  { start: '', repeated: ['%25'], end: '' },
  { start: '"', repeated: ['\\"', '1e'], end: '' },
  { start: '', repeated: ['<!--', '<a "'], end: '' },
  { start: '', repeated: ['&amp;'], end: '' },
];

const write = ({ start, repeated, end }: Shape): string => {
  const unit = repeated.join('');
  return start + unit.repeat(Math.ceil(length / unit.length)) + end;
};

/** Milliseconds of the processor: what else the machine does is no work of the reader. */
const workOf = (read: (text: string) => unknown, text: string): number => {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

test.each(Object.entries(readers))('the work grows as the text does: %s', (_, read) => {
  const isFast = (text: string) => Array.from({ length: attempts }).some(() => workOf(read, text) < limitMs);
  expect(shapes.filter((shape) => !isFast(write(shape)))).toEqual([]);
});
