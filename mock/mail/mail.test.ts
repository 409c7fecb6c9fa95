// What a mail says: its text, links and codes, the values of its placeholders, and what is wrong with it.
import { describe, expect, test } from 'vitest';
import { messageInTest } from '../testing/message.ts';
import { contentsOf, createTextSearch, digestOf } from './captured.ts';
import { type Message, placeholdersOf, renderTemplate } from './template.ts';
import { type WarningId, warningIds } from './warnings.ts';

const mail = (html: string | null): Message => ({ ...messageInTest, html });

test.each<[string | null, string[]]>([
  [null, []],
  ['<a href="https://a.example/?x=1&amp;y=2">x</a>', ['https://a.example/?x=1&y=2']],
  ["<a class=b href='https://a.example/1'>x</a><A HREF=/here>", ['https://a.example/1', '/here']],
  ['Go to https://a.example/b. Or (http://b.example/x)', ['https://a.example/b', 'http://b.example/x']],
  ['<a href="https://a.example">https://a.example</a>', ['https://a.example']],
  ['<p>http://a.example</p><a href="mailto:a@b.example">', ['http://a.example', 'mailto:a@b.example']],
  ['<a href="#top">x</a><a href="">x</a><a>x</a>', []],
  ['<!-- <a href="https://a.example"> --><style>a{b:url(https://b.example)}</style>', []],
])('the links of %s', (html, links) => expect(contentsOf(mail(html)).links).toEqual(links));

