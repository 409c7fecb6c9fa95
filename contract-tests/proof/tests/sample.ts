import { isWhole } from '../../../mock/testing/scale.ts';
import type { BrokenDeployment } from '../broken/mutation.ts';
import { broken, dependOnChance, unfound } from '../broken.ts';
import { type ConformingDeployment, conforming } from '../conforming/index.ts';
import type { Deployment } from '../server/types.ts';

/** Servers that together have every merit, few of them: each time one that adds most. */
export const chooseCover = <D extends Deployment>(
  all: readonly D[],
  meritsOf: (deployment: D) => readonly string[],
): D[] => {
  const candidates = all.map((deployment) => ({ deployment, merits: meritsOf(deployment) }));
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

/** Broken servers that a run finds, of which it may miss some by chance. */
export const findable: readonly BrokenDeployment[] = broken.filter(({ id }) => !unfound.has(id));

/** Some that it finds each time, which together break every check that such servers break. */
export const brokenSample = chooseCover(
  findable.filter(({ id }) => !dependOnChance.has(id)),
  ({ breaks }) => breaks,
);

/** They take a second and more each; in `npm test` some of them. */
export const brokenInTest = isWhole ? brokenSample : brokenSample.slice(0, 10);

/** On these a run waits for half a minute. */
const isSlow = ({ id, requirements }: ConformingDeployment): boolean =>
  requirements.settleMs !== undefined || id.startsWith('rate-limited');

const quick = conforming.filter((deployment) => !isSlow(deployment));

/** A conforming server of each group. */
export const conformingOfEachGroup = chooseCover(quick, ({ group }) => [group]);

/** All of them, those first that a run waits for: what starts last must end soon. Each takes as long as ten broken ones. */
export const conformingInTest: readonly ConformingDeployment[] = isWhole
  ? [...conforming.filter(isSlow), ...quick]
  : conformingOfEachGroup.slice(0, 3);

const all: ReadonlyMap<string, Deployment & Partial<ConformingDeployment>> = new Map(
  [...conforming, ...broken].map((deployment) => [deployment.id, deployment]),
);

/** A server of the proof, with what the base of a broken one requires. */
export const serverNamed = (id: string): ConformingDeployment => {
  const server = all.get(id);
  if (!server) throw new Error(`there is no server ${id}`);
  const { requirements = {} } = { ...all.get((server as Partial<BrokenDeployment>).base ?? ''), ...server };
  return { group: '', ...server, requirements };
};
