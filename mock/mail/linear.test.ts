// Whatever a text is made of, reading it takes time linear in its length.
import { expect, test } from 'vitest';
import { createRedactor } from '../contract/redaction.ts';
import { messageInTest } from '../testing/message.ts';
import { isWhole } from '../testing/scale.ts';
import { contentsOf, createTextSearch, digestOf } from './captured.ts';
import { createEml } from './eml.ts';
import type { Message } from './template.ts';
import { placeholdersOf, renderTemplate } from './template.ts';

const key = `sk_${'a'.repeat(7000)}b`;
const redact = createRedactor([key, 'aaaaaaaaaaaaaaab', 'sk_live_%41"\\x']);

const mail = (text: string): Message => ({
  ...messageInTest,
  from: text,
  to: text,
  subject: text,
  html: text,
});

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  contents: (text) => contentsOf(mail(text)),
  'snippet and warnings': (text) => digestOf(mail(text)),
  search: (text) => createTextSearch(text)(mail(text)),
  placeholders: placeholdersOf,
  template: (text) => renderTemplate(text, { a: text, '': 'x' }),
  'redacted text': redact,
  eml: (text) => createEml({ ...mail(''), html: text }),
  'eml with headers': (text) => createEml({ ...mail(text.slice(0, text.length / 8)), html: '' }),
};

// `npm run proof` feeds each of them a megabyte.
const length = isWhole ? 250_000 : 12_000;

type Shape = { readonly start: string; readonly repeated: readonly string[]; readonly end: string };

// The ones that once took minutes. `npm run lint` holds every expression against all texts.
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

const write = ({ start, repeated, end }: Shape, length: number): string => {
  const unit = repeated.join('');
  return start + unit.repeat(Math.ceil(length / unit.length)) + end;
};

/** Milliseconds of the processor: what else the machine does is no work of the reader. */
const workOf = async (read: (text: string) => unknown, text: string): Promise<number> => {
  const before = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

// Four times the text takes four times as long; sixteen times where the time grows with the square. The shortest of some runs
// is nearest to the work; what takes less than twenty milliseconds cannot be compared, because collecting garbage takes as long.
const generousRatio = 10;
const comparableMs = 20;
const attempts = 40;

const isLinear = async (read: (text: string) => unknown, shape: Shape): Promise<boolean> => {
  const [small, large] = [write(shape, length), write(shape, 4 * length)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    smallMs = Math.min(smallMs, await workOf(read, small));
    largeMs = Math.min(largeMs, await workOf(read, large));
    if (largeMs < generousRatio * Math.max(smallMs, comparableMs)) return true;
  }
  return false;
};

test.each(Object.keys(readers))('the work grows as the text does: %s', async (name) => {
  const slow: Shape[] = [];
  for (const shape of shapes) if (!(await isLinear(readers[name] ?? String, shape))) slow.push(shape);
  expect(slow).toEqual([]);
});
