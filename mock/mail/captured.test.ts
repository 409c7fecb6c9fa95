import { expect, test } from 'vitest';
import { messageInTest } from '../testing/message.ts';
import { contentsOf, createTextSearch, digestOf } from './captured.ts';
import type { Message } from './template.ts';

const mail = (html: string | null): Message => ({
  ...messageInTest,
  from: 'Courses@example.com',
  subject: 'Your Seat',
  html,
});

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
])('the links of %s', (html, links) => expect(contentsOf(mail(html)).links).toEqual(links));

test.each<[string, string[]]>([
  ['<p>Your code: <b>123456</b></p>', ['123456']],
  ['Code 1234, or 87654321!', ['1234', '87654321']],
  ['123 and 123456789 and abc1234 and 12.3456', []],
  ['1234567.50 € on 2026-03-02, at https://a.example/123456, #4711', []],
  ['<p style="width: 1234px" data-x="567890">5555</p>', ['5555']],
  ['Your code is 123-456.', ['123-456']],
  ['Your code is 123 456', ['123 456']],
  ['<b>G-123456</b> is your code', ['G-123456']],
  ['Use AB12CD to sign in', ['AB12CD']],
  ['Call 030 123 456 or 0800 123 456 789', ['0800']],
  ['On 2 March 2026 and on 20260302, © 2026 Example', []],
  ['Room 2026 is booked, your PIN is 2031', ['2026', '2031']],
  ['WELCOME and HELLO, ABCDEF, abc12d, 12AB', []],
])('the codes of %s', (html, codes) => expect(contentsOf(mail(html)).codes).toEqual(codes));

test('of a mail without HTML there is nothing', () => {
  expect(contentsOf(mail(null))).toEqual({ text: '', links: [], codes: [] });
});

test.each([
  ['<p>Hello&nbsp;<b>Lena</b></p>', 'Hello Lena'],
  ['<style>p { color: red }</style><!-- no > --><p>a &lt; b &amp; c &#8364; &#x20ac;', 'a < b & c € €'],
  ['<SCRIPT>alert("</p>")</SCRIPT>after', 'after'],
  ['<title>no</title>one\n\n two', 'one\n\ntwo'],
  ['<styled>seen</styled>', 'seen'],
  ['&#0; &#9999999; &unknown;', '� � &unknown;'],
  ['<b>bold</b>, <span class=x>st</span>op.<br>next', 'bold, stop.\nnext'],
  ['<p>Please <a href="https://a.example/x">confirm</a>.</p><p>Bye</p>', 'Please confirm.\n\nBye'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['<ul><li>one<li>two</ul>', '• one\n• two'],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
  ['<img src=x alt="A &amp; B"><title>no</title><head><meta></head>', 'A & B'],
  ['<a title="<p>" href=https://a.example/1>x</a>', 'x'],
  [null, ''],
])('%j says %j, and in a list the same on one line', (html, text) => {
  expect(contentsOf(mail(html)).text).toBe(text);
  expect(digestOf(mail(html)).snippet).toBe(text.replaceAll(/\n+/g, ' '));
});

test('a snippet is short', () => {
  expect(digestOf(mail('word '.repeat(1000))).snippet.length).toBe(160);
});

test.each([
  ['lena@', true],
  ['COURSES', true],
  ['your seat', true],
  ['see you', true],
  ['<i>', false],
  ['nobody', false],
])('whether a mail mentions %j: %j', (words, isFound) => {
  expect(createTextSearch(words)(mail('<p>See <i>you</i>'))).toBe(isFound);
});

test.each(['İ', 'ﬃ', '𝒳'])('%j before a tag shifts nothing behind it', (letter) => {
  const html = `${letter.repeat(50)}<p>first</p><style>p {}</style><b>sec</b>ond`;
  expect(digestOf(mail(html)).snippet).toBe(`${letter.repeat(50)} first second`);
  expect(createTextSearch('FIRST second')(mail(html))).toBe(true);
  expect(createTextSearch(letter)(mail(html))).toBe(true);
});

test.each([
  ['İSTANBUL', 'İstanbul'],
  ['ΟΔΟΣ', 'οδος 7'],
  ['STRASSE', 'Straße'],
])('%j is found in %j', (words, subject) => {
  expect(createTextSearch(words)({ ...mail(null), subject })).toBe(true);
});
