/** A part of a text, from `start` up to but not including `end`. */
export type Span = { readonly start: number; readonly end: number };

/** Finds a key in texts, as itself and as URLs and JSON may write each of its letters. */
export type KeyFinder = {
  readonly whole: (text: string) => Span[];
  /** The rest of a key where a text begins in the middle of it. */
  readonly beginning: (text: string) => Span[];
  /** The first part of a key where a text ends in the middle of it. */
  readonly ending: (text: string) => Span[];
  /** The text, where all of it is a part of the key. */
  readonly inside: (text: string) => Span[];
};

// What a text is searched for takes time for each letter. A longer key is known by so many at either end.
const maxLetters = 256;
// So long is a part of a key in escapes, the last of them broken off.
const maxPartLength = 6 * maxLetters + 5;
// Fewer letters of a key tell nothing.
const minPartLength = 4;

/** Several for a key with the signs of escapes in it: for each way to read a text, the key is another pattern. */
export const createKeyFinders = (key: string): KeyFinder[] =>
  readingsOf(key).map((reading) => createKeyFinder(key, reading));

const createKeyFinder = (key: string, reading: Reading): KeyFinder => {
  const isLong = key.length > maxLetters;
  const head = Array.from(key.slice(0, maxLetters), (letter) => spellingsOf(letter, reading));
  const tail = Array.from(key.slice(-maxLetters), (letter) => spellingsOf(letter, reading));
  // Ahead of a place and not from it on: places may overlap.
  const whole = new RegExp(`(?=(${head.join('')}))`, 'gi');
  const ending = new RegExp(`${anyBeginning(head)}(?:${brokenEscape})?$`, 'i');
  const beginning = new RegExp(`^${anyEnding(tail)}`, 'i');
  return {
    whole: (text) => {
      // Where a long key ends is not known: nothing of the text is shown.
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

/** Which escapes of a text mean what they stand for. */
type Reading = { readonly url: boolean; readonly json: boolean };

// Without the signs of escapes in a key it makes no difference whether a text has any.
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

/** A letter as a text may write it. No spelling begins another: there is one way to match, and nothing to go back to. */
const spellingsOf = (letter: string, { url, json }: Reading): string => {
  const literal = letter.replace(/[^A-Za-z0-9]/, '\\$&');
  const hex = hexOf(letter);
  const spellings = [
    ...(url && hex < '0100' ? [`%${hex.slice(2)}`] : []),
    // HTTP delivers a letter beyond ASCII as one byte; a URL writes it as the bytes of its UTF-8 form.
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

// Where a text ends in the middle of one.
const brokenEscape = '%[0-9a-f]?|\\\\(?:u[0-9a-f]{0,3})?';

const anyEscape = /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

const read = (text: string, { url, json }: Reading): string =>
  text.replace(anyEscape, (written, byte?: string, unit?: string, sign?: string) => {
    if (byte === undefined ? !json : !url) return written;
    return sign ?? String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16));
  });
