// Removes keys from texts for output: of the mock those it accepts, of the suite those of a deployment.

/** Replaces a key in the output of the command line. A shell replaces it by the key again. */
export const placeholder = '$EMAIL_LEADS_API_KEY';

export type Redact = (text: string) => string;

const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie)$|api-?key|token|secret/i;

/**
 * The value of a header for output: without keys, and only the scheme of one that may contain a key or a session.
 * @param replacement for the whole value of such a header
 */
export const redactHeader = (name: string, value: string, redact: Redact, replacement: string): string =>
  secretHeader.test(name) ? `${/^(Bearer|Basic) /i.exec(value)?.[0] ?? ''}${replacement}` : redact(value);

/**
 * Removes secrets from texts: as they are, in another letter case, escaped as in JSON, URLs, HTML or a shell, as base64, and cut
 * off before an ellipsis. Text that checks compare is never redacted, because a key may occur by chance in a text that the run
 * itself created.
 */
export const createRedactor = (secrets: readonly string[]): Redact => {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))];
  return (text) => redactSpellings(text, spellings, placeholder);
};

/** Writes each character of a text in another form. */
const each = (form: (character: string) => string) => (text: string) => Array.from(text, form).join('');

const hex = (character: string, length: number): string =>
  character.charCodeAt(0).toString(16).padStart(length, '0');

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Percent-encodes bytes. @param kept matches those that stay as they are */
const inUrl = (kept: RegExp) => each((byte) => (kept.test(byte) ? byte : `%${hex(byte, 2)}`));
const inUrlPart = inUrl(/[\w.!~*'()-]/);

/** A word in single quotes. */
const inQuotes = (text: string): string => text.replaceAll("'", "'\\''");

/** An argument of `printf %b`, as `shell.ts` writes texts with invisible characters. */
const inPrintf = (text: string): string =>
  text.replaceAll(/[\\!]/g, (sign) => `\\0${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);

const entities: Readonly<Record<string, string>> = { '<': 'lt', '>': 'gt', '"': 'quot', '&': 'amp' };

/** JSON in JSON may stand in JSON. */
const maxNesting = 3;

/** The texts to search for a secret, in lower case: how software writes it. */
export const spellingsOf = (secret: string): string[] => {
  const bytes = bytesOf(secret);
  const spellings = new Set([
    ...[secret, bytes, each((character) => `\\u${hex(character, 4)}`)(secret)],
    ...[inUrl(/[\w.!~*'();/?:@&=+$,#-]/)(bytes), inUrlPart(bytes), inUrlPart(inUrlPart(bytes))],
    // As a segment of a path.
    inUrl(/[\w.!~*'():@=,-]/)(bytes),
    each((byte) => `%${hex(byte, 2)}`)(bytes),
    secret.replaceAll(/[<>&"]/g, (sign) => `&${entities[sign]};`),
    secret.replaceAll(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    inQuotes(secret),
    ...base64Of(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ]);
  for (let depth = 0; depth < maxNesting; depth += 1)
    for (const text of [...spellings]) spellings.add(inJson(text));
  for (const text of [secret, inJson(secret)]) spellings.add(inQuotes(inPrintf(text)));
  return [...new Set([...spellings].map(foldCase))].filter((spelling) => spelling !== '');
};

/** Whether a key is a test key, which every mock without `acceptKeys` accepts. It is not secret and may be shown. */
export const isTestKey = (key: string): boolean => /^test_[A-Za-z0-9_-]{0,120}$/.test(key);

/** Those of a mock's keys that must not be shown. Very short ones are left out, as they would match ordinary words. */
const secretKeysAmong = (keys: readonly string[]): string[] =>
  keys.filter((key) => key.length >= 8 && !key.startsWith('test_'));

/** Their spellings. */
export const secretsAmong = (keys: readonly string[]): string[] => secretKeysAmong(keys).flatMap(spellingsOf);

/** Replaces a key in what the mock shows. */
export const replacement = 'REDACTED';

// The name of the parameter may itself be percent-encoded.
const keyParameter = /([?&](?:k|%6b)(?:e|%65)(?:y|%79)=)[^&\s"]*/gi;

/** Removes the keys that a mock accepts, as they are, and what a URL has as `?key=`, from what the mock shows. */
export const createKeyRedactor = (keys: readonly string[]): Redact => {
  // A key may begin with another one.
  const secrets = secretKeysAmong(keys).sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const key of secrets) redacted = redacted.replaceAll(key, replacement);
    return redacted.includes('=') ? redacted.replace(keyParameter, `$1${replacement}`) : redacted;
  };
};

/** @param spellings from `spellingsOf` */
export const redactSpellings = (text: string, spellings: readonly string[], replacement: string): string =>
  // What is redacted already stays.
  text
    .split(replacement)
    .map((part) => redactPart(part, spellings, replacement))
    .join(replacement);

/** Lower case with the same length: `İ` becomes longer. */
const foldCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
};

type Place = { readonly from: number; readonly to: number };

const redactPart = (text: string, spellings: readonly string[], replacement: string): string => {
  const folded = foldCase(text);
  const isCut = /…|\.{3}/.test(text);
  const places = spellings.flatMap((spelling) => placesOf(folded, spelling, isCut));
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of places.sort((left, right) => left.from - right.from)) {
    // Places that overlap, or follow each other, are one.
    if (from > end || parts.length === 0) parts.push(text.slice(end, from));
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join(replacement);
};

/** So many characters of a secret reveal something: fewer before an ellipsis are not taken for its beginning. */
const leastTelling = 4;

/** The places of a spelling, and of its beginning before an ellipsis. */
const placesOf = (text: string, spelling: string, isCut: boolean): readonly Place[] => {
  const places: Place[] = [];
  const beginning = spelling.slice(0, leastTelling);
  for (let from = text.indexOf(beginning); from >= 0; from = text.indexOf(beginning, from + 1)) {
    if (text.startsWith(spelling, from)) places.push({ from, to: from + spelling.length });
    else if (isCut) {
      let to = from;
      while (to - from < spelling.length && text[to] === spelling[to - from]) to += 1;
      if (to - from >= leastTelling && /^"?(…|\.{3})/.test(text.slice(to, to + 4))) places.push({ from, to });
    }
  }
  return places;
};

/** A text as the bytes that a URL or base64 encodes, one character each. */
const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** The base64 forms of bytes, without what depends on the text around them, for each place at which they can begin in a longer text. */
const base64Of = (bytes: string): string[] =>
  bytes.length < 6
    ? []
    : [0, 1, 2].map((offset) =>
        btoa('x'.repeat(offset) + bytes).slice(
          Math.ceil((offset * 8) / 6),
          Math.floor(((offset + bytes.length) * 8) / 6),
        ),
      );
