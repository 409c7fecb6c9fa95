import { expect, test } from 'vitest';
import { describeDifference, describeValue } from '../exchange/describe.ts';
import { isTimestamp, timeOf } from '../facts/timestamp.ts';
import { initially, possibleWrites, type Register, write } from '../model/register.ts';

const long = 'ab'.repeat(150);
const lateBlank = expect.stringMatching(/b b"$/);
const sent = 'called Contract test 0a1b2c3d-7 note';

test.each([
  ['a text of this run', 'Contract Test 0a1b2c3d-7', '"Contract Test 0a1b2c3d-7"'],
  ['nothing', '', '""'],
  ['a mistyped text', 'called Contrcat test 0a1b2c3d-7 note', '"called Contrcat test 0a1b2c3d-7 note"'],
  ['a text that was cut', 'called Contr', '"called Contr"'],
  ['somebody else', 'called Mrs Jones, wants a refund', 'a different text of 32 characters'],
  ['a short one', 'called', 'a different text of 6 characters'],
])('%s', (_, came, shown) => {
  expect(describeValue(came, sent)).toBe(shown);
});

test.each([
  ['what looks different stays', 'Zoë', 'Zoe', '"Zoë"', '"Zoe"'],
  ['a decomposed letter', 'Zoe\u0301 é', 'Zo\u00e9 é', '"Zoe\\u0301 é"', '"Zo\\u00e9 é"'],
  ['a blank that does not break', 'a\u00a0b ü', 'a b ü', '"a\\u00a0b ü"', '"a b ü"'],
  ['line breaks', 'a\r\nb', 'a\nb', '"a\\r\\nb"', '"a\\nb"'],
  [
    'a late difference',
    `${long}ü${long}`,
    `${long}u`,
    `(after 300 equal characters) "…${'ab'.repeat(10)}ü${'ab'.repeat(88)}a…`,
    `"…${'ab'.repeat(10)}u"`,
  ],
  ['a late blank', `${long}\u00a0b`, `${long} b`, expect.stringMatching(/b\\u00a0b"$/), lateBlank],
  ['what is no text', 'null', null, '"null"', 'null'],
])('%s', (_, expected, actual, shown, other) => {
  expect(describeDifference(expected, actual)).toEqual([shown, other]);
});

test.each<[string, string | undefined]>([
  ['2026-11-20T14:29:49.792Z', '2026-11-20T14:29:49Z'],
  ['2026-11-20T14:29:49,79+00:00', '2026-11-20T14:29:49Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  // No leap second, no such hour, a week, which clients do not read, and something after it.
  ...['2026-11-20T14:29:60Z', '2026-11-20T24:00:00Z', '2026-W47-5T14:29:49Z', '2026-11-20T14:29:49ZT'].map(
    (text): [string, undefined] => [text, undefined],
  ),
])('%s is %s in UTC', (text, instant) => {
  expect(isTimestamp(text)).toBe(instant !== undefined);
  expect(timeOf(text)).toBe(Date.parse(String(instant)));
});

test('a register forgets its oldest writes', () => {
  const register: Register<string> = [initially('old')];
  for (let at = 0; at < 40; at += 1) write(register, `${at}`, { from: at, to: at + 1 });
  expect(register.length).toBeLessThan(20);
  expect(possibleWrites(register, { from: 50, to: 51 }).map(({ value }) => value)).toEqual(['39']);
});
