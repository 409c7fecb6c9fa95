/** Takes keys out of what is shown, wherever and however they stand in it. */
export type Redactor = {
  readonly text: (text: string) => string;
  readonly url: (url: string) => string;
  /** A text that ends in the middle of something. */
  readonly cut: (text: string) => string;
  /** A sentence that quotes something, perhaps a part of it with `...` around. */
  readonly message: (text: string) => string;
};

/** Those of some keys that nobody is to see. A shorter one would be found in ordinary words; a test key is no secret. */
export const secretsAmong = (keys: readonly string[]): string[] =>
  keys.filter((key) => key.length >= 8 && !key.startsWith('test_'));

/**
 * @param secrets keys the mock was told to accept
 * @param authorization the header of a request: the key it carries is as secret, accepted or not
 */
export const createRedactor = (secrets: readonly string[], authorization = ''): Redactor => {
  const carried = secretsAmong([authorization.replace(/^\S+\s+/, '').trim()]);
  // The longest first: one may begin as another does.
  const keys = [...new Set([...secrets, ...carried])].sort((one, other) => other.length - one.length);
  const text = (given: string): string => hide(given, keys).replace(keyInText, `$1${replacement}`);
  if (keys.length === 0) return { text, cut: text, message: text, url: hideParameter };
  return {
    text,
    url: (url) => hideParameter(hide(url, keys)),
    cut: (given) => text(withoutPart(hide(given, keys), keys)),
    message: (given) => {
      const parts = hide(given, keys).split('...');
      const last = parts.length - 1;
      const shown = parts.map((part, at) => {
        const begun = at === 0 ? part : withoutPartAhead(part, keys);
        return at === last ? begun : withoutPart(begun, keys);
      });
      return text(shown.join('...'));
    },
  };
};

export const replacement = 'REDACTED';

// The name of the parameter may itself be percent-encoded.
const keyInText = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&\s"]*/gi;
const keyInUrl = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&]*/gi;

const hideParameter = (url: string): string => url.replace(keyInUrl, `$1${replacement}`);

const hide = (text: string, keys: readonly string[]): string => {
  const escaped = keys.length > 0 && /[%\\]/.test(text);
  let shown = text;
  // Only where something may be escaped: this costs more. A key may itself look like an escape.
  for (const key of keys)
    shown = escaped ? shown.replace(inAnyForm(key), replacement) : shown.replaceAll(key, replacement);
  return shown;
};

const escapes = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\(["\\/])/gi;

/** The text with every character as itself that a URL or JSON may write as its number. Keys are ASCII. */
const unescaped = (text: string): string =>
  text.replace(
    escapes,
    (_, byte, unit, sign) => sign ?? String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
  );

const inAnyForm = (key: string): RegExp =>
  new RegExp(
    Array.from(key, (character) => {
      const digits = character.charCodeAt(0).toString(16);
      const code = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      const itself = character.replace(/[^A-Za-z0-9]/, '\\$&');
      return `(?:%${code}|\\\\u00${code}|\\\\?${itself})`;
    }).join(''),
    'g',
  );

// Fewer characters of a key tell nothing.
const least = 4;
const longestForm = '\\u0000'.length;
const brokenEscape = /(?:%[0-9a-f]?|\\(?:u0{0,2}[0-9a-f]?)?)$/i;

const isPart = (text: string, key: string): boolean => {
  const plain = unescaped(text).replace(brokenEscape, '');
  return plain.length >= least && key.includes(plain);
};

/** What is left of a key where a text was cut; the quote before `...` is not part of it. */
const withoutPart = (text: string, keys: readonly string[]): string => {
  const body = text.replace(/"$/, '');
  for (const key of keys)
    for (let at = Math.max(0, body.length - longestForm * key.length); at <= body.length - least; at += 1)
      if (isPart(body.slice(at), key)) return `${body.slice(0, at)}${replacement}${text.slice(body.length)}`;
  return text;
};

const withoutPartAhead = (text: string, keys: readonly string[]): string => {
  const quote = text.startsWith('"') ? '"' : '';
  const body = text.slice(quote.length);
  for (const key of keys)
    for (let end = Math.min(body.length, longestForm * key.length); end >= least; end -= 1)
      if (isPart(body.slice(0, end), key)) return `${quote}${replacement}${body.slice(end)}`;
  return text;
};
