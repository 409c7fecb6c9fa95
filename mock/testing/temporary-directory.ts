import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A directory that exists until the test ends; made outside of a test, until all tests of the file have. */
export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'email-leads-'));
  const end = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  end(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
};

/** A file in a directory of its own, which exists as long. */
export const temporaryFile = (text: string, name = 'file.json'): string => {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
};
