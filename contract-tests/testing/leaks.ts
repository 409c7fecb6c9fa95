// For tests: what a text shows of a key, and of what a terminal or a CI server would obey.
import { createHash } from 'node:crypto';
import { placeholder } from '../../mock/contract/redaction.ts';

/** A key like a JSON Web Token, always the same for a length. */
export const keyOf = (length: number): string =>
  Array.from({ length: Math.ceil(length / 43) }, (_, at) =>
    createHash('sha256').update(`${length} ${at}`).digest('base64url'),
  )
    .join('')
    .slice(0, length);

const hex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');
const fromHex = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** The key as a server might write it. */
export const spellings = (key: string): string[] => [
  key.toUpperCase(),
  encodeURIComponent(encodeURIComponent(key)),
  Array.from(key, (letter) => `%${hex(letter).slice(2)}`).join(''),
  JSON.stringify(JSON.stringify(key)),
  Array.from(key, (letter) => `\\u${hex(letter)}`).join(''),
  key.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  Buffer.from(`Bearer ${key}`).toString('base64'),
];

/** A text with every escape undone, as somebody who looks for the key would do. */
const undone = (given: string): string => {
  let plain = given.replaceAll(placeholder, '').toLowerCase();
  for (let round = 0; round < 3; round += 1)
    plain = plain
      .replace(/(?:%|&#x)([0-9a-f]{2});?/g, fromHex)
      .replace(/\\u([0-9a-f]{4})/g, fromHex)
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"' })[name as string] ?? '&')
      .replace(/\\(["\\/])/g, '$1');
  return plain;
};

const pieces = (of: string, size: number): string[] =>
  Array.from({ length: of.length - size + 1 }, (_, at) => of.slice(at, at + size));

/** The parts of a key that a text shows: in base64, or with every escape undone. */
export const shownParts = (key: string, given: string): string[] => {
  const inBase64 = pieces(Buffer.from(key.slice(0, 999)).toString('base64').toLowerCase(), 12);
  const folded = given.toLowerCase();
  const plain = undone(given);
  return [
    ...inBase64.filter((part) => folded.includes(part)),
    ...pieces(key.slice(0, 999).toLowerCase(), 6).filter((part) => plain.includes(part)),
  ];
};

export const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/u;

/** Lines that a terminal or a CI server would obey. */
export const obeyed = (printed: string): string[] =>
  printed
    .split('\n')
    .filter(
      (line) =>
        unseen.test(line) ||
        /^\s*::(?!(error|warning|notice) (file=openapi\.yaml,line=\d+,)?title=)|##\w*\[/.test(line),
    );
