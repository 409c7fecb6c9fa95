import { createKeyFinders, type KeyFinder, type Span } from './key-finder.ts';

/** Removes keys from texts before they are shown, in any position and encoding. */
export type Redactor = {
  readonly text: (text: string) => string;
  readonly url: (url: string) => string;
  /** For a text that was cut, and may end within a key. */
  readonly cut: (text: string) => string;
  /** For a sentence with quotations, which may be cut and marked with `...`. */
  readonly message: (text: string) => string;
};

/** Whether a key is a test key, which every mock without `acceptKeys` accepts. It is not secret and may be shown. */
export const isTestKey = (key: string): boolean => /^test_[A-Za-z0-9_-]{0,120}$/.test(key);

/** The keys that must not be shown. Very short ones are left out, as they would match ordinary words; so are test keys. */
export const secretsAmong = (keys: readonly string[]): string[] =>
  keys.filter((key) => key.length >= 8 && !key.startsWith('test_'));

export const replacement = 'REDACTED';

/**
 * @param secrets keys the mock accepts
 * @param authorization the header of a request: the key it carries is as secret, accepted or not
 */
export const createRedactor = (secrets: readonly string[], authorization = ''): Redactor => {
  const requestKeys = secretsAmong([authorization.replace(/^\S+\s+/, '').trim()]);
  const finders = [...new Set([...secrets, ...requestKeys])].flatMap(createKeyFinders);
  const redact = (text: string, find: (finder: KeyFinder) => readonly Span[]): string =>
    replaceSpans(text, finders.flatMap(find));
  const keys = (text: string): string => redact(text, ({ whole }) => whole(text));
  return {
    text: orWithhold((text) => redactParameterInText(keys(text))),
    url: orWithhold((url) => redactParameter(keys(url))),
    cut: orWithhold((text) =>
      redactParameterInText(redact(text, ({ whole, ending }) => [...whole(text), ...ending(text)])),
    ),
    message: orWithhold((text) => {
      const parts = keys(text).split('...');
      const last = parts.length - 1;
      const redacted = parts.map((part, at) =>
        redact(part, (finder) => spansOfPart(finder, part, at > 0, at < last)),
      );
      return redactParameterInText(redacted.join('...'));
    }),
  };
};

/** Shows nothing of a text for which redaction fails. */
const orWithhold =
  (redact: (text: string) => string) =>
  (text: string): string => {
    try {
      return redact(text);
    } catch {
      return replacement;
    }
  };

// The name of the parameter may itself be percent-encoded.
const keyInText = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&\s"]*/gi;
const keyInUrl = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&]*/gi;

const redactParameterInText = (text: string): string => text.replace(keyInText, `$1${replacement}`);

const redactParameter = (url: string): string => url.replace(keyInUrl, `$1${replacement}`);

/** Finds keys in a part of a quotation, which may begin or end within a key. The quotation marks do not belong to it. */
const spansOfPart = (finder: KeyFinder, part: string, cutAtStart: boolean, cutAtEnd: boolean): Span[] => {
  const from = cutAtStart && part.startsWith('"') ? 1 : 0;
  const to = cutAtEnd && part.length > from && part.endsWith('"') ? part.length - 1 : part.length;
  const body = part.slice(from, to);
  return [
    ...(cutAtStart ? finder.beginning(body) : []),
    ...(cutAtEnd ? finder.ending(body) : []),
    ...(cutAtStart && cutAtEnd ? finder.inside(body) : []),
  ].map(({ start, end }) => ({ start: start + from, end: end + from }));
};

/** Replaces each span of a text. Spans that touch or overlap are replaced together. */
const replaceSpans = (text: string, spans: readonly Span[]): string => {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  let replacedTo = -1;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start > replacedTo) {
      pieces.push(text.slice(at, start), replacement);
      replacedTo = end;
    }
    replacedTo = Math.max(replacedTo, end);
    at = replacedTo;
  }
  return [...pieces, text.slice(at)].join('');
};
