// Texts as they are shown: not longer than anybody reads, and nothing in them invisible.

/** A longer line shows nothing more. Texts are cut before they are processed, because a deployment may send megabytes. */
export const longestLine = 30_000;

/** The beginning of a text, without splitting a surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** Invisible characters, terminal control characters and changes of direction. Joiners stay: emoji are composed with them. */
export const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/**
 * A text for a report, with invisible characters written as `\u0000`. XML 1.0 forbids most of them, they make `expected` and
 * `actual` look equal, and they start escape sequences and right-to-left overrides.
 */
export const escapeInvisible = (text: string): string => text.replaceAll(unseen, escaped);

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};
