// For tests of commands: a deployment, and the command itself in this process with what it says.
import { onTestFinished, vi } from 'vitest';
import { runProxyCommand } from '../cli/proxy.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation, RunningDeployment } from '../proof/server/types.ts';

export { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';

/** The key of every service here. */
export const key = 'sk_live_4f9c1e7ab2d8463095be';
export const withKey = { EMAIL_LEADS_API_KEY: key };

/** A service that runs until the test ends. */
export const serve = async (
  mutation: Mutation = {},
  behaviour: BehaviourOverrides = {},
): Promise<RunningDeployment> => {
  const service = await createService({ key, ...behaviour }, mutation).start();
  onTestFinished(service.close);
  return service;
};

export type Command = (argv: readonly string[]) => Promise<number>;

type Running = {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Both, in their order, without the last line break. */
  readonly text: () => string;
  readonly ended: Promise<number>;
  /** Resolves when the pattern stands in stdout; with its first group. */
  readonly printed: (pattern: RegExp) => Promise<string>;
};

type Environment = Readonly<Record<string, string>>;

/** What a user may have set, and a test must not depend on. */
const setByUsers = /^(EMAIL_LEADS_.*|https?_proxy|no_proxy|GITHUB_.*|(NO|FORCE)_COLOR|CI)$/i;

/** Starts a command with this environment. It says everything that is printed until it ends. */
export const startInProcess = (
  command: Command,
  argv: readonly string[],
  environment: Environment = {},
): Running => {
  for (const name of Object.keys(process.env)) if (setByUsers.test(name)) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const printed: { stream: 'stdout' | 'stderr'; text: string }[] = [];
  const watchers = new Set<() => void>();
  const take = (stream: 'stdout' | 'stderr', text: string): true => {
    printed.push({ stream, text });
    for (const look of watchers) look();
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void take('stdout', `${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line: unknown) => void take('stderr', `${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => take('stdout', String(text))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => take('stderr', String(text))),
  ];
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  };
  onTestFinished(restore);
  const textOf = (...streams: readonly string[]): string =>
    printed.flatMap(({ stream, text }) => (streams.includes(stream) ? text : [])).join('');
  const ended = command(argv).finally(restore);
  return {
    stdout: () => textOf('stdout'),
    stderr: () => textOf('stderr'),
    text: () => textOf('stdout', 'stderr').trimEnd(),
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(textOf('stdout'));
          if (found) resolve(found[1] ?? found[0]);
        };
        watchers.add(look);
        const fail = (code: unknown): void =>
          reject(new Error(`ended with ${code} before ${pattern}: ${textOf('stdout', 'stderr')}`));
        void ended.then(fail, fail);
        look();
      }),
  };
};

type Said = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string;
};

/** Runs a command to its end. */
export const runInProcess = async (...args: Parameters<typeof startInProcess>): Promise<Said> => {
  const { ended, stdout, stderr, text } = startInProcess(...args);
  const code = await ended;
  return { code, stdout: stdout(), stderr: stderr(), text: text() };
};

type ProxySession = Running & {
  readonly url: string;
  /** Ends the session as a client does; resolves with its report. */
  readonly end: () => Promise<unknown>;
};

/** `proxy` on a free port in front of a deployment, ready for requests. */
export const startProxySession = async (
  upstream: string,
  flags: readonly string[] = [],
  environment: Environment = {},
): Promise<ProxySession> => {
  const args = ['--upstream', upstream, '--port', '0', ...flags];
  const running = startInProcess(runProxyCommand, args, environment);
  const url = await running.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
  const end = async (): Promise<unknown> => {
    const report = await (await fetch(`${url}/__admin/report`, { method: 'POST' })).json();
    await running.ended;
    return report;
  };
  return { ...running, url, end };
};

/** An app that calls a deployment with the key; resolves with the parsed response. */
export const call = async (url: string, method: string, path: string, body?: object, apiKey = key) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { readonly data: { readonly lead_id: string } };
};
