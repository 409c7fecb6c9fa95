import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { environment } from '../bench/server.ts';

/** A mock in a process of its own, with the heap of a small machine. */
export type MockProcess = {
  readonly url: string;
  /** Bytes of the heap in use once all garbage is collected. */
  readonly heapAfterCollection: () => Promise<number>;
  /** Stops it and returns its exit code. */
  readonly stop: () => Promise<number | null>;
};

const program = `
  import { startMock } from ${JSON.stringify(pathToFileURL('dist/index.js').href)};
  const mock = await startMock();
  process.on('message', async (message) => {
    if (message === 'stop') { await mock.close(); process.disconnect(); return; }
    for (let time = 0; time < 3; time += 1) { globalThis.gc(); await new Promise((done) => setTimeout(done, 100)); }
    process.send(process.memoryUsage().heapUsed);
  });
  process.on('disconnect', () => process.exit());
  process.send(mock.url);
`;

export const startProcess = async (): Promise<MockProcess> => {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=512', '--input-type=module', '--eval', program],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: environment() },
  );
  const ended = once(child, 'exit');
  const next = async <Value>(): Promise<Value> => {
    const exit = ended.then(([code]) => Promise.reject(new Error(`the mock ended with exit code ${code}`)));
    const [value] = (await Promise.race([once(child, 'message'), exit])) as [Value];
    return value;
  };
  const url = await next<string>();
  return {
    url,
    heapAfterCollection: () => {
      child.send('collect');
      return next<number>();
    },
    stop: async () => {
      child.send('stop');
      const [code] = await ended;
      return code as number | null;
    },
  };
};
