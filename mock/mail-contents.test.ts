import { expect, test } from 'vitest';
import { contentsOf } from './mail-contents.ts';

test.each<[string, string[]]>([
  ['<a href="https://a.example/?x=1&amp;y=2">x</a>', ['https://a.example/?x=1&y=2']],
  ["<a class=b href='https://a.example/1'>x</a><A HREF=/here>", ['https://a.example/1', '/here']],
  [
    'Go to https://a.example/plain. Or (http://b.example/x)',
    ['https://a.example/plain', 'http://b.example/x'],
  ],
  ['<a href="https://a.example">https://a.example</a>', ['https://a.example']],
  ['<p>http://a.example</p><a href="mailto:a@b.example">', ['http://a.example', 'mailto:a@b.example']],
  ['<a href="#top">x</a><a href="">x</a><a>x</a>', []],
  ['<!-- <a href="https://a.example"> --><style>a{b:url(https://b.example)}</style>', []],
])('the links of %s', (html, links) => expect(contentsOf(html).links).toEqual(links));

test.each<[string, string[]]>([
  ['<p>Your code: <b>123456</b></p>', ['123456']],
  ['Code 1234, or 87654321!', ['1234', '87654321']],
  ['123 and 123456789 and abc1234 and 12.3456', []],
  ['1234567.50 € on 2026-03-02, at https://a.example/123456, #4711', []],
  ['<p style="width: 1234px" data-x="567890">5555</p>', ['5555']],
  ['5555 5555', ['5555']],
])('the codes of %s', (html, codes) => expect(contentsOf(html).codes).toEqual(codes));

test('of a mail without HTML there is nothing', () => {
  expect(contentsOf(null)).toEqual({ links: [], codes: [] });
});

test.each(['<a href="', '<style>', '<!--', '<a ', '<', "<a href='", '&#', 'https://', '1234 ', '<a href '])(
  'a megabyte of %j is read at once',
  (piece) => {
    const started = performance.now();
    contentsOf(piece.repeat(1_000_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(1500);
  },
);
