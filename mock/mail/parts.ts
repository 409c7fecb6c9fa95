import { maxHtmlLength, onlyVisible, readHtml } from './html.ts';
import { createStructure, type Found } from './structure.ts';
import type { Message } from './template.ts';

/** What the rules judge: the fields of a message, and what is in its HTML outside comments, styles and scripts. */
export type MailParts = Pick<Message, 'from' | 'subject'> & {
  readonly html: string;
  readonly hasText: boolean;
  /** In the text and in attributes. */
  readonly placeholders: readonly Found[];
  /** The URLs of links. */
  readonly links: readonly Found[];
  /** The URLs of images without an alternative text. */
  readonly bareImages: readonly Found[];
  /** The first place where the HTML is broken. */
  readonly problem: Found | undefined;
};

// Not every text in braces: a name, perhaps with a sign of Mustache before it, or a filter after it.
const placeholder = /\{\{[{#^/&>]?\s{0,9}[\p{L}_][\p{L}\p{N}_.\- ]{0,99}(?:\|[^{}]{0,99})?\}\}\}?/gu;

/** What is probably a placeholder, as it is written. */
export const placeholdersIn = (text: string): Found[] =>
  text.includes('{{')
    ? [...text.matchAll(placeholder)].map(({ 0: whole, index }) => ({ text: whole, at: index }))
    : [];

// Neither blank nor invisible: mails fill their beginning with such characters.
const readable = /(?![\u034f\u2800])[^\s\p{Cc}\p{Cf}]/u;

const withoutBreaks = (url: string): string => url.replaceAll(/[\t\r\n]/g, '').trim();

/** Reads a message once for all rules, in linear time. */
export const partsOf = ({ from, subject, html: body }: Message): MailParts => {
  const html = body ?? '';
  const placeholders: Found[] = [];
  const links: Found[] = [];
  const bareImages: Found[] = [];
  // What follows in longer HTML is not read.
  const isWhole = html.length <= maxHtmlLength;
  let hasText = !isWhole;
  const structure = createStructure();
  const seen = onlyVisible({
    text: (text, at) => {
      hasText ||= readable.test(text);
      for (const found of placeholdersIn(text)) placeholders.push({ ...found, at: at + found.at });
    },
    open: (name, attributes, at) => {
      for (const value of attributes.values())
        for (const { text } of placeholdersIn(value)) placeholders.push({ text, at });
      const href = name === 'a' || name === 'area' ? attributes.get('href') : undefined;
      if (href !== undefined) links.push({ text: withoutBreaks(href), at });
      if (name === 'img' && !attributes.has('alt'))
        bareImages.push({ text: attributes.get('src') ?? '', at });
    },
    close: () => undefined,
  });
  readHtml(html, [structure, seen]);
  const problem = isWhole ? structure.problem() : undefined;
  return { from, subject, html, hasText, placeholders, links, bareImages, problem };
};
