/** One term of a query in Mailpit's syntax: every term must be found, those with a minus must not. */
export type SearchTerm = {
  readonly isExcluded: boolean;
  /** The field to search, `to`, `from` or `subject`; all fields without one. */
  readonly field: string | undefined;
  readonly text: string;
};

const terms = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]+))/gi;
const maxTerms = 50;
// Longer terms find nothing more and take longer to search for.
const maxTermLength = 256;

/**
 * The terms of `from:lena "seat reserved" -draft`.
 * @param fields names allowed before a colon; any other name is part of the word
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

/** The first terms only: a long query may have a million. */
const firstMatches = (query: string): RegExpExecArray[] => {
  const matches: RegExpExecArray[] = [];
  for (const match of query.matchAll(terms)) {
    matches.push(match);
    if (matches.length === maxTerms) break;
  }
  return matches;
};

/** Whether a text matches a pattern in which `*` stands for any characters. Linear in both, unlike a regular expression. */
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
