/** What cannot be seen, or steers a terminal, or turns the direction of writing. Joiners stay: emoji are made with them. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/**
 * A text as a report may show it: characters that nobody sees are written out, `\u0000`. They are what XML 1.0 forbids,
 * what makes `expected` and `actual` look alike, and what an escape sequence or a right-to-left override begins with.
 */
export const visible = (text: string): string => text.replaceAll(unseen, escaped);

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/** The beginning of a text, never half a character. */
export const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A text on one line, for attributes, code spans and titles. */
export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
