import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A server of somebody else, and its URL, until the test ends; made outside of a test, until all tests of the file have. */
export const serve = async (listener: RequestListener, options: ServerOptions = {}): Promise<string> => {
  const server = createServer(options, listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const end = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  end(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
