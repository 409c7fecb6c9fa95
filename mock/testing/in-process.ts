// For tests of commands: the command itself in this process, with what it says.
import { onTestFinished, vi } from 'vitest';
import { redactErrors } from '../contract/printable.ts';
import { printedIn } from './cli-process.ts';

export type Command = (argv: readonly string[]) => Promise<number>;

type Environment = Readonly<Record<string, string>>;

/** What a user may have set, and a test must not depend on. */
const setByUsers = /^(EMAIL_LEADS_.*|https?_proxy|no_proxy|GITHUB_.*|(NO|FORCE)_COLOR|CI)$/i;

/** Starts a command with this environment. It says everything that is printed until it ends. */
export const startInProcess = (command: Command, argv: readonly string[], environment: Environment = {}) => {
  for (const name of Object.keys(process.env)) if (setByUsers.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // Errors are redacted by the words of the process, and not by what an earlier test of this worker has learnt.
  const { argv: before } = process;
  process.argv = [...before.slice(0, 2), ...argv];
  redactErrors((text) => text);
  const printed: { stream: 'stdout' | 'stderr'; text: string }[] = [];
  const take = (stream: 'stdout' | 'stderr', text: string): boolean => printed.push({ stream, text }) > 0;
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void take('stdout', `${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line: unknown) => void take('stderr', `${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => take('stdout', String(text))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => take('stderr', String(text))),
  ];
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
    process.argv = before;
    vi.unstubAllEnvs();
  };
  onTestFinished(restore);
  const textOf = (...streams: readonly string[]): string =>
    printed.flatMap(({ stream, text }) => (streams.includes(stream) ? text : [])).join('');
  const ended = command(argv).finally(restore);
  const stdout = (): string => textOf('stdout');
  return {
    stdout,
    stderr: () => textOf('stderr'),
    /** Both, in their order, without the last line break. */
    text: () => textOf('stdout', 'stderr').trimEnd(),
    ended,
    printed: (pattern: RegExp) => printedIn(stdout, pattern, ended),
  };
};

/** Runs a command to its end. */
export const runInProcess = async (...args: Parameters<typeof startInProcess>) => {
  const { ended, stdout, stderr, text } = startInProcess(...args);
  const code = await ended;
  return { code, stdout: stdout(), stderr: stderr(), text: text() };
};
