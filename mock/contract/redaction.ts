// Removes keys from texts for output: of the mock those it accepts, of the suite those of a deployment.

/** Replaces a key in the output of the command line. A shell replaces it by the key again. */
export const placeholder = '$EMAIL_LEADS_API_KEY';

export type Redact = (text: string) => string;

/**
 * Removes secrets from texts: as they are, in another letter case, escaped as in JSON, URLs, HTML or a shell (also nested), as
 * base64, and cut off before an ellipsis. Takes time linear in the text and works for every secret. Text that checks compare is
 * never redacted, because a key may occur by chance in a text that the run itself created.
 */
export const createRedactor = (secrets: readonly string[], replacement = placeholder): Redact => {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))];
  return (text) => redactSpellings(text, spellings, replacement);
};

/** The texts to search for a secret in a text without escapes, in lower case. */
export const spellingsOf = (secret: string): string[] => {
  const bytes = bytesOf(secret);
  const plain = [secret, bytes].map(foldCase);
  const base64 = base64Of(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  // A secret may itself contain what looks like an escape.
  const spellings = [...plain, ...plain.map((text) => undoEscapes(text).text), ...base64.map(foldCase)];
  return [...new Set(spellings)].filter((spelling) => spelling !== '');
};

/**
 * The spellings of the keys of a mock that must not be shown. Very short keys are left out, as they would match ordinary words;
 * so are test keys.
 */
export const secretsAmong = (keys: readonly string[]): string[] =>
  keys.filter((key) => key.length >= 8 && !key.startsWith('test_')).flatMap(spellingsOf);

/** @param spellings from `spellingsOf` */
export const redactSpellings = (text: string, spellings: readonly string[], replacement: string): string => {
  const removeFrom = (parts: string[], read: (text: string) => Reading): string[] =>
    parts.flatMap((part) => partsWithout(spellings, part, read));
  // What is redacted already is left out. Escapes are undone only between the keys that are found without that: each part that
  // stays then reads the same when it is redacted again.
  return [asWritten, undoEscapes].reduce(removeFrom, text.split(replacement)).join(replacement);
};

/** A text as it is searched, in lower case. */
type Reading = {
  readonly text: string;
  /** The place of a character of it in the original text. */
  readonly placeOf: (index: number) => number;
};

/** Lower case with the same length: `İ` becomes longer. */
const foldCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
};

const asWritten = (text: string): Reading => ({ text: foldCase(text), placeOf: (index) => index });

/**
 * Everything that stands for one character: a quote in a word of a shell, `...`, and the escapes of JSON, URLs and HTML. An
 * escape that an ellipsis cuts off, and backslashes alone, stand for nothing.
 */
const escapes =
  /'(?:\\'|"'")'|(?<dots>"?\.{3})|\\{1,15}u(?<unit>[0-9a-f]{4})|\\{1,15}x(?<short>[0-9a-f]{2})|%(?<byte>[0-9a-f]{2})|&(?:#(?<decimal>\d{1,7})|#x(?<hex>[0-9a-f]{1,6})|(?<name>lt|gt|quot|apos|amp));|(?<cut>(?:\\{1,15}[ux]?|[%&]#?x?)[0-9a-z]{0,6}(?="?(?:…|\.{3})))|\\{1,15}/g;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** A text may be escaped several times: a URL in HTML in JSON. Deeper escapes stay. */
const maxNesting = 5;

const undoEscapes = (original: string): Reading => {
  let reading = asWritten(original);
  for (let depth = 0; depth < maxNesting && reading.text.search(escapes) >= 0; depth += 1)
    reading = undoOnce(reading);
  return reading;
};

const undoOnce = ({ text, placeOf }: Reading): Reading => {
  const parts: string[] = [];
  const places = new Int32Array(text.length + 1);
  let length = 0;
  let read = 0;
  let place = 0; // of the next character: before its backslashes
  const copyTo = (end: number): void => {
    parts.push(text.slice(read, end));
    for (; read < end; read += 1, place = read) places[length++] = place;
  };
  for (const { 0: written, index, groups = {} } of text.matchAll(escapes)) {
    copyTo(index);
    const character = characterOf(written, groups);
    parts.push(character);
    if (character !== '') places[length++] = place;
    read += written.length;
    if (character !== '' || groups.cut !== undefined) place = read;
  }
  copyTo(text.length);
  places[length] = text.length;
  return { text: parts.join(''), placeOf: (index) => placeOf(places[index] ?? text.length) };
};

const characterOf = (
  written: string,
  { dots, unit, short, byte, decimal, hex, name }: Readonly<Record<string, string | undefined>>,
): string => {
  if (written.startsWith("'")) return "'";
  if (dots !== undefined) return '…';
  if (name !== undefined) return entities[name] ?? '';
  const hexadecimal = unit ?? short ?? byte ?? hex;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return Number.isNaN(code) ? '' : foldCase(String.fromCharCode(code));
};

/** The parts of a text around the places where a spelling occurs. */
const partsWithout = (
  spellings: readonly string[],
  original: string,
  read: (text: string) => Reading,
): string[] => {
  const { text, placeOf } = read(original);
  let covered: Uint8Array | undefined;
  for (const spelling of spellings) {
    let end = 0;
    eachOccurrence(text, spelling, (from, to) => {
      covered ??= new Uint8Array(original.length);
      covered.fill(1, placeOf(Math.max(from, end)), placeOf(to));
      end = to;
    });
  }
  if (!covered) return [original];
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const start = covered.indexOf(1, at);
    parts.push(original.slice(at, start < 0 ? original.length : start));
    if (start < 0) return parts;
    const end = covered.indexOf(0, start);
    at = end < 0 ? original.length : end;
  }
};

/** So many characters of a secret reveal something: fewer before an ellipsis are not taken for its beginning. */
const leastTelling = 4;

/**
 * Finds a spelling, also where occurrences overlap, and its beginning before an ellipsis. This is the search of Knuth, Morris and
 * Pratt, which never reads a character twice.
 */
const eachOccurrence = (text: string, spelling: string, found: (from: number, to: number) => void): void => {
  const beginning = spelling.slice(0, leastTelling);
  let at = text.indexOf(beginning);
  if (at < 0) return;
  const borders = bordersOf(spelling.slice(0, text.length));
  let matched = 0;
  for (; at < text.length; at += 1) {
    if (matched === 0) {
      at = text.indexOf(beginning, at);
      if (at < 0) return;
    }
    const unit = text.charCodeAt(at);
    if (matched >= beginning.length && text[at] === '…') found(at - matched, at);
    while (matched > 0 && spelling.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (spelling.charCodeAt(matched) === unit) matched += 1;
    if (matched === spelling.length) found(at + 1 - matched, at + 1);
  }
};

/** For each beginning of a text, the length of its longest other beginning with which it also ends. */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
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
