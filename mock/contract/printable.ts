// Every text for a terminal, a log or a CI server goes through this file, so that a line always stays one line and no error
// contains a key.

import { placeholder, type Redact, redactSpellings, secretsAmong, spellingsOf } from './redaction.ts';
import { clip, escapeInvisible, longestLine, unseen } from './shown-text.ts';

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

type Process = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly argv?: readonly string[];
};

/** The spellings of the keys that the process was started with. They may be invalid: in several lines, or with `Bearer` before them. */
const givenKeys = (): string[] => {
  // A browser has no process.
  const { env = {}, argv = [] } = (globalThis as { readonly process?: Process }).process ?? {};
  const accepted = argv.flatMap((word, at) =>
    argv[at - 1] === '--accept-key' ? word : word.split('--accept-key=').slice(1),
  );
  const linesOf = (text = ''): string[] =>
    text.split(/[\r\n]+/).map((line) => line.trim().replace(/^bearer\s+/i, ''));
  return [
    ...linesOf(env.EMAIL_LEADS_API_KEY).flatMap(spellingsOf),
    ...secretsAmong([...accepted, env.EMAIL_LEADS_ACCEPT_KEY].flatMap(linesOf)),
  ];
};

let redactLearnedKeys: Redact = (text) => text;

/** Also redacts errors with this function: for keys that the process makes, or sees in traffic. */
export const redactErrors = (redact: Redact): void => {
  redactLearnedKeys = redact;
};

/** The form of an error message, or a warning, for standard error; its own line breaks stay. */
export const errorText = (message: string): string =>
  printableLines(redactLearnedKeys(redactSpellings(message, givenKeys(), placeholder)));

/** Prints a message to standard error. */
export const printError = (message: string): void => {
  eraseProgress();
  console.error(errorText(message));
};

/** A defect of this program, with the stack trace for a bug report. */
export const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
