import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { atEnd } from './temporary.ts';

/** The built command line: `npm test` builds it first. */
export const bin = fileURLToPath(new URL('../../dist/email-leads.js', import.meta.url));

export type Child = {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Resolves when the pattern stands in stdout; with its first group. */
  readonly printed: (pattern: RegExp) => Promise<string>;
};

/** @param onMore calls a function whenever `text` has become longer */
export const printedText = (
  text: () => string,
  pattern: RegExp,
  onMore: (look: () => void) => unknown,
  ended: Promise<number | string>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const found = pattern.exec(text());
      if (found) resolve(found[1] ?? found[0]);
    };
    onMore(look);
    const fail = (code: unknown): void =>
      reject(new Error(`ended with ${code} before ${pattern}: ${text()}`));
    void ended.then(fail, fail);
    look();
  });

/** Runs Node.js with nothing in its environment but what is given, until the test ends at the latest. */
export const runNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Child => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const printed = (pattern: RegExp): Promise<string> =>
    printedText(
      () => stdout,
      pattern,
      (look) => child.stdout.on('data', look),
      ended.then((code) => `${code}, ${stderr}`),
    );
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended, printed };
};

/** `email-leads mock …` on a free port, ready, and its base URL. */
export const startCommand = async (
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Child & { readonly url: string }> => {
  const child = runNode([bin, 'mock', '--port', '0', ...flags], env);
  return { ...child, url: await child.printed(/(http:\/\/[\w.:[\]]+:\d+)/) };
};
