// The one way of a text to a terminal, a log or a CI server: whatever was said in it, a line stays one line.

/** What cannot be seen, or steers a terminal, or turns the direction of writing. Joiners stay: emoji are made with them. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/**
 * A text as a report may show it: characters that nobody sees are written out, `\u0000`. They are what XML 1.0 forbids,
 * what makes `expected` and `actual` look alike, and what an escape sequence or a right-to-left override begins with.
 */
export const escapeInvisible = (text: string): string => text.replaceAll(unseen, escaped);

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * One line as a terminal, a log or a CI server may get it: what a deployment said stays on that line and steers nothing.
 * `::error` at the beginning of a line is a command to GitHub Actions, `##[` to Azure Pipelines.
 */
export const printableLine = (line: string): string =>
  escapeInvisible(line)
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '## [');

/** A message of several lines, each of them harmless. */
export const printableLines = (message: string): string => message.split('\n').map(printableLine).join('\n');

/** Prints one line to standard output. */
export const print = (line: string): void => console.log(printableLine(line));

/** Prints a message to standard error; its own line breaks stay. */
export const printError = (message: string): void => console.error(printableLines(message));

/** A defect of this program, for whoever has to mend it. */
export const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
