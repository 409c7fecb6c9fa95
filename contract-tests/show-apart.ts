import { show } from './check.ts';

/** What the eye cannot tell apart: composed and decomposed letters, kinds of blanks. */
const alike = (one: string, other: string): boolean => looks(one) === looks(other);

const looks = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]+/gu, ' ');

const escaped = (text: string): string =>
  text.replaceAll(/[^\n\r\t -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How many characters two texts have in common from their beginning. */
const sharedStart = (one: string, other: string): number => {
  let at = 0;
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1;
  return at;
};

const reversed = (text: string): string => text.split('').reverse().join('');

/**
 * Two texts as a finding shows them, expected and actual. Where they look alike, what differs is written out: `e\u0301`
 * beside `\u00e9`.
 */
export const showApart = (expected: string, actual: unknown): [expected: string, actual: string] => {
  if (typeof actual !== 'string' || !alike(expected, actual)) return [show(expected), show(actual)];
  const start = sharedStart(expected, actual);
  const end = sharedStart(reversed(expected.slice(start)), reversed(actual.slice(start)));
  const written = (text: string): string =>
    `"${quoted(text.slice(0, start))}${quoted(escaped(text.slice(start, text.length - end)))}${quoted(text.slice(text.length - end))}"`;
  return [written(expected), written(actual)];
};

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\\\u', '\\u');
