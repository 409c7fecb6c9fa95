// The file of the seed while the mock runs.
import { statSync } from 'node:fs';
import { printError } from '../contract/printable.ts';
import type { StateDocument } from '../nouns/state.ts';
import { startInterval, stopInterval } from '../runtime/timers.ts';
import type { Notice } from '../service/log.ts';
import type { AppOptions } from '../service/service.ts';
import type { Workspaces } from '../workspace/registry.ts';

/** The version of a file: it changes with the content and the permissions. Empty for a file that does not exist. */
const versionOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}` : '';
};

/** Reads the file again when it has changed. A file that is refused is refused each time, until it has changed again. */
export const createSeedReader = (
  file: string,
  readSeed: (file: string) => StateDocument,
): NonNullable<AppOptions['readChangedSeed']> => {
  let version = versionOf(file);
  let problem: unknown;
  return (accept) => {
    const current = versionOf(file);
    if (current !== version) {
      version = current;
      problem = undefined;
      try {
        accept(readSeed(file));
      } catch (error) {
        problem = error;
      }
    }
    if (problem !== undefined) throw problem;
  };
};

// Asking for its time finds every kind of change: editors replace a file, and some volumes of containers send no events.
const intervalMs = 200;

/**
 * Resets the workspaces to the seed whenever its file changes. A file that cannot be used is an error message and changes nothing.
 * @returns ends the watch
 */
export const watchSeed = (file: string, workspaces: Workspaces, notice: Notice): (() => void) => {
  let said = '';
  const interval = startInterval(() => {
    try {
      const count = workspaces.resetOutdated();
      said = '';
      if (count > 0)
        notice('seed', `${file} changed: ${count} workspace${count === 1 ? ' was' : 's were'} reset to it`);
    } catch (error) {
      const { message } = error as Error;
      if (message !== said) printError(`email-leads: ${message}; no workspace was reset`);
      said = message;
    }
  }, intervalMs).unref();
  return () => stopInterval(interval);
};
