// Texts and addresses are compared without case.

/**
 * A text for comparison that ignores case. In two steps, because some letters have two lower-case forms (σ and ς). Its length
 * may differ from that of the text, so positions in both are not comparable.
 */
export const foldCase = (text: string): string => text.toLowerCase().toUpperCase();

// Number of characters of a text that are searched, and of a query.
const maxSearched = 2000;
const maxQueryLength = 1000;

/** Whether the first part of a text contains the folded words, ignoring case. */
export const includesFolded = (text: string, searched: string): boolean =>
  foldCase(text.slice(0, maxSearched)).includes(searched);

/** The words of a query, folded. */
export const wordsOf = (query: string): readonly string[] => [
  ...new Set(foldCase(query.slice(0, maxQueryLength)).split(/\s+/).filter(Boolean)),
];

// Longer than any address. Matching a megabyte against many patterns would take minutes.
const maxAddressLength = 1000;

/** Whether an address matches the folded pattern, in which `*` stands for any characters, ignoring case. */
export const matchesAddress = (address: string, searched: string): boolean =>
  searched.includes('*')
    ? address.length <= maxAddressLength && matchesPattern(foldCase(address), searched)
    : address.length <= searched.length && foldCase(address) === searched;

/** Linear in both, unlike a regular expression. */
const matchesPattern = (text: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop() ?? '';
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const index = text.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return at <= text.length - end.length;
};
