import { copyStart } from '../runtime/platform.ts';
import { readVisibleHtml } from './html.ts';
import type { Message } from './template.ts';
import type { MessageWarning } from './warning.ts';

// Number of characters of a mail that are searched and used for the snippet.
const maxSnippetSource = 64 * 1024;
const maxTextLength = 8 * 1024;
const maxSnippetLength = 160;
// Number of characters of a subject or an address that are searched.
const maxFieldLength = 2000;

type ReadText = { readonly snippet: string; readonly folded: string };

// A cache for the lifetime of the messages: a search while typing reads all of them at every character.
const texts = new WeakMap<Message, ReadText>();

const readText = (message: Message): ReadText => {
  const cached = texts.get(message);
  if (cached !== undefined) return cached;
  const line = lineOf(message.html ?? '');
  const text = {
    snippet: copyStart(line, maxSnippetLength),
    folded: foldCase(copyStart(line, maxTextLength)),
  };
  texts.set(message, text);
  return text;
};

/** The beginning of the text of a mail, on one line. */
export const snippetOf = (message: Message): string => readText(message).snippet;

/**
 * A text for comparison that ignores case. In two steps, because some letters have two lower-case forms (σ and ς). Its length
 * may differ from that of the text, so positions in both are not comparable.
 */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase();

const searchFields = ['to', 'from', 'subject'] as const;

/**
 * Finds mails by words and phrases in the first part of recipient, sender, subject, template or text. `to:`, `from:` and
 * `subject:` select a field, and a minus excludes.
 */
export const createTextSearch = (query: string): ((message: Message) => boolean) => {
  const terms = parseSearchQuery(query, searchFields).map((term) => ({ ...term, text: foldCase(term.text) }));
  return (message) => {
    const { to, from, subject, template_id } = message;
    const isIn = (field: string | undefined, text: string): boolean =>
      field === undefined
        ? [to, from, subject, template_id].some((value) => value !== null && includesFolded(value, text)) ||
          readText(message).folded.includes(text)
        : includesFolded(message[field as (typeof searchFields)[number]] ?? '', text);
    return terms.every(({ isExcluded, field, text }) => isIn(field, text) !== isExcluded);
  };
};

/** Whether the first part of a text contains the folded words, ignoring case. */
export const includesFolded = (text: string, searched: string): boolean =>
  foldCase(text.slice(0, maxFieldLength)).includes(searched);

// Longer than any address. Matching a megabyte against many patterns would take minutes.
const maxAddressLength = 1000;

/** Whether an address matches the folded pattern, in which `*` stands for any characters, ignoring case. */
export const matchesAddress = (address: string, searched: string): boolean =>
  searched.includes('*')
    ? address.length <= maxAddressLength && matchesPattern(foldCase(address), searched)
    : address.length <= searched.length && foldCase(address) === searched;

const lineOf = (html: string): string => {
  const lines = createLines(false);
  readVisibleHtml(html, lines, maxSnippetSource);
  return lines.join().replace(/\n+/g, ' ');
};

/** The parts of a mail that tests need. */
export type MailContents = {
  /** The text in lines, with the URLs of links. */
  readonly text: string;
  /** The URLs of its links and in its text, without duplicates, in order of appearance. */
  readonly links: readonly string[];
  /** Possible one-time codes in their original form: `123456`, `123-456`, `123 456`, `G-123456`, `AB12CD`. */
  readonly codes: readonly string[];
};

/** A message with its text, links, possible one-time codes and warnings. */
export type CapturedMessage = Message &
  MailContents & {
    /** The beginning of its text, on one line. */
    readonly snippet: string;
    /** What is probably wrong with it. */
    readonly warnings: readonly MessageWarning[];
  };

const maxResults = 100;

