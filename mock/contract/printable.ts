// Every text for a terminal, a log or a CI server goes through this file, so that a line always stays one line.

/** Invisible characters, terminal control characters and changes of direction. Joiners stay: emoji are composed with them. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/**
 * A text for a report, with invisible characters written as `\u0000`. XML 1.0 forbids most of them, they make `expected` and
 * `actual` look equal, and they start escape sequences and right-to-left overrides.
 */
export const escapeInvisible = (text: string): string => text.replaceAll(unseen, escaped);

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * One line that is safe for a terminal, a log or a CI server, whatever a deployment sent: no line breaks, no control sequences.
 * `::error` at the beginning of a line is a command to GitHub Actions, `##[` to Azure Pipelines.
 */
export const printableLine = (line: string): string =>
  escapeInvisible(line)
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '## [');

/** A message of several lines, each of them safe as in `printableLine`. */
export const printableLines = (message: string): string => message.split('\n').map(printableLine).join('\n');

/** Prints one line to standard output. */
export const print = (line: string): void => console.log(printableLine(line));

/** Prints a message to standard error; its own line breaks stay. */
export const printError = (message: string): void => console.error(printableLines(message));

/** A defect of this program, with the stack trace for a bug report. */
export const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
