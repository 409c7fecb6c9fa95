import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** A server to measure: a separate process on a free loopback port. */
export type Server = {
  readonly url: string;
  /** CPU time of the process and all its threads so far in milliseconds; `undefined` if this system does not provide it. */
  readonly cpu: () => number | undefined;
  /** Resident memory in MiB; `undefined` if this system does not provide it. */
  readonly memory: () => number | undefined;
  readonly stop: () => Promise<void>;
};

/** Starts `node ARGUMENTS…` and waits until it prints its URL. */
export const startServer = async (args: readonly string[]): Promise<Server> => {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
  });
  try {
    const url = await printedUrl(child);
    child.stdout?.resume();
    const pid = child.pid ?? 0;
    return { url, cpu: () => cpuOf(pid), memory: () => memoryOf(pid), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
};

/** The environment of this process without the variables that configure a mock. */
export const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('EMAIL_LEADS_')));

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

/** Linux counts nanoseconds per thread; on other systems `ps` counts seconds or hundredths of seconds, or nothing. */
const cpuOf = (pid: number): number | undefined => fromSchedstat(pid) ?? fromStat(pid) ?? fromPs(pid);

const fromSchedstat = (pid: number): number | undefined => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    );
    const total = nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
    return total > 0 ? total : undefined; // all zero if the kernel does not record it
  } catch {
    return undefined;
  }
};

// Fields 14 and 15 of the file, counted after the name in brackets: user and system time in ticks of 10 ms.
const fromStat = (pid: number): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
};

const fromPs = (pid: number): number | undefined => {
  try {
    const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [seconds = 0, minutes = 0, hours = 0] = time.split(/[:-]/).reverse().map(Number);
    return (hours * 3600 + minutes * 60 + seconds) * 1000;
  } catch {
    return undefined;
  }
};

/** Resident memory of a process in MiB; `undefined` if this system does not provide it. */
export const memoryOf = (pid: number): number | undefined => memoryFromStatus(pid) ?? memoryFromPs(pid);

const memoryFromStatus = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
};

const memoryFromPs = (pid: number): number | undefined => {
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  } catch {
    return undefined;
  }
};
