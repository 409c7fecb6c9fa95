import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

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

/** Runs Node.js with nothing in its environment but what is given, for tests. */
export const runNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Child =>
  followOutput(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));

/** Keeps what a process prints. */
export const followOutput = (child: Child['process']): Child => {
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
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(stdout);
        if (found) resolve(found[1] ?? found[0]);
      };
      child.stdout.on('data', look);
      void ended.then((code) =>
        reject(new Error(`ended with ${code} before ${pattern}: ${stderr}${stdout}`)),
      );
      look();
    });
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

/** Runs a command in this process, for tests: its exit code, and what it said. The test restores the environment and the console. */
export const runHere = async (
  run: (flags: readonly string[]) => Promise<number>,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly said: string }> => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('EMAIL_LEADS_')) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const said: string[] = [];
  for (const stream of ['log', 'error'] as const)
    vi.spyOn(console, stream).mockImplementation((line: string) => void said.push(line));
  return { code: await run(flags), said: said.join('\n') };
};
