// Commands for a POSIX shell. Every word of a script, and of a command to be copied, is written here.

import { escapeInvisible } from './shown-text.ts';

/** A piece of shell code, made by `sh`, `word` or `comment` only. */
export type ShellCode = { readonly code: string };

type Value = string | number | ShellCode | readonly ShellCode[];

/**
 * Shell code: what the program itself says stands in the template. A text becomes one word, in quotes, whatever it contains; code
 * is taken as it is, a list of it separated by spaces.
 */
export const sh = (template: TemplateStringsArray, ...values: readonly Value[]): ShellCode => ({
  code: String.raw({ raw: template }, ...values.map(codeOf)),
});

const codeOf = (value: Value): string => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  return 'code' in value ? value.code : value.map(({ code }) => code).join(' ');
};

/** One word of several parts: texts in single quotes, and code, such as a variable, in double quotes. */
export const word = (...parts: readonly (string | ShellCode)[]): ShellCode => ({
  code: parts.map((part) => (typeof part === 'string' ? quoted(part) : `"${part.code}"`)).join('') || "''",
});

/** A comment on one line. */
export const comment = (text: string): ShellCode => ({
  code: `# ${escapeInvisible(text).replaceAll('\n', ' ')}`,
});

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Characters that act on a terminal when a command is pasted or a script is shown. A line break in quotes stays one. */
const unseen = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u;

/** Bash replaces the exclamation mark in double quotes, also in those around a command. */
const written = new RegExp(`[\\\\!]|${unseen.source}`, 'gu');

/** A text as one word. No argument of a command can contain the character 0. */
const quoted = (text: string): string => {
  const argument = text.replaceAll('\0', '');
  if (!unseen.test(argument)) return singleQuoted(argument);
  // The shell removes line breaks at the end of what a command prints.
  let end = argument.length;
  while (argument[end - 1] === '\n') end -= 1;
  const printed = singleQuoted(argument.slice(0, end).replaceAll(written, octal));
  return `"$(printf %b ${printed})"${end === argument.length ? '' : singleQuoted(argument.slice(end))}`;
};

const octal = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(
    '',
  );
