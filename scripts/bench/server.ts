import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** Time in milliseconds: of the processor, for the process and all its threads, and of the wall. */
export type Sample = { readonly cpu: number; readonly wall: number };

/** A server to measure: a separate process on a free loopback port. */
export type Server = {
  readonly url: string;
  /** What its process has taken so far. */
  readonly sinceStart: () => Promise<Sample>;
  /** What it takes while `work` runs. */
  readonly measure: (work: () => Promise<unknown>) => Promise<Sample>;
  readonly stop: () => Promise<void>;
};

// Each process tells its own CPU time, which works on every system: a server when it is asked, a command at its end.
const whenAsked = `process.on('message', () => process.send(process.cpuUsage())); process.channel.unref();`;
const atExit = `process.on('exit', () => process._rawDebug('cpu ' + JSON.stringify(process.cpuUsage())));`;

const importing = (code: string): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(code)}`,
];

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** The environment of this process without the variables that configure a mock. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('EMAIL_LEADS_')));

/** Starts `node ARGUMENTS…` and waits until it prints its URL. */
export const startServer = async (args: readonly string[]): Promise<Server> => {
  const begin = performance.now();
  const child = spawn(process.execPath, [...importing(whenAsked), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: environment(),
  });
  const cpu = async (): Promise<number> => {
    child.send('cpu');
    const [usage] = await once(child, 'message');
    return milliseconds(usage);
  };
  try {
    const url = await printedUrl(child);
    child.stdout?.resume();
    return {
      url,
      sinceStart: async () => {
        const wall = performance.now() - begin;
        return { cpu: await cpu(), wall };
      },
      measure: async (work) => {
        const [before, from] = [await cpu(), performance.now()];
        await work();
        const wall = performance.now() - from;
        return { cpu: (await cpu()) - before, wall };
      },
      stop: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
};

/** Measures `node ARGUMENTS…` from its start to its end. */
export const measureCommand = async (args: readonly string[]): Promise<Sample> => {
  const begin = performance.now();
  const { stderr } = await promisify(execFile)(process.execPath, [...importing(atExit), ...args], {
    env: environment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  const usage = JSON.parse(/^cpu (.*)$/m.exec(stderr)?.[1] ?? '{}');
  return { cpu: milliseconds(usage), wall: performance.now() - begin };
};

const printedUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = '';
    const deadline = setTimeout(() => reject(new Error('a server did not start within 20 s')), 20_000);
    child.once('exit', (code) => reject(new Error(`a server ended with exit code ${code}: ${printed}`)));
    child.once('error', reject);
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(printed) ?? [];
      if (url === undefined) return;
      clearTimeout(deadline);
      resolve(url);
    });
  });

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(deadline);
};
