// Every text for a terminal, a log or a CI server goes through this file, so that a line always stays one line. Errors go through
// `redaction.ts` before.

/** The beginning of a text, without splitting a surrogate pair. */
export const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A longer line shows nothing more. Texts are cut before they are processed, because a deployment may send megabytes. */
export const longestLine = 30_000;

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

/** One line that is safe for a terminal, a log or a CI server, whatever a deployment sent: no line breaks, no control sequences. */
export const printableLine = (line: string): string =>
  withoutCommands(escapeInvisible(clip(line, longestLine)).replaceAll('\n', '\\n').replaceAll('\t', '\\t'));

/**
 * A line that no CI server takes for a command: `::error` at its beginning is one to GitHub Actions, and anywhere in it `##[` is
 * one to GitHub Actions and Azure Pipelines, `##vso[` to Azure Pipelines, `##teamcity[` to TeamCity. Some ignore joiners.
 */
export const withoutCommands = (line: string): string =>
  line.replace(/^([\s\u200c\u200d]*:)(?=[\u200c\u200d]*:)/, '$1 ').replaceAll(commandMark, '#$1# ');

/** The beginning of a command anywhere in a line, before its name and a bracket. */
const commandMark = /#([\u200c\u200d]*)#(?=[\w\u200c\u200d]*\[)/g;

/** A message of several lines, each of them safe as in `printableLine`. */
export const printableLines = (message: string): string => message.split('\n').map(printableLine).join('\n');

let erase: () => void = () => undefined;

/** Sets what to call before anything is printed: it erases a line that shows progress. */
export const beforePrinting = (act: () => void): void => {
  erase = act;
};

/** Erases the line that shows progress, before anything is written that is not printed by this file. */
export const eraseProgress = (): void => erase();

/** Prints one line to standard output. */
export const print = (line: string): void => {
  eraseProgress();
  console.log(printableLine(line));
};

/**
 * A value as JSON for programs, with invisible characters and commands to a CI server written as JSON escapes.
 * @param indent number of blanks for each level; with 0 it is one line
 */
export const jsonText = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent)
    .replaceAll(unseen, (character) => character.split('').map(jsonEscape).join(''))
    .replaceAll(commandMark, '#$1\\u0023');

const jsonEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Prints a value as JSON to standard output: what `--json` of every command does. */
export const printJson = (value: unknown): void => {
  eraseProgress();
  console.log(jsonText(value));
};

/** A defect of this program, with the stack trace for a bug report. */
export const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
