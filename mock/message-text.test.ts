import { describe, expect, test } from 'vitest';
import type { Message } from './message.ts';
import { mentions, snippetOf, textOf } from './message-text.ts';

const mail = (html: string | null): Message => ({
  id: 'msg_000001',
  operation: 'sendEmail',
  from: 'Courses@example.com',
  to: 'lena@example.com',
  subject: 'Your Seat',
  html,
  template_id: null,
  variables: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

test.each([
  ['<p>Hello&nbsp;<b>Lena</b></p>', 'Hello Lena'],
  ['<style>p { color: red }</style><!-- no > --><p>a &lt; b &amp; c &#8364; &#x20ac;', 'a < b & c € €'],
  ['<SCRIPT>alert("</p>")</SCRIPT>after', 'after'],
  ['<title>no</title>one\n\n two', 'one two'],
  ['<styled>seen</styled>', 'seen'],
  ['&#0; &#9999999; &unknown;', '&#0; &#9999999; &unknown;'],
  ['open <b', 'open'],
  ['<b>bold</b>, <span class=x>st</span>op.<br>next', 'bold, stop. next'],
  [null, ''],
])('%j says %j', (html, text) => {
  expect(textOf(mail(html))).toBe(text);
});

test('a snippet is short', () => {
  expect(snippetOf(mail('word '.repeat(1000))).length).toBe(160);
});

test.each(['lena@', 'COURSES', 'your seat', 'see you'])('mentions %j', (words) => {
  expect(mentions(mail('<p>See <i>you</i>'), words)).toBe(true);
});

test.each(['<i>', 'nobody'])('does not mention %j', (words) => {
  expect(mentions(mail('<p>See <i>you</i>'), words)).toBe(false);
});

describe('however it is made, it takes no time', () => {
  test.each(['<style>', '<!--', '<', '<script', '&#', '<title></'])('a mebibyte of %j', (part) => {
    const started = performance.now();
    textOf(mail(part.repeat(Math.ceil(1_048_576 / part.length))));
    expect(performance.now() - started).toBeLessThan(500);
  });
});
