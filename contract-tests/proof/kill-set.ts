import { checks } from '../checks/index.ts';
import { selectChecks } from '../runner/selection.ts';
import type { Check } from '../session/check.ts';
import named from './kill-set.json' with { type: 'json' };
import type { Deployment } from './server/types.ts';
import { isKilled, type Outcome, runSuiteOnAll } from './suite-result.ts';

const killSets: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(named));

/**
 * The few checks that find a broken deployment, as `npm run kill-matrix` chose them after running all. They need a tenth of
 * the requests, so the tests can repeat the proof at every run. A deployment without a kill set gets all checks.
 */
export const killSetOf = ({ id }: { readonly id: string }): readonly Check[] => {
  const ids = killSets.get(id);
  return ids ? selectChecks(checks, ids, []) : checks;
};

const checkIds = new Set(checks.map(({ id }) => id));

/** The checks that a kill set names, without the areas that accompany them. */
export const checkIdsOf = ({ id }: { readonly id: string }): readonly string[] =>
  killSets.get(id)?.filter((name) => checkIds.has(name)) ?? [];

/** More than one, so that a deployment is still found when a check changes. */
const killSetSize = 2;

// A check that inspects the responses to other checks needs some of them beside it.
const companionAreas = ['templates', 'leads.add', 'leads.update', 'leads.delete', 'email'];

/**
 * Chooses a few checks for each broken deployment that find it alone, or together with those of one operation. Together
 * the kill sets hold every check. A deployment that only the whole suite finds gets none, as it takes so many requests.
 */
export const chooseKillSets = async (outcomes: readonly Outcome[]): Promise<Record<string, string[]>> => {
  const killSets = chooseFirstChecks(outcomes);
  const sufficient = new Map<string, string[]>();
  for (const area of [undefined, ...companionAreas]) {
    const remaining = outcomes.map(({ deployment }) => deployment).filter(({ id }) => !sufficient.has(id));
    const killSetFor = ({ id }: Deployment): string[] => [
      ...(killSets.get(id) ?? []),
      ...(area ? [area] : []),
    ];
    const reruns = await runSuiteOnAll(
      remaining.filter(({ id }) => (killSets.get(id) ?? []).length > 0),
      (deployment) => selectChecks(checks, killSetFor(deployment), []),
    );
    for (const { deployment, row } of reruns) {
      const foundBy = row.findings.map(({ check }) => check);
      const all = killSets.get(deployment.id)?.every((id) => foundBy.includes(id));
      if (isKilled(deployment, row) && all) sufficient.set(deployment.id, killSetFor(deployment));
    }
  }
  return Object.fromEntries(
    outcomes.flatMap(({ deployment: { id } }) =>
      sufficient.has(id) ? [[id, sufficient.get(id) ?? []]] : [],
    ),
  );
};

const chooseFirstChecks = (outcomes: readonly Outcome[]): Map<string, string[]> => {
  const killCounts = new Map<string, number>();
  for (const { row } of outcomes)
    for (const { check } of row.findings) killCounts.set(check, (killCounts.get(check) ?? 0) + 1);
  const killSets = new Map<string, string[]>();
  for (const { deployment, row } of outcomes) {
    const level = deployment.violates?.level;
    // The rare ones first: a check that few deployments show to be needed must not lose one of them.
    const ids = [...row.findings]
      .sort((a, b) => (killCounts.get(a.check) ?? 0) - (killCounts.get(b.check) ?? 0))
      .sort((a, b) => Number(b.level === level) - Number(a.level === level))
      .map(({ check }) => check);
    killSets.set(deployment.id, ids.slice(0, killSetSize));
  }
  addMissing(outcomes, killSets);
  return killSets;
};

const addMissing = (outcomes: readonly Outcome[], killSets: Map<string, string[]>): void => {
  const covered = new Set([...killSets.values()].flat());
  for (const { deployment, row } of outcomes) {
    for (const { check } of row.findings) {
      if (covered.has(check)) continue;
      covered.add(check);
      killSets.get(deployment.id)?.push(check);
    }
  }
};
