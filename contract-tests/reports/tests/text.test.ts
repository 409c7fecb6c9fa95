import { expect, test } from 'vitest';
import { clip, escapeInvisible } from '../../../mock/contract/printable.ts';
import { onOneLine } from '../../exchange/exchange.ts';
import { hostileText } from '../../testing/hostile-report.ts';
import { escapeMarkup } from '../text.ts';

test('what is invisible is written as an escape, what is not stays', () => {
  const visible = 'plain "text" <b>\n\té 漢字 👩‍👧 שלום';
  expect(escapeInvisible(visible)).toBe(visible);
  expect(escapeInvisible('\u0000\u001b[31m\r\u202e\u200b\ud800 \udfff\ufffe\u{e0041}')).toBe(
    '\\u0000\\u001b[31m\\u000d\\u202e\\u200b\\ud800 \\udfff\\ufffe\\u{e0041}',
  );
});

test('a text is cut between characters, and no character of it is markup', () => {
  expect([clip('ab😀cd', 3), clip('abc', 3)]).toEqual(['ab…', 'abc']);
  expect(escapeMarkup(hostileText)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
});

test('a body on one line keeps the blanks in its strings, and only these', () => {
  expect(onOneLine('{\n  "note": "two  blanks",\n\t"name": "a\\"  b"\n}')).toBe(
    '{ "note": "two  blanks", "name": "a\\"  b" }',
  );
  expect(onOneLine('<p>one\n  line</p>\n')).toBe('<p>one line</p>');
});
