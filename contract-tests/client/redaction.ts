/** Replacement for the key in every text. */
export const placeholder = '$EMAIL_LEADS_API_KEY';

export type Redact = (text: string) => string;

/**
 * Removes the key from a text for output: in any letter case, escaped as in JSON, HTML or URLs (also partly and
 * nested), as base64, and cut off by an excerpt. Text that checks compare is never redacted, because the key may occur
 * by chance in a text that the run itself created.
 * @param derived other secrets that were made from the key
 */
export const createRedactor = (key: string, derived: readonly string[] = []): Redact => {
  if (key === '') return (text) => text;
  const pattern = new RegExp(
    [
      // First, so that redaction is idempotent for every key.
      literally(placeholder),
      ...[key, ...derived].flatMap(spellingsOf),
    ].join('|'),
    'gi',
  );
  return (text) => text.replace(pattern, () => placeholder);
};

const spellingsOf = (key: string): string[] => {
  const letters = Array.from(key, anySpelling);
  return [letters.join(''), ...base64Cores(key), cutShort(letters)];
};

const literally = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '\\$&');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const anySpelling = (letter: string): string => {
  const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
  const entity = entities[letter];
  const spellings = [
    literally(letter),
    `u00${hex}`,
    `x${hex}`,
    `%(?:25){0,2}${hex}`,
    `&#0{0,3}${letter.charCodeAt(0)};`,
    `&#x0{0,3}${hex};`,
    ...(entity === undefined ? [] : [entity]),
  ];
  return `\\\\{0,15}(?:${spellings.join('|')})`;
};

const leastTelling = 4;

/** Matches the beginning of the key before an ellipsis, with an optional fragment of an escape between them. */
const cutShort = (letters: readonly string[]): string => {
  const certain = Math.min(leastTelling, letters.length);
  const rest = letters.slice(certain).reduceRight((inner, letter) => `(?:${letter}${inner})?`, '');
  return `${letters.slice(0, certain).join('')}${rest}(?:[\\\\%&][^\\s…]{0,7})?(?=…)`;
};

/** The base64 forms of the key, for each offset at which it can begin in a longer text. */
const base64Cores = (key: string): string[] => {
  if (key.length < 6) return [];
  return [0, 1, 2].map((offset) => {
    const whole = Math.floor(((offset + key.length) * 8) / 6);
    const text = Buffer.from('x'.repeat(offset) + key).toString('base64');
    const core = text.slice(Math.ceil((offset * 8) / 6), whole);
    return core.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
};
