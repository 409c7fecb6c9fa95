import { expect, test } from 'vitest';
import { showApart } from './show-apart.ts';

test.each([
  ['what looks different stays', 'Zoë', 'Zoe', '"Zoë"', '"Zoe"'],
  ['a decomposed letter', 'Zoe\u0301 é', 'Zo\u00e9 é', '"Zoe\\u0301 é"', '"Zo\\u00e9 é"'],
  ['a blank that does not break', 'a\u00a0b ü', 'a b ü', '"a\\u00a0b ü"', '"a b ü"'],
  ['a separator that is gone', 'a\u2028 b', 'a b', '"a\\u2028 b"', '"a b"'],
  ['line breaks', 'a\r\nb', 'a\nb', '"a\\r\\nb"', '"a\\nb"'],
  ['what is no text', 'null', null, '"null"', 'null'],
])('%s', (_, expected, actual, shown, other) => {
  expect(showApart(expected, actual)).toEqual([shown, other]);
});
