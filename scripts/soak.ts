// Works a mock hard for a while and proves that it loses and doubles nothing, and that its memory does not grow.
// npm run soak [-- --minutes N]; ten minutes by default.
import { parseArgs } from 'node:util';
import { startClients } from './soak/clients.ts';
import { startProcess } from './soak/process.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 60)) throw new Error('--minutes must be a number above 0, at most 60');

const workspaces = 500;
// Garbage, and code compiled meanwhile; a leak of ten minutes is far more.
const allowedGrowth = 24 * 1024 * 1024;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const server = await startProcess();
const clients = startClients(server.url, workspaces);
const half = (minutes * 60_000) / 2;
await pause(half);
const middle = await server.heapAfterCollection();
await pause(half);
await clients.stop();
const report = await clients.check();
const end = await server.heapAfterCollection();
const stopped = await server.stop();

const failures = [
  ...report.failures,
  ...(end - middle > allowedGrowth ? [`the heap grew by ${mebibytes(end - middle)}`] : []),
  ...(stopped === 0 ? [] : [`the mock ended with exit code ${stopped}`]),
];
console.log(
  [
    `${minutes} min, ${workspaces} workspaces: ${Object.entries(report.counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
    `heap after collection: ${mebibytes(middle)} in the middle, ${mebibytes(end)} at the end`,
    ...(failures.length === 0
      ? ['nothing lost, nothing doubled']
      : failures.map((failure) => `FAILED: ${failure}`)),
  ].join('\n'),
);
process.exitCode = failures.length === 0 ? 0 : 1;
