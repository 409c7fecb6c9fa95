/** A part of a text, from `start` up to but not including `end`. */
export type Span = { readonly start: number; readonly end: number };

/** Finds a key in texts, in plain form and with any of its characters escaped as in URLs and JSON. */
export type KeyFinder = {
  readonly whole: (text: string) => Span[];
  /** The rest of a key where a text begins in the middle of it. */
  readonly beginning: (text: string) => Span[];
  /** The first part of a key where a text ends in the middle of it. */
  readonly ending: (text: string) => Span[];
  /** The text, where all of it is a part of the key. */
  readonly inside: (text: string) => Span[];
};

// Searching takes time for each character of a key. Of a longer key, this many at either end are searched for.
const maxLetters = 256;
// The longest form of a part of a key: all escapes, the last one incomplete.
const maxPartLength = 6 * maxLetters + 5;
// Fewer characters of a key reveal nothing.
const minPartLength = 4;

/** Several finders for a key that contains `%` or `\`: for each way to unescape a text, the pattern of the key differs. */
export const createKeyFinders = (key: string): KeyFinder[] =>
  readingsOf(key).map((reading) => createKeyFinder(key, reading));

const createKeyFinder = (key: string, reading: Reading): KeyFinder => {
  const isLong = key.length > maxLetters;
  const head = Array.from(key.slice(0, maxLetters), (letter) => spellingsOf(letter, reading));
  const tail = Array.from(key.slice(-maxLetters), (letter) => spellingsOf(letter, reading));
  // A lookahead, because matches may overlap.
  const whole = new RegExp(`(?=(${head.join('')}))`, 'gi');
  const ending = new RegExp(`${anyBeginning(head)}(?:${brokenEscape})?$`, 'i');
  const beginning = new RegExp(`^${anyEnding(tail)}`, 'i');
  return {
    whole: (text) => {
      // The end of a long key is unknown, so the whole text is redacted.
      if (isLong) return text.search(whole) < 0 ? [] : [{ start: 0, end: text.length }];
      return Array.from(text.matchAll(whole), ({ 1: { length } = '', index }) => ({
        start: index,
        end: index + length,
      }));
    },
    beginning: (text) => {
      const match = beginning.exec(text);
      return match ? [{ start: 0, end: match[0].length }] : [];
    },
    ending: (text) => {
      const from = Math.max(0, text.length - maxPartLength);
      const match = ending.exec(text.slice(from));
      return match ? [{ start: from + match.index, end: text.length }] : [];
    },
    inside: (text) => {
      const plain = read(text, reading);
      return plain.length >= minPartLength && key.includes(plain) ? [{ start: 0, end: text.length }] : [];
    },
  };
};

/** Which kinds of escapes are decoded in a text. */
type Reading = { readonly url: boolean; readonly json: boolean };

// For a key without `%` and `\` one reading is enough.
const readingsOf = (key: string): readonly Reading[] => [
  { url: true, json: true },
  ...(/[%\\]/.test(key)
    ? [
        { url: true, json: false },
        { url: false, json: true },
        { url: false, json: false },
      ]
    : []),
];

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');

/** All forms of a character in a text. No form is the beginning of another, so that matching needs no backtracking. */
const spellingsOf = (letter: string, { url, json }: Reading): string => {
  const literal = letter.replace(/[^A-Za-z0-9]/, '\\$&');
  const hex = hexOf(letter);
  const spellings = [
    ...(url && hex < '0100' ? [`%${hex.slice(2)}`] : []),
    // HTTP delivers a character beyond ASCII as one byte; a URL encodes the bytes of its UTF-8 form.
    ...(url && hex >= '0080' && hex < '0100' ? [encodeURIComponent(letter)] : []),
    ...(json ? [`\\\\u${hex}`] : []),
    ...(json && '"\\/'.includes(letter) ? [`\\\\${literal}`] : []),
    literal +
      (url && letter === '%' ? '(?![0-9a-f]{2})' : '') +
      (json && letter === '\\' ? '(?!u[0-9a-f]{4}|["\\\\/])' : ''),
  ];
  return `(?:${spellings.join('|')})`;
};

const anyBeginning = (letters: readonly string[]): string =>
  letters.slice(0, minPartLength).join('') +
  letters.slice(minPartLength).reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');

const anyEnding = (letters: readonly string[]): string =>
  letters.slice(0, -minPartLength).reduce((before, letter) => `(?:${before}${letter})?`, '') +
  letters.slice(-minPartLength).join('');

// An escape that is cut by the end of a text.
const brokenEscape = '%[0-9a-f]?|\\\\(?:u[0-9a-f]{0,3})?';

const anyEscape = /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

const read = (text: string, { url, json }: Reading): string =>
  text.replace(anyEscape, (written, byte?: string, unit?: string, sign?: string) => {
    if (byte === undefined ? !json : !url) return written;
    return sign ?? String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16));
  });
