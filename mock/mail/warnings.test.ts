// For each rule: mails that break it and no other, and mails that look alike and break none.
import { describe, expect, test } from 'vitest';
import { messageInTest } from '../testing/message.ts';
import { digestOf } from './captured.ts';
import type { Message } from './template.ts';
import { type WarningId, warningIds } from './warnings.ts';

type Mail = Partial<Message>;

const html = (part: string): Mail => ({ html: `<p>Hi</p>\n${part}` });
const subject = (text: string | null): Mail => ({ subject: text });

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
  const all = warned({ subject: ' ', html: '<a href=""></a><img src="{{x}}">' });
  expect(all.map(({ id }) => id)).toEqual(warningIds);
});

test('a warning is short, whatever the mail says', () => {
  const long = 'x'.repeat(50_000);
  for (const { what } of warned({ subject: `{{a|${long}}}`, html: `<img src=${long}>` }))
    expect(what.length).toBeLessThan(200);
});

test('what follows after the part that is read breaks no rule by its absence', () => {
  const style = `<style>${'p { }\n'.repeat(100_000)}</style>`;
  const late = { html: `<div>\n${style}<p>Hi</p></div>` };
  expect(warned(late)).toEqual([]);
});
