import { Tokenizer } from 'htmlparser2';
import { placeholdersIn } from './warnings.ts';

/** A part of a mail, and its position in the HTML. */
export type Found = { readonly text: string; readonly at: number };

/** The parts of a mail that tests need. */
export type MailContents = {
  /** The text in lines. */
  readonly text: string;
  /** The URLs of its links and in its text, without duplicates, in order of appearance. */
  readonly links: readonly string[];
  /** Possible one-time codes in their original form: `123456`, `123-456`, `123 456`, `G-123456`, `AB12CD`. */
  readonly codes: readonly string[];
};

/** What the rules for messages judge. */
export type MailParts = {
  readonly hasText: boolean;
  /** In the text and in attributes. */
  readonly placeholders: readonly Found[];
  /** The URLs of links. */
  readonly hrefs: readonly Found[];
  /** The URLs of images without an alternative text. */
  readonly bareImages: readonly Found[];
};

const blockElements = new Set([
  ...['p', 'div', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'blockquote', 'pre'],
  ...['section', 'header', 'footer', 'hr', 'br'],
]);
const cells = new Set(['td', 'th']);

// Neither blank nor invisible: mails fill their beginning with such characters.
const readable = /(?![\u034f\u2800])[^\s\p{Cc}\p{Cf}]/u;

/** Reads a mail once, in linear time. */
export const readMail = (html: string): { readonly contents: MailContents; readonly parts: MailParts } => {
  const pieces: string[] = [];
  // The place of a link in the text, which orders it among the URLs there.
  const links: { readonly url: string; readonly place: number }[] = [];
  const placeholders: Found[] = [];
  const hrefs: Found[] = [];
  const bareImages: Found[] = [];
  let length = 0;
  // What follows in longer HTML is not read.
  let hasText = html.length > maxHtmlLength;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  readHtml(html, {
    text: (text, at) => {
      add(text);
      hasText ||= readable.test(text);
      for (const found of placeholdersIn(text)) placeholders.push({ ...found, at: at + found.at });
    },
    open: (name, attributes, at) => {
      if (blockElements.has(name)) add('\n');
      if (name === 'li') add('• ');
      if (name === 'img') add(attributes.get('alt') ?? '');
      for (const value of attributes.values())
        for (const { text } of placeholdersIn(value)) placeholders.push({ text, at });
      if (name === 'img' && !attributes.has('alt'))
        bareImages.push({ text: attributes.get('src') ?? '', at });
      const href = name === 'a' || name === 'area' ? attributes.get('href')?.trim() : undefined;
      if (href === undefined) return;
      links.push({ url: href, place: length });
      hrefs.push({ text: href, at });
    },
    close: (name) => {
      if (cells.has(name)) add(' ');
      if (name !== 'br' && blockElements.has(name)) add('\n');
    },
  });
  const raw = pieces.join('');
  for (const { 0: url, index } of raw.matchAll(addresses))
    links.push({ url: withoutPunctuation(url), place: index });
  const urls = links.sort((a, b) => a.place - b.place).map(({ url }) => url);
  return {
    contents: {
      text: toLines(raw),
      links: unique(urls.filter((url) => url !== '' && !url.startsWith('#'))),
      codes: unique(codesIn(raw.replace(addresses, ' '))),
    },
    parts: { hasText, placeholders, hrefs, bareImages },
  };
};

/** One line per block, without other white space than single spaces. */
const toLines = (raw: string): string =>
  raw
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

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

const punctuation = new Set('.,;:!?)]}');

/** A URL without the punctuation after it. A regular expression would take quadratic time. */
const withoutPunctuation = (url: string): string => {
  let end = url.length;
  while (punctuation.has(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
};

const maxResults = 100;

const unique = (values: readonly string[]): string[] => [...new Set(values)].slice(0, maxResults);

/** Callbacks for the visible parts of HTML, from beginning to end, with the position of each. Names are in lower case. */
type HtmlVisitor = {
  readonly text: (text: string, at: number) => void;
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, at: number) => void;
  readonly close: (name: string) => void;
};

// Half a megabyte of any HTML is read in less than 100 ms. The rest is not parsed.
const maxHtmlLength = 512 * 1024;

const hiddenElements = new Set(['style', 'script', 'title', 'template', 'head']);

/**
 * Reads HTML tag by tag, in linear time, without what is inside invisible elements. Uses only the tokenizer of the library: its
 * parser searches all open elements for each end tag.
 */
const readHtml = (html: string, visitor: HtmlVisitor): void => {
  const source = html.slice(0, maxHtmlLength);
  let hidden: string | undefined;
  let name = '';
  let at = 0;
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  const readText = (text: string, start: number): void => {
    if (hidden === undefined) visitor.text(text, start);
  };
  const open = (): void => {
    // A body ends a head without an end tag.
    if (hidden === 'head' && name === 'body') hidden = undefined;
    if (hidden !== undefined) return;
    if (hiddenElements.has(name)) hidden = name;
    else visitor.open(name, attributes, at);
  };
  const close = (closed: string): void => {
    if (hidden === closed) hidden = undefined;
    else if (hidden === undefined) visitor.close(closed);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => readText(source.slice(start, end), start),
      ontextentity: (code, end) => readText(String.fromCodePoint(code), end),
      onopentagname: (start, end) => {
        at = start;
        name = source.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        attribute = source.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += source.slice(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      // Of attributes with the same name the first one applies.
      onattribend: () => {
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => close(source.slice(start, end).toLowerCase()),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
};

const ignore = (): void => undefined;