const addresses = /https?:\/\/[^\s<>"'`]+/gi;
// A code must not be part of a longer number, date, time, price, name or URL.
const codes =
  /(?<![\w.,:/#€$£+=&-])(?:(?<!\d )\d{3}[ -]\d{3}(?! \d)|[A-Z]{1,3}-\d{4,8}|\d{4,8}|(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z\d]{6,8})(?![\w:/=&-]|[.,]\d)/g;
const years = /^(?:19|20)\d\d$/;
const dates = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const nearYears = /\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)|©|\(c\)|copyright/i;
const maxDistance = 14;

/** The codes in a text, without years after a month or copyright sign and without dates in digits only. */
const codesIn = (text: string): string[] =>
  [...text.matchAll(codes)]
    .filter(({ 0: code, index }) => {
      const around = text.slice(Math.max(0, index - maxDistance), index + code.length + maxDistance);
      return !dates.test(code) && !(years.test(code) && nearYears.test(around));
    })
    .map(([code]) => code);

export const contentsOf = (html: string | null): MailContents => {
  const { text, separated, hrefs } = readContents(html ?? '');
  const textLinks = [...separated.matchAll(addresses)].map((match) => ({
    at: match.index,
    url: withoutPunctuation(match[0]),
  }));
  const links = [...hrefs, ...textLinks].sort((a, b) => a.at - b.at).map(({ url }) => url);
  return {
    text,
    links: unique(links.filter((url) => url !== '' && !url.startsWith('#'))),
    codes: unique(codesIn(separated.replace(addresses, ' '))),
  };
};

type PlacedLink = { readonly at: number; readonly url: string };

/** Reads the text in two forms: lines for people, and with a space for each tag, because a code may be next to a tag. */
const readContents = (html: string) => {
  const lines = createLines();
  const pieces: string[] = [];
  const hrefs: PlacedLink[] = [];
  let length = 0;
  const add = (text: string): void => {
    pieces.push(text);
    length += text.length;
  };
  readVisibleHtml(html, {
    text: (text) => {
      lines.text(text);
      add(text);
    },
    open: (name, attributes) => {
      lines.open(name, attributes);
      const href = name === 'a' || name === 'area' ? attributes.get('href') : undefined;
      if (href !== undefined) hrefs.push({ at: length, url: href.trim() });
      add(' ');
    },
    close: (name) => {
      lines.close(name);
      add(' ');
    },
  });
  return { text: lines.join(), separated: pieces.join(''), hrefs };
};

const blockElements = new Set([
  ...['p', 'div', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'blockquote', 'pre'],
  ...['section', 'header', 'footer', 'hr', 'br'],
]);
const cells = new Set(['td', 'th']);
const remoteAddress = /^(https?:)?\/\//i;

/**
 * Collects the text of a mail in lines: one per block, and a bullet per list item.
 * @param withAddresses whether the URL of a link follows its text
 */
const createLines = (withAddresses = true) => {
  const pieces: string[] = [];
  let link: { readonly url: string; readonly from: number } | undefined;
  const closeLink = (): void => {
    if (link && pieces.slice(link.from).join('').trim() !== link.url) pieces.push(` (${link.url})`);
    link = undefined;
  };
  return {
    text: (text: string) => void pieces.push(text),
    open: (name: string, attributes: ReadonlyMap<string, string>): void => {
      if (blockElements.has(name)) pieces.push('\n');
      if (name === 'li') pieces.push('• ');
      if (name === 'img') pieces.push(attributes.get('alt') ?? '');
      if (name !== 'a' || !withAddresses) return;
      closeLink();
      const url = attributes.get('href')?.trim() ?? '';
      if (remoteAddress.test(url)) link = { url, from: pieces.length };
    },
    close: (name: string): void => {
      if (name === 'a') closeLink();
      if (cells.has(name)) pieces.push(' ');
      if (name !== 'br' && blockElements.has(name)) pieces.push('\n');
    },
    join: (): string => {
      closeLink();
      return pieces
        .join('')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n ?/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim();
    },
  };
};

const punctuation = new Set('.,;:!?)]}');

/** A URL without the punctuation after it. A regular expression would take quadratic time. */
const withoutPunctuation = (url: string): string => {
  let end = url.length;
  while (punctuation.has(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
};

const unique = (values: readonly string[]): string[] => [...new Set(values)].slice(0, maxResults);

/** One term of a query in Mailpit's syntax: every term must be found, those with a minus must not. */
export type SearchTerm = {
  readonly isExcluded: boolean;
  /** The field to search, `to`, `from` or `subject`; all fields without one. */
  readonly field: string | undefined;
  readonly text: string;
};

const terms = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]+))/gi;
const maxTerms = 50;
// Longer terms find nothing more and take longer to search for.
const maxTermLength = 256;

/**
 * The terms of `from:lena "seat reserved" -draft`.
 * @param fields names allowed before a colon; any other name is part of the word
 */
export const parseSearchQuery = (query: string, fields: readonly string[]): SearchTerm[] =>
  firstMatches(query)
    .map(([, minus, name = '', phrase, word = '']) => {
      const field = fields.find((known) => known === name.toLowerCase());
      const text = phrase ?? word;
      return {
        isExcluded: minus === '-',
        field,
        text: (field === undefined && name !== '' ? `${name}:${text}` : text).slice(0, maxTermLength),
      };
    })
    .filter(({ text }) => text !== '');

/** The first terms only: a long query may have a million. */
const firstMatches = (query: string): RegExpExecArray[] => {
  const matches: RegExpExecArray[] = [];
  for (const match of query.matchAll(terms)) {
    matches.push(match);
    if (matches.length === maxTerms) break;
  }
  return matches;
};

/** Whether a text matches a pattern in which `*` stands for any characters. Linear in both, unlike a regular expression. */
const matchesPattern = (text: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const index = text.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return at <= text.length - end.length;
};
