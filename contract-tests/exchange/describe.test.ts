import { expect, test } from 'vitest';
import { describeDifference, describeValue } from './describe.ts';

const sent = 'called Contract test 0a1b2c3d-7 note';

test.each([
  ['a text of this run', 'Contract Test 0a1b2c3d-7', '"Contract Test 0a1b2c3d-7"'],
  ['nothing', '', '""'],
  ['no text', null, 'null'],
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
  ['a separator that is gone', 'a\u2028 b', 'a b', '"a\\u2028 b"', '"a b"'],
  ['line breaks', 'a\r\nb', 'a\nb', '"a\\r\\nb"', '"a\\nb"'],
  ['what is no text', 'null', null, '"null"', 'null'],
])('%s', (_, expected, actual, shown, other) => {
  expect(describeDifference(expected, actual)).toEqual([shown, other]);
});
