// What is probably wrong with a message, found without any network. To add a rule: its id in `warning.ts`, and a row here.
import { isLoopback } from '../runtime/loopback.ts';
import { copyStart, TextEncoder } from '../runtime/platform.ts';
import { type MailParts, partsOf, placeholdersIn } from './parts.ts';
import type { Found } from './structure.ts';
import type { Message } from './template.ts';
import { type MessageWarning, type WarningId, warningIds } from './warning.ts';

type Rule = {
  /** The reason, for people who do not know the rule. */
  readonly why: string;
  /** Where it is explained. */
  readonly more: string;
  /** Says what is wrong, and where; `undefined` if nothing is. */
  readonly find: (mail: MailParts) => string | undefined;
};

export const maxLineBytes = 998;
export const maxSubjectLength = 78;
export const maxBytes = 102_000;

/** The rules by their ids. */
export const rules: Readonly<Record<WarningId, Rule>> = {
  'unresolved-placeholder': {
    why: 'The recipient sees the placeholder: it had no value, or nothing filled it in.',
    more: 'https://mustache.github.io/mustache.5.html',
    find: ({ subject, placeholders, html }) => {
      const [first] = placeholdersIn(subject?.slice(0, maxFieldLength) ?? '');
      return first ? `${quote(first.text)} in the subject` : describe(placeholders, html);
    },
  },
  'empty-link': {
    why: 'Nothing happens when the recipient clicks it.',
    more: 'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/a',
    find: ({ links, html }) =>
      describe(
        links.filter(({ text }) => text === '' || text === '#'),
        html,
        (url) => `a link to ${url === '' ? 'nothing' : '#'}`,
      ),
  },
  'script-link': {
    why: 'Mail programs run no scripts and remove such links.',
    more: 'https://developer.mozilla.org/en-US/docs/Web/URI/Reference/Schemes/javascript',
    find: ({ links, html }) =>
      describe(
        links.filter(({ text }) => /^javascript:/i.test(text)),
        html,
      ),
  },
  'insecure-link': {
    why: 'Others can read and change what is sent without encryption: use https.',
    more: 'https://https.cio.gov/everything/',
    find: ({ links, html }) =>
      describe(
        links.filter(({ text }) => isInsecure(text)),
        html,
      ),
  },
  'image-without-alt': {
    why: 'Many programs block images at first and show the alternative text, which screen readers read too. A decorative image has an empty one: alt="".',
    more: 'https://www.w3.org/WAI/tutorials/images/',
    find: ({ bareImages, html }) =>
      describe(bareImages, html, (url) => (url === '' ? 'an image' : `the image ${quote(url)}`)),
  },
  'no-text': {
    why: 'With blocked images or for a screen reader the mail is empty, and filters distrust a mail of images only.',
    more: 'https://www.w3.org/WAI/tutorials/images/textual/',
    find: ({ hasText, html }) => {
      if (hasText) return undefined;
      return html.trim() === '' ? 'the mail is empty' : 'the HTML contains no text';
    },
  },
  'long-line': {
    why: `Servers may break a line of more than ${maxLineBytes} bytes anywhere, if the mail is not sent in an encoding with short lines.`,
    more: 'https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1',
    find: ({ html }) => {
      const lines = html.split(/\r?\n/);
      const at = lines.findIndex((line) => bytesIn(line) > maxLineBytes);
      return at < 0
        ? undefined
        : `line ${count(at + 1)} of the HTML has ${count(bytesIn(lines[at] ?? ''))} bytes`;
    },
  },
  'subject-missing': {
    why: 'Programs show a text of their own in its place, and filters distrust the mail.',
    more: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.6.5',
    find: ({ subject }) => (subject?.trim() === '' ? 'the subject is empty' : undefined),
  },
  'subject-long': {
    why: `Programs cut a subject of more than ${maxSubjectLength} characters, or less.`,
    more: 'https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1',
    find: ({ subject }) => {
      const length = subject === null ? 0 : charactersIn(subject);
      return length > maxSubjectLength ? `the subject has ${count(length)} characters` : undefined;
    },
  },
  'sender-address': {
    why: 'Servers refuse the mail, or replace the sender.',
    more: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.4',
    find: ({ from }) =>
      from === null || isSender(from)
        ? undefined
        : `${from === '' ? 'the sender' : quote(from)} is not an address`,
  },
  'broken-html': {
    why: 'Every program repairs it in its own way.',
    more: 'https://html.spec.whatwg.org/multipage/syntax.html#optional-tags',
    find: ({ problem, html }) => problem && `${problem.text}, in line ${lineOf(html, problem.at)}`,
  },
  heavy: {
    why: 'Gmail shows the first 102 kB of a mail only, and a link to the rest.',
    more: 'https://www.spamresource.com/2022/01/what-is-gmail-clipping-and-what-to-do.html',
    find: ({ html }) => (bytesIn(html) > maxBytes ? `the HTML has ${count(bytesIn(html))} bytes` : undefined),
  },
};

const count = (number: number): string => number.toLocaleString('en');

const maxQuoted = 100;

/** A part of a message in a warning: cut, on one line. */
const quote = (text: string): string => {
  const line = text.slice(0, maxQuoted).replace(/\s+/g, ' ');
  return text.length > maxQuoted ? `${line}…` : line;
};

const charactersIn = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

const lineOf = (text: string, at: number): number => {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
};

/** Names the first of some places, and the number of others. */
const describe = (
  [first, ...others]: readonly Found[],
  html: string,
  name: (text: string) => string = quote,
): string | undefined => {
  if (!first) return undefined;
  const rest = others.length === 0 ? '' : `, and ${count(others.length)} more`;
  return `${name(first.text)} in line ${count(lineOf(html, first.at))}${rest}`;
};

// Number of characters of a subject that are searched.
const maxFieldLength = 2000;

const isInsecure = (url: string): boolean => {
  const [, host = ''] = /^http:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  return host !== '' && !isLoopback(host.replace(/:\d*$/, '').toLowerCase());
};

// Longer than any sender with a name.
const maxSenderLength = 1000;
const address =
  /^(?:"[^"]+"|[^\s@"(),:;<>]+)@(?:(?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}-]+|\[[\w.:]+\])$/u;

/** Whether a text is an address, perhaps in angle brackets after a name. */
const isSender = (text: string): boolean => {
  if (text.length > maxSenderLength) return false;
  const whole = text.trim();
  const start = whole.endsWith('>') ? whole.lastIndexOf('<') : -1;
  return address.test(start < 0 ? whole : whole.slice(start + 1, -1).trim());
};

const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
const bytesIn = (text: string): number => encoder.encode(text).length;

// For the lifetime of the messages: a list or a filter reads all of them.
const read = new WeakMap<Message, readonly MessageWarning[]>();

/** The warnings about a message. Read once: messages do not change. */
export const warningsOf = (message: Message): readonly MessageWarning[] => {
  const known = read.get(message);
  if (known) return known;
  const mail = partsOf(message);
  const warnings = warningIds.flatMap((id) => {
    const { find, why, more } = rules[id];
    const what = find(mail);
    // A copy: a part of the HTML would keep all of it in memory.
    return what === undefined ? [] : [{ id, what: copyStart(what, what.length), why, more }];
  });
  read.set(message, warnings);
  return warnings;
};
