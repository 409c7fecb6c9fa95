// For each rule: mails that break it and no other, and mails that look alike and break none.
import { describe, expect, test } from 'vitest';
import { messageInTest } from '../testing/message.ts';
import type { Message } from './template.ts';
import { type WarningId, warningIds } from './warning.ts';
import { warningsOf } from './warnings.ts';

type Mail = Partial<Message>;

const html = (part: string): Mail => ({ html: `<p>Hi</p>\n${part}` });
const subject = (text: string | null): Mail => ({ subject: text });
const from = (text: string | null): Mail => ({ from: text });

const line = '<p>word</p>\n';

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
  'script-link': {
    breaks: [
      [html('<a href="javascript:void(0)">Go</a>'), 'javascript:void(0) in line 2'],
      [html("<a href=' JavaScript:go()'>Go</a>"), 'JavaScript:go() in line 2'],
      [html('<a href="java\nscript:go()">Go</a>'), 'javascript:go() in line 2'],
      [html('<a href="&#106;avascript:go()">Go</a>'), 'javascript:go() in line 2'],
    ],
    alike: [
      html('<a href="https://a.example/?x=javascript:1">Go</a> <a href="/javascript:x">Go</a>'),
      html('Write javascript:void(0)'),
      html('<a href="mailto:javascript@a.example">Go</a>'),
    ],
  },
  'insecure-link': {
    breaks: [
      [html('<a href="http://a.example/x">Go</a>'), 'http://a.example/x in line 2'],
      [html('<a href="http://localhost.example:80/">Go</a>'), 'http://localhost.example:80/ in line 2'],
      [html('<a href="http://localhost@a.example/">Go</a>'), 'http://localhost@a.example/ in line 2'],
    ],
    alike: [
      html('<a href="http://localhost:3000/x">Go</a> <a href="http://127.0.0.1">Go</a>'),
      html('<a href="http://[::1]:80/">Go</a> <a href="http://app.localhost">Go</a>'),
      html('<a href="https://a.example/?to=http://b.example">Go</a> <a href="//a.example">Go</a>'),
      html('<div xmlns="http://www.w3.org/1999/xhtml">Go</div> <a href="http:">Go</a>'),
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
  'long-line': {
    breaks: [
      [html('x'.repeat(999)), 'line 2 of the HTML has 999 bytes'],
      [html(`${'😀'.repeat(250)}\r\n`), 'line 2 of the HTML has 1,000 bytes'],
    ],
    alike: [
      html('x'.repeat(998)),
      html(`${'x'.repeat(998)}\r\n${'я'.repeat(499)}\n`),
      html(line.repeat(1000)),
    ],
  },
  'subject-missing': {
    breaks: [[subject(' \t'), 'the subject is empty']],
    // A template mail has none of its own (§4.3).
    alike: [subject(null), subject('0'), subject('.')],
  },
  'subject-long': {
    breaks: [[subject('😀'.repeat(79)), 'the subject has 79 characters']],
    alike: [subject('x'.repeat(78)), subject('😀'.repeat(78)), subject(null)],
  },
  'sender-address': {
    breaks: [
      [from('courses'), 'courses is not an address'],
      [from(''), 'the sender is not an address'],
      [from('Courses <courses>'), 'Courses <courses> is not an address'],
      [from('a@example..com'), 'a@example..com is not an address'],
      [from('a b@example.com'), 'a b@example.com is not an address'],
    ],
    alike: [
      from('Courses <courses@example.com>'),
      from('"Fischer, Lena" <lena+x@sub.example.com>'),
      from('<a@localhost>'),
      from('jörg@müller.example'),
      from('"a b"@example.com'),
      from('a@[127.0.0.1]'),
      from(null),
    ],
  },
  'broken-html': {
    breaks: [
      [html('<b>bold'), '<b> is not closed, in line 2'],
      [html('<div>\n<table>\n<tr><td>x</table>'), '<div> is not closed, in line 2'],
      [html('<p><b>x</p></b>'), '<b> is not closed before </p>, in line 2'],
      [html('x</div>'), '</div> closes nothing, in line 2'],
      [html('<p class="x'), 'a tag or a comment has no end, in line 2'],
      [html('<style>p { color: red }'), '<style> is not closed, in line 2'],
    ],
    alike: [
      html('<ul><li>one<li>two</ul><p>three<p>four<br>five<br/><hr><img src=a alt="">'),
      html('<table><tr><td>a<td>b<tr><th>c</table><dl><dt>x<dd>y</dl><select><option>z</select>'),
      html('<p><div>x</div></p><table><tr><td>x</td></tr></tbody></table>'),
      { html: '<!doctype html><html><head><title>a < b</title><body><p>Hi</body></html>' },
      { html: '<?xml version="1.0"?><html><head/><body>Hi</html>' },
      html('<!--[if mso]><table><tr><td><![endif]--><b>x</b><![if !mso]>y<![endif]>'),
      html('<!--[if !mso]><!--><div>x</div><!--<![endif]-->'),
      html('<svg><path d="M0 0"/></svg><o:p/><B>x</b><input></input>'),
      html('1 < 2 and 3 > 2, a <3 and <a title="a > b" href=/x/>c</a>'),
    ],
  },
  heavy: {
    breaks: [
      [{ html: line.repeat(8501) }, 'the HTML has 102,012 bytes'],
      [{ html: '<p>я</p>\n'.repeat(11_000) }, 'the HTML has 110,000 bytes'],
    ],
    alike: [{ html: line.repeat(8500) }],
  },
};

const warned = (mail: Mail) => warningsOf({ ...messageInTest, ...mail });

test('a flawless mail has no warnings', () => expect(warned({})).toEqual([]));

describe.each(warningIds)('%s', (id) => {
  test.each(mails[id].breaks)('is broken by %j', (mail, what) => {
    expect(warned(mail)).toEqual([
      { id, what, why: expect.stringMatching(/\.$/), more: expect.stringMatching(/^https:\/\/\S+$/) },
    ]);
  });

  test.each(mails[id].alike)('is kept by %j', (mail) => expect(warned(mail)).toEqual([]));
});

test('a mail lists all rules that it breaks', () => {
  const all = warned({
    from: 'x',
    subject: ' ',
    html: '<a href=""></a><a href="javascript:x"></a><a href="http://a.example"></a><img src="{{x}}"><b>'.padEnd(
      200_000,
    ),
  });
  expect(all.map(({ id }) => id)).toEqual(warningIds.filter((id) => id !== 'subject-long'));
});

test('a warning is short, whatever the mail says', () => {
  const long = 'x'.repeat(50_000);
  const tag = `<${long}>`;
  const link = `<a href="http://${long}">`;
  for (const { what } of warned({
    from: long,
    subject: long,
    html: `{{a|${long}}}${link}<img src=${long}>${tag}`,
  }))
    expect(what.length).toBeLessThan(200);
});

test('what follows after the part that is read breaks no rule by its absence', () => {
  const style = `<style>${'p { }\n'.repeat(100_000)}</style>`;
  const late = { html: `<div>\n${style}<p>Hi</p></div>` };
  expect(warned(late).map(({ id }) => id)).toEqual(['heavy']);
});
