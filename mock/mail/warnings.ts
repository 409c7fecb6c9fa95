// What is probably wrong with a message, found without any network. To add a rule: its id, and a row.
import type { Found, MailParts } from './contents.ts';
import type { Message } from './template.ts';

/** The rules for messages, in the order in which a message lists its warnings. */
export const warningIds = [
  'unresolved-placeholder',
  'empty-link',
  'image-without-alt',
  'no-text',
  'subject-missing',
] as const;

/** A rule for messages. Ids do not change. */
export type WarningId = (typeof warningIds)[number];

/** What a rule found in a message. */
export type MessageWarning = {
  readonly id: WarningId;
  /** What was found, and where. */
  readonly what: string;
  /** The reason for the rule. */
  readonly why: string;
  /** URL of a page that explains it. */
  readonly more: string;
};

type Judged = MailParts & Pick<Message, 'subject'> & { readonly html: string };

type Rule = {
  /** The reason, for people who do not know the rule. */
  readonly why: string;
  /** Where it is explained. */
  readonly more: string;
  /** Says what is wrong, and where; `undefined` if nothing is. */
  readonly find: (mail: Judged) => string | undefined;
};

/** The rules by their ids. */
export const rules: Readonly<Record<WarningId, Rule>> = {
  'unresolved-placeholder': {
    why: 'The recipient sees the placeholder: it had no value, or nothing filled it in.',
    more: 'https://mustache.github.io/mustache.5.html',
    find: ({ subject, placeholders, html }) => {
      const [first, ...others] = placeholdersIn(subject?.slice(0, maxSubjectLength) ?? '');
      if (!first) return describe(placeholders, html);
      return `${quote(first.text)} in the subject${more(others.length + placeholders.length)}`;
    },
  },
  'empty-link': {
    why: 'Nothing happens when the recipient clicks it.',
    more: 'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/a',
    find: ({ hrefs, html }) =>
      describe(
        hrefs.filter(({ text }) => text === '' || text === '#'),
        html,
        (url) => `a link to ${url === '' ? 'nothing' : '#'}`,
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
  'subject-missing': {
    why: 'Programs show a text of their own in its place, and filters distrust the mail.',
    more: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.6.5',
    find: ({ subject }) => (subject?.trim() === '' ? 'the subject is empty' : undefined),
  },
};

// Not every text in braces: a name, perhaps with a sign of Mustache before it, or a filter after it.
const placeholder = /\{\{[{#^/&>]?\s{0,9}[\p{L}_][\p{L}\p{N}_.\- ]{0,99}(?:\|[^{}]{0,99})?\}\}\}?/gu;

/** What is probably a placeholder, as it is written. */
export const placeholdersIn = (text: string): Found[] =>
  text.includes('{{')
    ? [...text.matchAll(placeholder)].map(({ 0: whole, index }) => ({ text: whole, at: index }))
    : [];

// Number of characters of a subject that are searched.
const maxSubjectLength = 2000;
const maxQuoted = 100;

/** A part of a message in a warning: cut, on one line. */
const quote = (text: string): string => {
  const line = text.slice(0, maxQuoted).replace(/\s+/g, ' ');
  return text.length > maxQuoted ? `${line}…` : line;
};

const count = (number: number): string => number.toLocaleString('en');

const more = (others: number): string => (others === 0 ? '' : `, and ${count(others)} more`);

/** Names the first of some places, and the number of others. */
const describe = (
  [first, ...others]: readonly Found[],
  html: string,
  name: (text: string) => string = quote,
): string | undefined => {
  if (!first) return undefined;
  return `${name(first.text)} in line ${count(lineOf(html, first.at))}${more(others.length)}`;
};

const lineOf = (text: string, at: number): number => {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
};

/** The warnings about a message. */
export const findWarnings = ({ subject, html }: Message, parts: MailParts): readonly MessageWarning[] =>
  warningIds.flatMap((id) => {
    const { find, why, more } = rules[id];
    const what = find({ ...parts, subject, html: html ?? '' });
    return what === undefined ? [] : [{ id, what, why, more }];
  });
