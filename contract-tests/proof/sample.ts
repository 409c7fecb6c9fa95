import { sample, shuffledSubarray } from 'fast-check';
import type { BrokenDeployment } from './broken/mutation.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { checkIdsOf } from './kill-set.ts';
import type { Deployment } from './server/types.ts';
import { broken, conforming } from './servers.ts';

const seed = 2;

const shuffle = <D extends Deployment>(all: readonly D[]): D[] =>
  sample(shuffledSubarray([...all], { minLength: all.length }), { numRuns: 1, seed })[0] ?? [];

/** A fault of concurrent requests is found by whichever of several checks meets it: none of them is certain to. */
const isByChance = (deployment: Deployment): boolean =>
  deployment.group === 'concurrency' && checkIdsOf(deployment).length > 1;

/** The checks that find it. Beside one of all error responses, the others of a kill set only send the requests. */
const findersOf = (deployment: Deployment): readonly string[] => {
  if (isByChance(deployment)) return [];
  const ids = checkIdsOf(deployment);
  const ofErrors = ids.filter((id) => id.startsWith('failures.'));
  return ofErrors.length > 0 ? ofErrors : ids;
};

/** What a server stands for in the sample: its group, and every check that finds it. */
const meritsOf = (deployment: Deployment): string[] => [
  `group ${deployment.group}`,
  ...findersOf(deployment).map((id) => `check ${id}`),
];

/** Servers that together have every merit, as few as a greedy choice finds: each time one that adds most. */
const chooseCover = <D extends Deployment>(all: readonly D[], meritsOf: (deployment: D) => string[]): D[] => {
  const candidates = shuffle(all).map((deployment) => ({ deployment, merits: meritsOf(deployment) }));
  const missing = new Set(candidates.flatMap(({ merits }) => merits));
  const gain = (merits: readonly string[]): number => merits.filter((merit) => missing.has(merit)).length;
  const chosen: D[] = [];
  while (missing.size > 0) {
    const best = candidates.reduce((left, right) => (gain(right.merits) > gain(left.merits) ? right : left));
    for (const merit of best.merits) missing.delete(merit);
    chosen.push(best.deployment);
  }
  return chosen;
};

/** Broken servers that contain every group and every check. `npm run proof` takes them all. */
export const brokenSample: readonly BrokenDeployment[] = chooseCover(broken, meritsOf);

/** On these a run waits for half a minute. */
const isSlow = ({ id, requirements }: ConformingDeployment): boolean =>
  requirements.settleMs !== undefined || id === 'slow' || id.startsWith('rate-limited');

const quick = conforming.filter((deployment) => !isSlow(deployment));

/** The conforming servers of some groups. Each runs every check, and takes as long as ten broken ones. */
export const conformingSample: readonly ConformingDeployment[] = chooseCover(quick, ({ group }) => [
  group,
]).slice(0, 3);
