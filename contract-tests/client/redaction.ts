/** What stands in every text in place of the key. */
export const placeholder = '$EMAIL_LEADS_API_KEY';

export type Redact = (text: string) => string;

/**
 * Takes the key out of a text that somebody may read: in any case, escaped as JSON, HTML or a URL does it (letter by
 * letter, mixed and nested), as base64, and where an excerpt ended in the middle of it. What checks compare is never
 * redacted: a key may well be a part of a text that the run itself made up.
 * @param derived other keys that were made from it, and tell of it
 */
export const createRedactor = (key: string, derived: readonly string[] = []): Redact => {
  if (key === '') return (text) => text;
  const pattern = new RegExp(
    [
      // First, so that redacting twice is redacting once, whatever the key.
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

/** The beginning of the key before an ellipsis, perhaps with a piece of an escape between them. */
const cutShort = (letters: readonly string[]): string => {
  const certain = Math.min(leastTelling, letters.length);
  const rest = letters.slice(certain).reduceRight((inner, letter) => `(?:${letter}${inner})?`, '');
  return `${letters.slice(0, certain).join('')}${rest}(?:[\\\\%&][^\\s…]{0,7})?(?=…)`;
};

/** What the key looks like inside base64, wherever in a longer text it begins. */
const base64Cores = (key: string): string[] => {
  if (key.length < 6) return [];
  return [0, 1, 2].map((offset) => {
    const whole = Math.floor(((offset + key.length) * 8) / 6);
    const text = Buffer.from('x'.repeat(offset) + key).toString('base64');
    const core = text.slice(Math.ceil((offset * 8) / 6), whole);
    return core.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
};
