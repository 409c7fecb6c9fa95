import { plainEntities, withoutEntities } from './html-entities.ts';

/** What a test looks for in a mail. */
export type MailContents = {
  /** Where its links lead, and addresses that stand in its text, each once in order of appearance. */
  readonly links: readonly string[];
  /** What may be one-time codes: numbers of 4 to 8 digits that stand by themselves. */
  readonly codes: readonly string[];
};

// A mail of megabytes is no reason to keep a reader waiting.
const longestRead = 1024 * 1024;
const mostFound = 100;

// None of these goes over the same text twice, whatever a mail holds.
const borders = /<(\/?)(style|script|head|title)\b[^<>]*>|<!--|-->/gi;
const hrefs = /<(?:a|area)\s[^<>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const tags = /<[^<>]*>/g;
const addresses = /https?:\/\/[^\s<>"'`]+/gi;
// Neither part of a longer number, date, time, price or name, nor of an address.
const numbers = /(?<![\w.,:/#€$£+=&-])\d{4,8}(?![\w:/=&-]|[.,]\d)/g;

export const contentsOf = (html: string | null): MailContents => {
  const source = shown((html ?? '').slice(0, longestRead));
  const linked = [...source.matchAll(hrefs)].map((match) => ({
    at: match.index,
    url: decoded(match[1] ?? match[2] ?? match[3] ?? '').trim(),
  }));
  // As long as the source, so that places in both can be compared.
  const text = source.replace(tags, (tag) => ' '.repeat(tag.length));
  const plain = [...text.matchAll(addresses)].map((match) => ({
    at: match.index,
    url: decoded(match[0]).replace(/[.,;:!?)\]}]+$/, ''),
  }));
  const links = [...linked, ...plain].sort((one, other) => one.at - other.at).map(({ url }) => url);
  const words = decoded(text).replace(addresses, ' ');
  return {
    links: firstOfEach(links.filter((url) => url !== '' && !url.startsWith('#'))),
    codes: firstOfEach(words.match(numbers) ?? []),
  };
};

/** Without comments and the parts of a page that nobody reads. */
const shown = (html: string): string => {
  const parts: string[] = [];
  let from = 0;
  let within: string | undefined;
  for (const { 0: border, 1: slash, 2: name, index } of html.matchAll(borders)) {
    const part = (name ?? '<!--').toLowerCase();
    const opens = border === '<!--' || (name !== undefined && slash === '');
    if (within === undefined && opens) {
      parts.push(html.slice(from, index));
      within = part;
    } else if (within === part && !opens) {
      within = undefined;
      from = index + border.length;
    }
  }
  return (within === undefined ? [...parts, html.slice(from)] : parts).join(' ');
};

const firstOfEach = (found: readonly string[]): string[] => [...new Set(found)].slice(0, mostFound);

const decoded = (text: string): string => withoutEntities(text, plainEntities);
