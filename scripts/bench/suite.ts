import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environment } from './server.ts';
import { type Figure, median } from './table.ts';

// Prints the CPU time of the process at its end, on every system.
const atExit = `process.on('exit', () => process._rawDebug('cpu ' + JSON.stringify(process.cpuUsage())));`;

/**
 * Measures the duration of the contract suite on the embedded mock.
 * @param start CPU time in milliseconds to start Node.js and the mock, which is subtracted
 */
export const measureSuite = async (rounds: number, start: number): Promise<Figure[]> => {
  const runs: { wall: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, 'dist/email-leads.js', 'contract'],
      { env: environment(), maxBuffer: 64 * 1024 * 1024 },
    );
    const { user, system } = JSON.parse(/^cpu (.*)$/m.exec(stderr)?.[1] ?? '{}');
    runs.push({ wall: performance.now() - begin, cpu: (user + system) / 1000 });
  }
  const beyond = median(runs.map(({ cpu }) => cpu)) - start;
  return [
    { figure: 'Contract suite on the mock, wall', value: seconds(median(runs.map(({ wall }) => wall))) },
    {
      figure: 'Contract suite, CPU beyond starting Node and the mock',
      value: Number.isNaN(beyond) ? 'not available' : seconds(beyond),
    },
  ];
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
