import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atEnd } from './temporary.ts';

/** The built command line: `npm test` builds it first. */
export const bin = fileURLToPath(new URL('../../dist/email-leads.js', import.meta.url));

/** Resolves when the pattern stands in what something prints until it ends; with its first group. */
export const printedIn = async (text: () => string, pattern: RegExp, ended: Promise<number | string>) => {
  let code: number | string | undefined;
  const end = (given: unknown): void => {
    code = String(given);
  };
  void ended.then(end, end);
  for (;;) {
    const found = pattern.exec(text());
    if (found) return found[1] ?? found[0];
    if (code !== undefined) throw new Error(`ended with ${code} before ${pattern}: ${text()}`);
    await pause(5);
  }
};

/** What a stream has brought so far. */
const textOf = (stream: Readable): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  return () => text;
};

/** Runs Node.js with nothing in its environment but what is given, until the test ends at the latest. */
export const runNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  /** Exit code, or the name of the signal that ended it. */
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const explained = ended.then((code) => `${code}, ${stderr()}`);
  const printed = (pattern: RegExp): Promise<string> => printedIn(stdout, pattern, explained);
  return { process: child, stdout, stderr, ended, printed };
};

/** `email-leads mock …` on a free port, ready, and its base URL. */
export const startCommand = async (args: readonly string[] = [], env: Parameters<typeof runNode>[1] = {}) => {
  const child = runNode([bin, 'mock', '--port', '0', ...args], env);
  return { ...child, url: await child.printed(/(http:\/\/[\w.:[\]]+:\d+)/) };
};
