import { setMaxListeners } from 'node:events';
import { writeSync } from 'node:fs';
import { exitCodes } from './verdict.ts';

export type Interruption = {
  /** Aborted by the first Ctrl-C: the run then deletes what it created. */
  readonly signal: AbortSignal;
  readonly end: () => void;
};

/**
 * Every way a run may be ended from outside. Ctrl-C ends it in good order, a second one at once; an error that nobody
 * caught is "could not test", where Node's own exit code 1 would say that a promise is broken.
 * @param whatIsLeft lines about what the run leaves behind, if it must leave at once
 */
export const interruptible = (
  whatIsLeft: () => readonly string[],
  redact: (text: string) => string,
): Interruption => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // every request under way listens

  const leave = (code: number, lines: readonly string[]): never => {
    // Synchronously: the process is gone before anything else would be written.
    try {
      writeSync(2, [...lines, ...whatIsLeft(), ''].join('\n'));
    } catch {
      // Nobody reads it.
    }
    process.exit(code);
  };

  const onSignal = (): void => {
    if (controller.signal.aborted) leave(exitCodes.interrupted, ['leaving at once']);
    controller.abort();
    console.error('\nstopping: deleting what the run created (once more to leave at once)');
  };
  const onError = (error: unknown): void => leave(exitCodes.couldNotTest, [redact(suiteFailure(error))]);

  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  process.on('uncaughtException', onError).on('unhandledRejection', onError);
  return {
    signal: controller.signal,
    end: () => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      process.off('uncaughtException', onError).off('unhandledRejection', onError);
    },
  };
};

const onClosedPipe = (): void => undefined;

/** `| head` may stop reading: the run goes on, cleans up, and ends with its own exit code. */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(onClosedPipe)) stream.on('error', onClosedPipe);
  }
};

/** An error of the suite itself, which says nothing about the deployment. */
export const suiteFailure = (error: unknown): string =>
  `could not test: the suite itself failed, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
