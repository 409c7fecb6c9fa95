import { expect, test } from 'vitest';
import { clip, escapeInvisible } from '../../../mock/contract/printable.ts';
import { onOneLine } from '../../exchange/exchange.ts';
import { hostileText } from '../../testing/hostile-report.ts';
import { escapeMarkup, markup } from '../text.ts';

test.each([
  ['plain text stays', 'plain "text" <b>', 'plain "text" <b>'],
  ['lines and tabs stay', 'a\n\tb', 'a\n\tb'],
  ['letters and emoji stay', 'é 漢字 👩‍👧 שלום', 'é 漢字 👩‍👧 שלום'],
  ['NUL', 'a\u0000b', 'a\\u0000b'],
  ['escape sequences', '\u001b[31m', '\\u001b[31m'],
  ['carriage return', 'a\rb', 'a\\u000db'],
  ['right-to-left override', '\u202eabc', '\\u202eabc'],
  ['zero width space', 'a\u200bb', 'a\\u200bb'],
  ['lone surrogates', '\ud800 \udfff', '\\ud800 \\udfff'],
  ['noncharacters', '\ufffe\uffff', '\\ufffe\\uffff'],
  ['tag characters', '\u{e0041}', '\\u{e0041}'],
])('%s', (_, text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

test('a text is cut between characters', () => {
  expect(clip('ab😀cd', 3)).toBe('ab…');
  expect(clip('abc', 3)).toBe('abc');
});

test('what enters markup is escaped, markup itself is not', () => {
  expect(markup`<p title="${'"'}">${'<b>'}${[markup`<i>${1}</i>`]}${undefined}</p>`.markup).toBe(
    '<p title="&quot;">&lt;b&gt;<i>1</i></p>',
  );
  expect(escapeMarkup(hostileText)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
});

test('a body on one line keeps the blanks in its strings, and only these', () => {
  expect(onOneLine('{\n  "note": "two  blanks",\n\t"name": "a\\"  b"\n}')).toBe(
    '{ "note": "two  blanks", "name": "a\\"  b" }',
  );
  expect(onOneLine('<p>one\n  line</p>\n')).toBe('<p>one line</p>');
});
