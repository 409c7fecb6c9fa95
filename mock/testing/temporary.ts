// What a test needs for its time: a server of somebody else, a directory, a file. Made outside of a test, they last until all
// tests of the file have ended.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, onTestFinished, TestRunner } from 'vitest';

/** Runs when the test ends, or outside of one when all tests of the file have ended. */
export const atEnd = (end: () => void): void =>
  TestRunner.getCurrentTest() === undefined ? afterAll(end) : onTestFinished(end);

/** A server, with a certificate of HTTPS, and its URL. */
export const serve = async (listener: RequestListener, options: ServerOptions = {}): Promise<string> => {
  const isSecure = 'cert' in options;
  const server = isSecure ? createSecureServer(options, listener) : createServer(options, listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = isSecure ? 'https://localhost' : 'http://127.0.0.1';
  return `${address}:${(server.address() as AddressInfo).port}`;
};

export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'email-leads-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
};

/** A directory for each test of a file; the paths in it. */
export const useDirectory = () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });
  return (...names: readonly string[]): string => join(directory, ...names);
};

/** A file in a directory of its own. */
export const temporaryFile = (text: string, name = 'file.json'): string => {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
};
