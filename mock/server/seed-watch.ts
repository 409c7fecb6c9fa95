import { statSync } from 'node:fs';
import { printError } from '../contract/printable.ts';
import { startInterval, startTimer, stopInterval, stopTimer } from '../runtime/timers.ts';
import type { Notice } from '../service/log.ts';
import type { Workspaces } from '../workspace/registry.ts';

// Asking for its time finds every kind of change: editors replace a file, and some volumes of containers send no events.
const intervalMs = 200;

// An editor may write a file in several steps.
const settleMs = 100;

/** The version of a file: it changes with the content. Empty for a file that does not exist. */
export const versionOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size}` : '';
};

/**
 * Resets the workspaces to the seed whenever its file changes. A file that cannot be used is an error message and changes nothing.
 * @returns ends the watch
 */
export const watchSeed = (file: string, workspaces: Workspaces, notice: Notice): (() => void) => {
  let timer: ReturnType<typeof startTimer> | undefined;
  const apply = (): void => {
    try {
      const count = workspaces.resetOutdated();
      notice('seed', `${file} changed: ${count} workspace${count === 1 ? ' was' : 's were'} reset to it`);
    } catch (error) {
      printError(`email-leads: ${(error as Error).message}; no workspace was reset`);
    }
  };
  let version = versionOf(file);
  const interval = startInterval(() => {
    const current = versionOf(file);
    if (current === version) return;
    version = current;
    if (timer) stopTimer(timer);
    timer = startTimer(apply, settleMs).unref();
  }, intervalMs).unref();
  return () => {
    stopInterval(interval);
    if (timer) stopTimer(timer);
  };
};
