import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { type ConfigOptions, withConfig } from '../../mock/cli/config-file.ts';
import { onUncaught, runCommand } from '../../mock/cli/flags.ts';
import { describeFault, eraseProgress, errorText, printError } from '../../mock/contract/printable.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { exitCodes } from '../runner/summary.ts';

// How the commands of the suite begin and end.

/** Ctrl-C, `kill`, and a terminal that is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Handles interruptions. The first Ctrl-C stops the run with clean-up, the second one at once. An uncaught error ends with
 * "could not test", because Node's own exit code 1 would mean a broken claim.
 * @param describeLeftovers returns lines about leads that the run leaves when it exits at once
 */
export const interruptible = (describeLeftovers: () => readonly string[]) => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // every pending request adds a listener

  const exit = (code: number, lines: readonly string[]): never => {
    // Synchronously, because the process exits before asynchronous output is written.
    try {
      eraseProgress();
      writeSync(2, errorText([...lines, ...describeLeftovers(), ''].join('\n')));
    } catch {
      // stderr is closed.
    }
    process.exit(code);
  };

  const onSignal = (name: NodeJS.Signals): void => {
    // A closed terminal and its shell both send SIGHUP: the second one is no second request.
    if (controller.signal.aborted && name === 'SIGHUP') return;
    if (controller.signal.aborted) exit(exitCodes.interrupted, ['exiting at once']);
    controller.abort();
    printError('\nstopping: deleting what the run created (interrupt again to exit at once)');
  };
  const ignoreErrors = onUncaught((error) => exit(exitCodes.couldNotTest, [suiteFailure(error)]));
  for (const name of signals) process.on(name, onSignal);
  return {
    /** Aborted by the first Ctrl-C: the run then deletes what it created. */
    signal: controller.signal,
    end: (): void => {
      // The second SIGHUP of a closed terminal may come when the run has ended: it must not change the exit code.
      const ended = controller.signal.aborted ? signals.filter((name) => name !== 'SIGHUP') : signals;
      for (const name of ended) process.off(name, onSignal);
      ignoreErrors();
    },
  };
};

/** The message for an error of the suite itself, which does not concern the deployment. */
const suiteFailure = (error: unknown): string =>
  `could not test: the suite itself failed, please report it: ${describeFault(error)}`;

/** A hint for wrong arguments. No flag sets the key, because arguments appear in the shell history and in CI logs. */
const hintFor = (name: string, takesTarget: boolean): string | undefined => {
  if (/key|token|bearer|auth/i.test(name))
    return 'no flag accepts a key: the key of the deployment comes from the environment variable EMAIL_LEADS_API_KEY';
  if (name === '' && takesTarget)
    return 'name a target before all flags, or set the deployment with --url URL';
  return name === '--upstream'
    ? 'it is a flag of proxy: in contract and observe, set the deployment with --url'
    : undefined;
};

export type CommandLine = {
  readonly definition: () => Command;
  readonly argv: readonly string[];
  /** Whether the first argument may name a target of the configuration file; absent for a command that reads no such file. */
  readonly takesTarget?: ConfigOptions['takesTarget'];
  readonly hint?: (name: string) => string | undefined;
};

/**
 * Runs a command and returns its exit code. An invalid flag, or an invalid file that it names, is a usage error. An unexpected
 * error is "could not test", because Node's own exit code 1 would mean a broken claim.
 */
export const runDeploymentCommand = <Flags extends object>(
  { definition, argv, takesTarget, hint = (name) => hintFor(name, takesTarget === true) }: CommandLine,
  work: (flags: Flags, args: unknown[]) => Promise<number>,
): Promise<number> => {
  const fail = (error: unknown): number => {
    printError(suiteFailure(error));
    return exitCodes.couldNotTest;
  };
  const run = (): Promise<number> => {
    const command = definition();
    const words = takesTarget === undefined ? argv : withConfig(command, argv, { takesTarget });
    command.parse(words, { from: 'user' });
    return work(command.opts() as Flags, command.processedArgs);
  };
  return runCommand(run, { fail, hint });
};

/** Uses the file that a flag names, and adds the flag to its errors. @throws UsageError */
export const forFlag = <Result>(flag: string, act: () => Result): Result => {
  try {
    return act();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${flag} ${error.message}`) : error;
  }
};

/** The end of a session without a command: a signal, or a request for the report. */
export const createEnd = () => {
  const end = new AbortController();
  const now = (): void => end.abort();
  const onSignal = (): void => {
    dispose(); // a second signal ends the process at once
    now();
  };
  const dispose = (): void => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { now, reached: once(end.signal, 'abort').then(() => 0), dispose };
};

/** Runs the command after `--` until it exits or the session ends. Resolves with its exit code. */
export const runCommandLine = async (
  [name = '', ...args]: readonly string[],
  url: string,
  end: ReturnType<typeof createEnd>,
): Promise<number> => {
  const env = { ...process.env, EMAIL_LEADS_URL: url };
  const child = spawn(name, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? 'there is no such program in PATH' : message;
      reject(new UsageError(`the command ${name} cannot be started: ${reason}`));
    });
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)),
    );
  });
  // A signal from the terminal also reaches it directly; any other end of the session must stop it.
  void end.reached.then(() => child.kill('SIGTERM'));
  return await ended;
};