test.each<[string | null, string[]]>([
  [null, []],
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

test.each([
  ['lena@', true],
  ['COURSES', true],
  ['your seat', true],
  ['see you', true],
  ['<i>', false],
  ['nobody', false],
  ['İSTANBUL', true, 'İstanbul'],
  ['ΟΔΟΣ', true, 'οδος 7'],
  ['STRASSE', true, 'Straße'],
])('whether a mail mentions %j: %j', (words, isFound, subject = 'Your Seat') => {
  expect(createTextSearch(words)({ ...mail('<p>See <i>you</i>'), subject })).toBe(isFound);
});

test.each(['İ', 'ﬃ', '𝒳'])('%j before a tag shifts nothing behind it', (letter) => {
  const html = `${letter.repeat(50)}<p>first</p><style>p {}</style><b>sec</b>ond`;
  expect(digestOf(mail(html)).snippet).toBe(`${letter.repeat(50)} first second`);
  expect(createTextSearch('FIRST second')(mail(html))).toBe(true);
  expect(createTextSearch(letter)(mail(html))).toBe(true);
});

test.each([
  ['{{b}} {{a}} {{b}}', ['b', 'a']],
  ['{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
  ['{{ spaced }}', [' spaced ']],
  ['{{}}', ['']],
  ['{{a} {b}} {c}', []],
  ['{{a{{b}}', ['b']],
])('the placeholders of %j are %j', (body, names) => expect(placeholdersOf(body)).toEqual(names));

test.each<[string, Record<string, string>, string | undefined, isBlank?: boolean, isEscaped?: boolean]>([
  ['{{a}} and {{a}}', { a: 'x' }, 'x and x'],
  ['{{a}}', { a: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'"],
  ['{{a}}{{b}}', { a: '{{b}}', b: 'x' }, '{{b}}x'],
  ['{{constructor}} {{toString}}', {}, '{{constructor}} {{toString}}'],
  ['{{__proto__}}', JSON.parse('{"__proto__":"x"}'), 'x'],
  ['{{a}}', { a: '' }, ''],
  ['a{{b}}c', {}, 'ac', true],
  ['<b>{{a}}', { a: '<a href="x">&\'' }, '<b>&#60;a href=&#34;x&#34;&#62;&#38;&#39;', false, true],
])('%j with %j is %j, with gaps blank: %j, with values escaped: %j', (body, variables, filled, ...how) => {
  expect(renderTemplate(body, variables, ...how)).toBe(filled);
});

type Mail = Partial<Message>;

const html = (part: string): Mail => ({ html: `<p>Hi</p>\n${part}` });
const subject = (text: string | null): Mail => ({ subject: text });

// For each rule: mails that break it and no other, and mails that look alike and break none.
type Mails = { readonly breaks: readonly [Mail, string][]; readonly alike: readonly Mail[] };

const mails: Readonly<Record<WarningId, Mails>> = {
  'unresolved-placeholder': {
    breaks: [
      [html('<p>Hello {{first_name}}</p>'), '{{first_name}} in line 2'],
      [html('<p>{{a}}</p>\n<p>{{b}} {{c}}</p>'), '{{a}} in line 2, and 2 more'],
      [html('<a href="https://a.example/{{ token }}">Go</a>'), '{{ token }} in line 2'],
      [html('{{{user.name}}}'), '{{{user.name}}} in line 2'],
      [html('{{ name | upcase }}'), '{{ name | upcase }} in line 2'],
      [subject('Welcome, {{first name}}'), '{{first name}} in the subject'],
      [{ ...subject('{{a}} {{b}}'), ...html('{{c}}') }, '{{a}} in the subject, and 2 more'],
    ],
    alike: [
      html('{first_name} {{}} {{ }} {{1}} {{"a":1}} {{ a + b }} {{a'),
      html('<!-- {{debug}} --><style>@media a{b{c:d}}{{x}}</style><title>{{title}}</title>'),
      html('&#123;{name}} and {{<b>name</b>}}'),
      subject('Sets: {{1, 2}, {3}}'),
    ],
  },
  'empty-link': {
    breaks: [
      [html('<a href>Go</a>'), 'a link to nothing in line 2'],
      [html('<a href=" \n">Go</a> <a href="#">Up</a>'), 'a link to nothing in line 2, and 1 more'],
      [html('<map><area href="#" alt=""></map>'), 'a link to # in line 2'],
    ],
    alike: [
      html('<a name="top">Top</a> <a>Old</a> <a href="#top">Up</a> <a data-href="" href="/x">Go</a>'),
      html('<!--[if mso]><a href="">Go</a><![endif]-->'),
    ],
  },

  'image-without-alt': {
    breaks: [
      [html('<img src="https://a.example/a.png">'), 'the image https://a.example/a.png in line 2'],
      [html('<IMG title="alt" data-alt="x"/>\n<img src=b.png>'), 'an image in line 2, and 1 more'],
    ],
    alike: [
      html('<img src=a.png alt=""> <img src=a.png alt> <img src=a.png ALT="A &amp; B">'),
      html('<!-- <img src=a.png> --><image src=a.png></image>'),
    ],
  },
  'no-text': {
    breaks: [
      [{ html: '' }, 'the mail is empty'],
      [{ html: '<a href=/x><img src=a.png alt="All we say"></a>' }, 'the HTML contains no text'],
      [{ html: '<p>&nbsp;&zwnj;&#847;&shy; \u2800\ufeff</p><!-- Hi -->' }, 'the HTML contains no text'],
    ],
    alike: [{ html: 'x' }, { html: '<p>&#8364;</p>' }, { html: '<img alt="" src=a>😀' }],
  },

  'subject-missing': {
    breaks: [[subject(' \t'), 'the subject is empty']],
    // A template mail has none of its own (§4.3).
    alike: [subject(null), subject('0'), subject('.')],
  },
};

const warned = (mail: Mail) => digestOf({ ...messageInTest, ...mail }).warnings;

describe.each(warningIds)('%s', (id) => {
  test.each(mails[id].breaks)('is broken by %j', (mail, what) => {
    expect(warned(mail)).toEqual([
      { id, what, why: expect.stringMatching(/\.$/), more: expect.stringMatching(/^https:\/\/\S+$/) },
    ]);
  });

  test.each(mails[id].alike)('is kept by %j', (mail) => expect(warned(mail)).toEqual([]));
});

test('a mail lists all rules that it breaks', () => {
  const all = warned({ subject: ' ', html: '<a href=""></a><img src="{{x}}">' });
  expect(all.map(({ id }) => id)).toEqual(warningIds);
});

test('a snippet and a warning are short, whatever the mail says', () => {
  expect(digestOf(mail('word '.repeat(1000))).snippet.length).toBe(160);
  // This letter becomes three in a search, whose text is held beside the message.
  expect(digestOf(mail('ΐ'.repeat(9000))).folded.length).toBe(8192);
  const long = 'x'.repeat(50_000);
  for (const { what } of warned({ subject: `{{a|${long}}}`, html: `<img src=${long}>` }))
    expect(what.length).toBeLessThan(200);
});

test('what follows after the part that is read breaks no rule by its absence', () => {
  const style = `<style>${'p { }\n'.repeat(100_000)}</style>`;
  const late = { html: `<div>\n${style}<p>Hi</p></div>` };
  expect(warned(late)).toEqual([]);
});
