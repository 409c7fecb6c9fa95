import { createLoad, type Shot } from './load.ts';
import { type Server, startServer } from './server.ts';
import { type Figure, median } from './table.ts';

/** CPU time per request of one batch through a proxy, in microseconds. */
const measure = async (
  server: Server,
  send: () => Promise<unknown>,
  requests: number,
): Promise<number | undefined> => {
  const before = server.cpu();
  await send();
  const after = server.cpu();
  return before === undefined || after === undefined ? undefined : (1000 * (after - before)) / requests;
};

/** Measures the cost of checking: `email-leads proxy` and a plain proxy, alternating, with the same mock as upstream. */
export const measureProxy = async (
  mock: readonly string[],
  {
    rounds,
    requests,
    shots,
  }: { readonly rounds: number; readonly requests: number; readonly shots: readonly Shot[] },
): Promise<Figure[]> => {
  const upstream = await startServer(mock);
  const judging = await startServer([
    'dist/email-leads.js',
    'proxy',
    '--upstream',
    upstream.url,
    '--port',
    '0',
  ]);
  const plain = await startServer(['scripts/bench/plain-proxy.mjs', upstream.url]);
  const loads = [await createLoad(judging.url), await createLoad(plain.url)] as const;
  const differences: (number | undefined)[] = [];
  const plainCosts: (number | undefined)[] = [];
  for (let round = 0; round <= rounds; round++)
    for (const shot of shots) {
      const own = await measure(judging, () => loads[0].send(shot, requests), requests);
      const other = await measure(plain, () => loads[1].send(shot, requests), requests);
      // The first round warms up.
      if (round === 0 || own === undefined || other === undefined) continue;
      differences.push(own - other);
      plainCosts.push(other);
    }
  for (const load of loads) load.close();
  for (const server of [judging, plain, upstream]) await server.stop();
  const cost = median(differences);
  return [
    {
      figure: `Proxy, CPU per exchange beyond a plain proxy (${median(plainCosts).toFixed(0)} µs)`,
      value: Number.isNaN(cost) ? 'not available' : `${cost.toFixed(0)} µs`,
      aim: '≤ 400 µs',
    },
  ];
};
