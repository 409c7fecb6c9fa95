import { show } from './check.ts';
import { sharedEnd, sharedStart } from './common-ends.ts';

/** What the eye cannot tell apart: composed and decomposed letters, kinds of blanks. */
const alike = (one: string, other: string): boolean => looks(one) === looks(other);

const looks = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\p{Cf}]+/gu, ' ');

const escaped = (text: string): string =>
  text.replaceAll(/[^\n\r\t -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Two texts as a finding shows them, expected and actual. Where they look alike, what differs is written out: `e\u0301`
 * beside `\u00e9`.
 */
export const showApart = (expected: string, actual: unknown): [expected: string, actual: string] => {
  if (typeof actual !== 'string' || !alike(expected, actual)) return [show(expected), show(actual)];
  const start = sharedStart(expected, actual);
  const end = sharedEnd(expected.slice(start), actual.slice(start));
  const written = (text: string): string =>
    `"${quoted(text.slice(0, start))}${quoted(escaped(text.slice(start, text.length - end)))}${quoted(text.slice(text.length - end))}"`;
  return [written(expected), written(actual)];
};

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\\\u', '\\u');
