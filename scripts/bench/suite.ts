// What the suite costs on the mock: a run, and an exchange of the proxy.
import { createLoad, type Shot } from './load.ts';
import { measureCommand, type Sample, startServer } from './server.ts';
import { type Figure, median } from './table.ts';

/**
 * Measures the duration of the contract suite on the embedded mock.
 * @param start CPU time in milliseconds to start Node.js and the mock, which is subtracted
 */
export const measureSuite = async (rounds: number, start: number): Promise<Figure[]> => {
  const runs: Sample[] = [];
  for (let round = 0; round < rounds; round++)
    runs.push(await measureCommand(['dist/email-leads.js', 'contract']));
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  return [
    { figure: 'Contract suite on the mock, wall', value: seconds(median(runs.map(({ wall }) => wall))) },
    {
      figure: 'Contract suite, CPU beyond starting Node and the mock',
      value: seconds(median(runs.map(({ cpu }) => cpu)) - start),
    },
  ];
};

/** Measures the cost of checking: `email-leads proxy` and a plain proxy, alternating, with the same mock as upstream. */
export const measureProxy = async (
  mock: readonly string[],
  shots: readonly Shot[],
  rounds: number,
): Promise<Figure[]> => {
  const upstream = await startServer(mock);
  const judging = ['dist/email-leads.js', 'proxy', '--upstream', upstream.url, '--port', '0'];
  const proxies = [
    await startServer(judging),
    await startServer(['scripts/bench/plain-proxy.mjs', upstream.url]),
  ];
  const loads = await Promise.all(proxies.map(({ url }) => createLoad(url)));
  const requests = 1000;
  const [differences, plainCosts]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++)
    for (const shot of shots) {
      const costs: number[] = [];
      for (const [at, proxy] of proxies.entries()) {
        const { cpu } = await proxy.measure(async () => loads[at]?.send(shot, requests));
        costs.push((1000 * cpu) / requests);
      }
      const [own = 0, plain = 0] = costs;
      // The first round warms up.
      if (round === 0) continue;
      differences.push(own - plain);
      plainCosts.push(plain);
    }
  for (const load of loads) load.close();
  for (const server of [...proxies, upstream]) await server.stop();
  return [
    {
      figure: `Proxy, CPU per exchange beyond a plain proxy (${median(plainCosts).toFixed(0)} µs)`,
      value: `${median(differences).toFixed(0)} µs`,
      aim: '≤ 400 µs',
    },
  ];
};
