import { unwatchFile, watchFile } from 'node:fs';
import { printError } from '../contract/printable.ts';
import { startTimer, stopTimer } from '../runtime/timers.ts';
import type { Notice } from '../service/log.ts';
import type { Workspaces } from '../workspace/registry.ts';

// Asking for its time finds every kind of change: editors replace a file, and some volumes of containers send no events.
const intervalMs = 200;

// An editor may write a file in several steps.
const settleMs = 100;

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
  const onChange = (): void => {
    if (timer) stopTimer(timer);
    timer = startTimer(apply, settleMs).unref();
  };
  watchFile(file, { interval: intervalMs, persistent: false }, onChange);
  return () => {
    unwatchFile(file, onChange);
    if (timer) stopTimer(timer);
  };
};
