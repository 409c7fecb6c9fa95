import { checks } from '../checks/index.ts';
import { selectChecks } from '../select.ts';
import type { Deployment } from './deployment.ts';
import { isCaught, type Judged, judgeAll } from './matrix.ts';

/** Enough to be sure of a deployment whose checks change. */
const atLeast = 2;

// What looks at the replies to other checks needs some of them beside it.
const beside = ['templates', 'leads.add', 'leads.update', 'leads.delete', 'email'];

/**
 * A few checks for each broken deployment that catch it by themselves, or with those of one operation beside them, and
 * together every check there is. Left out is what only the whole suite catches, as it takes so many requests.
 */
export const chooseCatchers = async (judged: readonly Judged[]): Promise<Record<string, string[]>> => {
  const chosen = choose(judged);
  const enough = new Map<string, string[]>();
  for (const area of [undefined, ...beside]) {
    const open = judged.map(({ deployment }) => deployment).filter(({ id }) => !enough.has(id));
    const asked = ({ id }: Deployment): string[] => [...(chosen.get(id) ?? []), ...(area ? [area] : [])];
    const again = await judgeAll(
      open.filter(({ id }) => (chosen.get(id) ?? []).length > 0),
      (deployment) => selectChecks(checks, asked(deployment), []),
    );
    for (const { deployment, row } of again) {
      const found = row.findings.map(({ check }) => check);
      const all = chosen.get(deployment.id)?.every((id) => found.includes(id));
      if (isCaught(deployment, row) && all) enough.set(deployment.id, asked(deployment));
    }
  }
  return Object.fromEntries(
    judged.flatMap(({ deployment: { id } }) => (enough.has(id) ? [[id, enough.get(id) ?? []]] : [])),
  );
};

const choose = (judged: readonly Judged[]): Map<string, string[]> => {
  const catches = new Map<string, number>();
  for (const { row } of judged)
    for (const { check } of row.findings) catches.set(check, (catches.get(check) ?? 0) + 1);
  const chosen = new Map<string, string[]>();
  for (const { deployment, row } of judged) {
    const level = deployment.breaks?.level;
    // The rare ones first: a check that few deployments show to be needed must not lose one of them.
    const ids = [...row.findings]
      .sort((one, other) => (catches.get(one.check) ?? 0) - (catches.get(other.check) ?? 0))
      .sort((one, other) => Number(other.level === level) - Number(one.level === level))
      .map(({ check }) => check);
    chosen.set(deployment.id, ids.slice(0, atLeast));
  }
  addMissing(judged, chosen);
  return chosen;
};

const addMissing = (judged: readonly Judged[], chosen: Map<string, string[]>): void => {
  const covered = new Set([...chosen.values()].flat());
  for (const { deployment, row } of judged) {
    for (const { check } of row.findings) {
      if (covered.has(check)) continue;
      covered.add(check);
      chosen.get(deployment.id)?.push(check);
    }
  }
};
