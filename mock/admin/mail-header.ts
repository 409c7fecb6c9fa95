// What a header may say as it is: visible ASCII and single spaces between words that fit on a line (RFC 5322).
const plain = /^[!-~]{1,70}( [!-~]{1,70})*$/;

// Longest text of an encoded word in bytes, of which it may have 75 characters in all (RFC 2047).
const longestPart = 45;

/**
 * A text as the value of a header of a mail: as it is, or in encoded words. A text that looks like an encoded word is encoded,
 * or it would be read as what it seems to say. Line breaks, which end a header, become spaces.
 */
export const headerText = (text: string): string => {
  const line = wellFormed(text).replaceAll(/\r\n?|\n/g, ' ');
  if (line === '' || (plain.test(line) && !line.includes('=?'))) return line;
  return parts(line)
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join(' ');
};

// Half of a surrogate pair, which JSON can say, is no character.
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Parts that are not too long, no character cut in two. */
const parts = (text: string): string[] => {
  const found: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > longestPart) {
      found.push(part);
      part = '';
    }
    part += character;
  }
  return [...found, part];
};

const longestName = 100;

/** A text for where only letters, digits and few signs may stand, cut where it is long. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent([...wellFormed(text)].slice(0, longestName).join('')).replaceAll(
    /[.'()*!~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
