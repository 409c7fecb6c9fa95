import { utf8AsLatin1 } from './platform.ts';

type Matches = {
  /** The parts of the text that the pattern covers; those that touch or overlap are one. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** How much of the pattern, less than all of it, the text ends with. */
  readonly state: number;
};

/** The algorithm of Knuth, Morris and Pratt: no character of the text is looked at again. */
const createMatcher = (pattern: string): ((text: string) => Matches) => {
  const borders = bordersOf(pattern);
  return (text) => {
    const spans: { start: number; end: number }[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      while (state > 0 && pattern.charCodeAt(state) !== unit) state = borders[state - 1] ?? 0;
      if (pattern.charCodeAt(state) === unit) state += 1;
      if (state !== pattern.length) continue;
      const start = at + 1 - pattern.length;
      const last = spans.at(-1);
      if (last && start <= last.end) last.end = at + 1;
      else spans.push({ start, end: at + 1 });
      state = borders[state - 1] ?? 0;
    }
    return { spans, state };
  };
};

/** For each beginning of a pattern: how long the longest shorter text is that it both begins and ends with. */
const bordersOf = (pattern: string): Uint32Array => {
  const borders = new Uint32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    const unit = pattern.charCodeAt(at);
    while (length > 0 && pattern.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
};

// In V8, `includes` may compare each character of a text with each one of the word: for short words it is faster all the same.
const maxShortWord = 32;

/** Whether a text contains a word, in time linear in both. */
export const contains = (text: string, word: string): boolean =>
  word.length <= maxShortWord || word.length > text.length
    ? text.includes(word)
    : createMatcher(word)(text).spans.length > 0;

/** A part of a text, from `start` up to but not including `end`. */
export type Span = { readonly start: number; readonly end: number };

/** Finds a key in texts, as itself and as URLs and JSON may write it, in time linear in the text and the key. */
export type KeyFinder = {
  readonly whole: (text: string) => Span[];
  /** The rest of a key where a text begins in the middle of it. */
  readonly beginning: (text: string) => Span[];
  /** The first part of a key where a text ends in the middle of it. */
  readonly ending: (text: string) => Span[];
  /** The text, where all of it is a part of the key. */
  readonly inside: (text: string) => Span[];
};

// Fewer characters of a key tell nothing.
const minPartLength = 4;

export const createKeyFinder = (key: string): KeyFinder => {
  // A URL writes other characters than ASCII as the bytes of their UTF-8 form, and HTTP delivers them so.
  const forms = [...new Set([key, utf8AsLatin1(key)])].map((form) => ({
    form,
    forwards: createMatcher(form),
    backwards: createMatcher(reverse(form)),
  }));
  return {
    whole: (text) =>
      viewsOf(text).flatMap((view) =>
        forms.flatMap(({ forwards }) =>
          forwards(view.text).spans.map(({ start, end }) => spanIn(view, start, end)),
        ),
      ),
    beginning: (text) =>
      viewsOf(text).flatMap((view) =>
        forms.flatMap(({ backwards }) => {
          const { state } = backwards(reverse(view.text));
          return state < minPartLength ? [] : [spanIn(view, 0, state)];
        }),
      ),
    ending: (text) =>
      viewsOfBeginning(text).flatMap((view) =>
        forms.flatMap(({ forwards }) => {
          const { state } = forwards(view.text);
          const start = view.text.length - state;
          return state < minPartLength
            ? []
            : [{ start: spanIn(view, start, start + 1).start, end: text.length }];
        }),
      ),
    inside: (text) =>
      viewsOf(text).flatMap((view) => {
        return view.text.length >= minPartLength && forms.some(({ form }) => contains(form, view.text))
          ? [{ start: 0, end: text.length }]
          : [];
      }),
  };
};

/** By units, not characters: only the same operation on a key compares with it. */
const reverse = (text: string): string => text.split('').reverse().join('');

/** A text without its escapes; `starts` has the place in the original for each unit and for the end. */
type View = { readonly text: string; readonly starts: Uint32Array | undefined };

const spanIn = ({ starts }: View, start: number, end: number): Span => ({
  start: starts?.[start] ?? start,
  end: starts?.[end] ?? end,
});

const urlEscape = /%([0-9a-f]{2})/gi;
const jsonEscape = /\\(?:u([0-9a-f]{4})|(["\\/]))/gi;
const anyEscape = /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

/** The text as it is, and as one reads it who takes the escapes of URLs, of JSON or of both for what they mean. */
const viewsOf = (text: string): View[] => {
  const plain: View = { text, starts: undefined };
  const hasUrlEscape = text.includes('%');
  const hasJsonEscape = text.includes('\\');
  return [
    plain,
    ...(hasUrlEscape ? [decode(text, urlEscape)] : []),
    ...(hasJsonEscape ? [decode(text, jsonEscape)] : []),
    ...(hasUrlEscape && hasJsonEscape ? [decode(text, anyEscape)] : []),
  ];
};

const brokenEscape = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?)$/i;

/** The same for a text that may end in the middle of an escape. */
const viewsOfBeginning = (text: string): View[] => {
  const whole = text.replace(brokenEscape, '');
  return whole === text ? viewsOf(text) : [...viewsOf(text), ...viewsOf(whole)];
};

const decode = (text: string, escapes: RegExp): View => {
  const pieces: string[] = [];
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  const copy = (from: number, to: number): void => {
    pieces.push(text.slice(from, to));
    for (let at = from; at < to; at += 1) starts[length++] = at;
  };
  let at = 0;
  for (const { 0: sequence, 1: first, 2: second, 3: third, index } of text.matchAll(escapes)) {
    copy(at, index);
    const [digits, sign] = escapes === jsonEscape ? [first, second] : [first ?? second, third];
    pieces.push(sign ?? String.fromCharCode(Number.parseInt(digits ?? '', 16)));
    starts[length++] = index;
    at = index + sequence.length;
  }
  copy(at, text.length);
  starts[length] = text.length;
  return { text: pieces.join(''), starts };
};

/** A query as Mailpit writes it: every term must be found, those with a minus must not. */
export type SearchTerm = {
  readonly isExcluded: boolean;
  /** `to`, `from`, `subject`: where it must be; anywhere without one. */
  readonly field: string | undefined;
  readonly text: string;
};

const terms = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]+))/gi;
const maxTerms = 50;

/**
 * The terms of `from:lena "seat reserved" -draft`.
 * @param fields names that may stand before a colon; any other is a part of the word
 */
export const parseSearchQuery = (query: string, fields: readonly string[]): SearchTerm[] =>
  firstMatches(query)
    .map(([, minus, name = '', phrase, word = '']) => {
      const field = fields.find((known) => known === name.toLowerCase());
      const text = phrase ?? word;
      return {
        isExcluded: minus === '-',
        field,
        text: field === undefined && name !== '' ? `${name}:${text}` : text,
      };
    })
    .filter(({ text }) => text !== '');

/** No further than they are read: a long query may have a million. */
const firstMatches = (query: string): RegExpExecArray[] => {
  const matches: RegExpExecArray[] = [];
  for (const match of query.matchAll(terms)) {
    matches.push(match);
    if (matches.length === maxTerms) break;
  }
  return matches;
};
