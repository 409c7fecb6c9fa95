// Files that commands write: never through a link that somebody put in the place of the file, and never half.

import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../mock/contract/system-errors.ts';

/** Does what writes to a place. @throws UsageError that names the place */
export const writing = (place: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    throw new UsageError(
      `${place} cannot be written: ${(error as Error).message}; choose another place, or allow writing there`,
    );
  }
};

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Creates a directory and its parents, if they do not exist, one at a time: `recursive` never returns below `/proc`, where no
 * directory can be created.
 */
export const makeDirectory = (directory: string): void => {
  const path = resolve(directory);
  if (isDirectory(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have created it at the same time.
    if (!isDirectory(path)) throw error;
  }
};

/** Writes a new file beside the place, which no link can redirect, for the given step, and leaves none behind. */
const withNewFile = (file: string, text: string, act: (newFile: string) => void): void => {
  const newFile = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    writeFileSync(newFile, text, { flag: 'wx' });
    act(newFile);
  } finally {
    rmSync(newFile, { force: true });
  }
};

/** Replaces a file, or a link, by a file with the text. @throws UsageError that names the place */
export const writeOutput = (file: string, text: string, place = file): void =>
  writing(place, () => withNewFile(file, text, (newFile) => renameSync(newFile, file)));

/** Creates the directory of a file. @throws UsageError if the file cannot be written */
export const expectWritable = (file: string): void =>
  writing(file, () => {
    makeDirectory(dirname(file));
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a directory');
    withNewFile(file, '', () => undefined);
  });
