/** A query as Mailpit writes it: every term must be found, those with a minus must not. */
export type SearchTerm = {
  readonly isExcluded: boolean;
  /** `to`, `from`, `subject`: where it must be; anywhere without one. */
  readonly field: string | undefined;
  readonly text: string;
};

const terms = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]+))/gi;
const maxTerms = 50;
// Longer ones tell no more, and to look for them takes longer.
const maxTermLength = 256;

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
        text: (field === undefined && name !== '' ? `${name}:${text}` : text).slice(0, maxTermLength),
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

/** Whether a text is of a pattern, in which `*` stands for any characters. In time linear in both, as an expression is not. */
export const matchesPattern = (text: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const index = text.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return at <= text.length - end.length;
};
