#!/usr/bin/env node
// The command line. Loads only the requested half, mock or suite.
import manifest from '../package.json' with { type: 'json' };
import { type Command, commands } from './commands.ts';

const title = `email-leads ${manifest.version}: a mock server and a contract test suite for the Email and Leads service`;

/** What `email-leads` alone prints. */
const firstSteps = `${title}

Try:
  email-leads mock                      a mock on http://127.0.0.1:4010, with a page that shows captured mail
  email-leads contract                  test the mock: what a good run looks like
  email-leads contract --url URL        test a deployment with the key in EMAIL_LEADS_API_KEY; this only reads
  email-leads explain lead.duplicate    a point that the document leaves open, and how to find its answer

email-leads --help lists all commands.`;

const usage = `${title}

Usage: email-leads COMMAND [flags]      (email-leads COMMAND --help lists the flags)

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}`;

/** Prints to standard error without control characters, even if the module that escapes them is missing. */
const printError = async (message: string): Promise<void> => {
  const printable = await import('../mock/contract/printable.ts').catch(() => undefined);
  if (printable) printable.printError(message);
  else console.error(message.replaceAll(/[^\n -~]/g, '?'));
};

const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const run = async ({ load, broken = 1 }: Command, argv: readonly string[]): Promise<number> => {
  try {
    const [, run] = await load();
    return await run(argv);
  } catch (error) {
    await printError(`email-leads itself failed. Is all of it installed?\n${describeFault(error)}`);
    return broken;
  }
};

const unknownCommand = async (word: string): Promise<string> => {
  // If a part of the installation is missing, the error is printed without a suggestion.
  const { suggest } = await import('../mock/contract/questions.ts').catch(() => ({ suggest: undefined }));
  const meant = suggest?.(word, [...Object.keys(commands), '--version', '--help']);
  const suggestion = meant === undefined ? '' : `did you mean ${meant}? `;
  return `email-leads: there is no command ${JSON.stringify(word)}; ${suggestion}email-leads --help lists them`;
};

/**
 * A closed pipe (`| head`) is not an error: the command continues to its exit code. Output that cannot be written, for example
 * on a full disk, is an error: exit code 2, unless the command has a more severe one.
 */
const watchOutput = (): void => {
  let problem: NodeJS.ErrnoException | undefined;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || problem !== undefined) return;
    problem = error;
    const reason = error.code === 'ENOSPC' ? 'no space is left where it goes' : error.message;
    console.error(
      `email-leads: standard output cannot be written: ${reason}; it is incomplete, write it elsewhere`,
    );
  });
  process.once('exit', () => {
    if (problem !== undefined && !process.exitCode) process.exitCode = 2;
  });
};

const isHelp = (word: string | undefined): boolean => /^(--help|-h|help)$/.test(word ?? '');

watchOutput();

// When Node.js ends by itself, it removes the handlers of signals some milliseconds before the process is gone: a closed
// terminal sends SIGHUP twice, and the second one would take the place of the exit code.
process.once('beforeExit', () => process.exit());

// Users also try `help COMMAND` and `COMMAND help` in place of `COMMAND --help`.
const [first = '', ...others] = process.argv.slice(2);
const [name = '', ...rest] = isHelp(first) && others.length > 0 ? [...others, '--help'] : [first, ...others];
const argv = rest.length === 1 && isHelp(rest[0]) ? ['--help'] : rest;
const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (chosen) process.exitCode = await run(chosen, argv);
else if (/^(--version|-V|-v|version)$/.test(name)) console.log(manifest.version);
else if (isHelp(name)) console.log(usage);
else {
  await printError(name === '' ? firstSteps : await unknownCommand(name));
  process.exitCode = 2;
}
