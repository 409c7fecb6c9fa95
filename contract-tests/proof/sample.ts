import { sample, shuffledSubarray } from 'fast-check';
import type { BrokenDeployment } from './broken/mutation.ts';
import type { ConformingDeployment } from './conforming/index.ts';
import { dependOnChance, type Finders, unfound } from './finders.ts';
import sampled from './sample.json' with { type: 'json' };
import type { Deployment } from './server/types.ts';
import { broken, conforming } from './servers.ts';

const seed = 2;

const shuffle = <D extends Deployment>(all: readonly D[]): D[] =>
  sample(shuffledSubarray([...all], { minLength: all.length }), { numRuns: 1, seed })[0] ?? [];

/** What a server stands for in the sample: its group, and every check that it shows. */
const meritsOf = ({ id, group }: Deployment, finders: Finders): string[] => [
  `group ${group}`,
  ...[...finders].flatMap(([check, servers]) => (servers.includes(id) ? [`check ${check}`] : [])),
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

/** Ids of broken servers that contain every group and every check, and do not depend on chance. */
export const chooseSample = (finders: Finders): string[] =>
  chooseCover(
    broken.filter(({ id }) => !unfound.has(id) && !dependOnChance.has(id)),
    (deployment) => meritsOf(deployment, finders),
  ).map(({ id }) => id);

/** They stay the same until `npm run kill-matrix` chooses them anew. It takes all servers. */
export const brokenSample: readonly BrokenDeployment[] = sampled.flatMap(
  (id) => broken.find((deployment) => deployment.id === id) ?? [],
);

/** On these a run waits for half a minute. */
const isSlow = ({ id, requirements }: ConformingDeployment): boolean =>
  requirements.settleMs !== undefined || id === 'slow' || id.startsWith('rate-limited');

const quick = conforming.filter((deployment) => !isSlow(deployment));

/** All of them, those first that a run waits for: what starts last must end soon. */
export const conformingSlowFirst: readonly ConformingDeployment[] = [...conforming.filter(isSlow), ...quick];

/** A conforming server of each group. */
export const conformingOfEachGroup: readonly ConformingDeployment[] = chooseCover(quick, ({ group }) => [
  group,
]);

/** Each runs every check, and takes as long as ten broken ones. */
export const conformingSample = conformingOfEachGroup.slice(0, 3);
