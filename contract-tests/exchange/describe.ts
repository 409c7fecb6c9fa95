/** Formats a count with a noun: `1 check`, `2 checks`. */
export const plural = (count: number, singular: string, many = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : many}`;

/** Length of the common prefix of two texts, in UTF-16 units. */
export const sharedStart = (left: string, right: string): number => {
  let at = 0;
  while (at < Math.min(left.length, right.length) && left[at] === right[at]) at += 1;
  return at;
};

/** Length of the common suffix of two texts, in UTF-16 units. */
const sharedEnd = (left: string, right: string): number => sharedStart(reversed(left), reversed(right));

const reversed = (text: string): string => text.split('').reverse().join('');

const lookalikeForm = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]+/gu, ' ');

/** Whether two texts look the same: composed and decomposed letters, different kinds of blanks. */
const alike = (left: string, right: string): boolean => lookalikeForm(left) === lookalikeForm(right);

const escaped = (text: string): string =>
  text.replaceAll(/[^\n\r\t -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Formats a value for a finding. */
export const show = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const betweenQuotes = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\\\u', '\\u');

/**
 * Formats two texts for a finding, expected and actual. If they look the same, the
 * difference is escaped: `e\u0301` and `\u00e9`. If they differ late, they are shown from a little before the difference.
 */
export const describeDifference = (expected: string, actual: unknown): [expected: string, actual: string] => {
  if (typeof actual !== 'string') return [show(expected), show(actual)];
  const start = sharedStart(expected, actual);
  if (start > 120) {
    const fromThere = (text: string): string => `…${text.slice(start - 20).replace(/^[\udc00-\udfff]/, '')}`;
    const [left, right] = describeDifference(fromThere(expected), fromThere(actual));
    return [`(after ${start} equal characters) ${left}`, right];
  }
  if (!alike(expected, actual)) return [show(expected), show(actual)];
  const end = sharedEnd(expected.slice(start), actual.slice(start));
  const written = (text: string): string =>
    `"${betweenQuotes(text.slice(0, start))}${betweenQuotes(escaped(text.slice(start, text.length - end)))}${betweenQuotes(text.slice(text.length - end))}"`;
  return [written(expected), written(actual)];
};

/** Whether the common prefix and suffix are at least two thirds of the text. */
const isSimilar = (left: string, right: string): boolean => {
  const shared = sharedStart(left, right);
  const rest = sharedEnd(left.slice(shared), right.slice(shared));
  return shared + rest >= Math.max(8, (left.length * 2) / 3);
};

/**
 * Describes a value of a response: shown if it belongs to this run, otherwise only its length, because it may be customer data.
 * @param expected the expected value; a similar text also belongs to this run
 */
export const describeValue = (value: unknown, expected = ''): string =>
  typeof value !== 'string' || value === '' || /contract.?test/i.test(value) || isSimilar(value, expected)
    ? show(value)
    : `a different text of ${value.length} characters`;

/** The type of a value that may be personal data: `a number`, `null`. */
export const typeName = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
