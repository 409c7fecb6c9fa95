import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { UsageError } from '../../mock/cli/flags.ts';

/** The end of a session without a command: a signal, or a request for the report. */
export const createEnd = () => {
  let now = (): void => undefined;
  const reached = new Promise<number>((resolve) => {
    now = () => resolve(0);
  });
  const onSignal = (): void => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal); // a second signal ends the process at once
    now();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    now: () => now(),
    reached,
    dispose: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
};

/** Runs the command after `--` until it exits or the session ends. Resolves with its exit code. */
export const runCommandLine = async (
  [name = '', ...args]: readonly string[],
  url: string,
  end: ReturnType<typeof createEnd>,
): Promise<number> => {
  const child = spawn(name, args, {
    stdio: 'inherit',
    env: { ...process.env, EMAIL_LEADS_URL: url },
    shell: process.platform === 'win32',
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? 'there is no such program in PATH' : message;
      reject(new UsageError(`the command ${name} cannot be started: ${reason}`));
    });
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)),
    );
  });
  const interrupted = end.reached.then(() => stop(child, ended));
  return await Promise.race([ended, interrupted]);
};

/** Stops the command. A signal from the terminal also reaches it directly; any other end of the session must stop it. */
const stop = (child: ChildProcess, ended: Promise<number>): Promise<number> => {
  child.kill('SIGTERM');
  return ended;
};
