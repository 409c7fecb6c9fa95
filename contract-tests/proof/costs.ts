import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checks, usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { entryIds, entryOf } from '../cost/cost.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { embeddedTarget } from '../session/target.ts';
import { conforming } from './conforming/index.ts';
import type { Deployment } from './server/types.ts';
import { runContract, targetOf } from './suite-result.ts';

const mock: Deployment = {
  id: 'mock',
  title: 'The mock',
  start: async () => ({ ...(await embeddedTarget()), leads: () => 0, mails: () => [] }),
};

/** Servers with every kind of demand, id, refusal and path. */
const ids: ReadonlySet<string> = new Set([
  ...['plain', 'another-service', 'refusals-at-200', 'strict-fields', 'paths-as-in-examples'],
  ...['integer-ids', 'behind-a-proxy', 'bodies-422', 'python-style', 'lower-case-bearer'],
]);

export const costDeployments: readonly Deployment[] = [mock, ...conforming.filter(({ id }) => ids.has(id))];

type Entry = [requests: number, leads: number, wrongKeys: number];

const none: Entry = [0, 0, 0];

const add = (entry: Entry, { operation, outcome, credentials }: Exchange): void => {
  entry[0] += 1;
  if (operation === 'addLead' && (outcome === 'success' || outcome === 'broken')) entry[1] += 1;
  if (credentials !== 'key') entry[2] += 1;
};

/** What all exchanges of a run cost together. */
export const totalCost = (exchanges: readonly Exchange[]): Readonly<Entry> => {
  const total: Entry = [0, 0, 0];
  for (const exchange of exchanges) add(total, exchange);
  return total;
};

/** What one run sends, by scenario. */
const measureCost = async (deployment: Deployment, isThorough: boolean): Promise<Map<string, Entry>> => {
  const running = await deployment.start();
  const run = await runContract({
    ...targetOf(running),
    permissions: everythingPermitted,
    thorough: isThorough,
    checks: isThorough ? checks : usualChecks,
  }).finally(running.close);
  const costs = new Map<string, Entry>();
  for (const exchange of run.exchanges) {
    const id = entryOf(exchange);
    const entry = costs.get(id) ?? [0, 0, 0];
    costs.set(id, entry);
    add(entry, exchange);
  }
  return costs;
};

/** For each scenario the most that any of the servers gets, one line each. */
const tableOf = async (isThorough: boolean): Promise<string> => {
  const runs = await Promise.all(costDeployments.map((deployment) => measureCost(deployment, isThorough)));
  const lines = entryIds.flatMap((id) => {
    const entries = runs.flatMap((run) => (run.has(id) ? [run.get(id) ?? none] : []));
    const most = [0, 1, 2].map((at) => Math.max(0, ...entries.map((entry) => entry[at] ?? 0)));
    return entries.length === 0 ? [] : [`    ${JSON.stringify(id)}: [${most.join(', ')}]`];
  });
  return `{\n${lines.join(',\n')}\n  }`;
};

// `npm run costs` writes the table that the notice before a run is computed from; a test only reads the deployments.
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    'contract-tests/cost/costs.json',
    `{\n  "usual": ${await tableOf(false)},\n  "thorough": ${await tableOf(true)}\n}\n`,
  );
