import { UsageError } from '../../mock/contract/system-errors.ts';
import { matchesId, noSuchCheck } from '../checks/patterns.ts';
import { scenarios } from '../checks/scenarios.ts';
import type { Check } from '../facts/check.ts';
import { notReached, notStarted } from './verdict.ts';

/**
 * The checks that `only` matches and `skip` does not; both accept what `matchesId` does.
 * @throws UsageError for a pattern that matches no check, or if no check is left
 */
export const selectChecks = (
  all: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): Check[] => {
  for (const pattern of [...only, ...skip]) {
    if (!all.some(({ id }) => matchesId(pattern, id))) throw new UsageError(noSuchCheck(pattern, all));
  }
  const chosen = all.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matchesId(pattern, check.id))) &&
      !skip.some((pattern) => matchesId(pattern, check.id)),
  );
  if (chosen.length === 0) throw new UsageError('--only and --skip leave no check to run');
  return chosen;
};

/** The checks that a run has time for, and the number of those that it leaves out. One that is named is run, whatever it costs. */
export const selectDue = (
  selected: readonly Check[],
  only: readonly string[],
  isThorough: boolean,
): { readonly due: readonly Check[]; readonly leftToThorough: number } => {
  const cheap = selected.filter(({ thorough, id }) => isThorough || !thorough || only.includes(id));
  const due = cheap.length > 0 ? cheap : selected;
  return { due, leftToThorough: selected.length - due.length };
};

/** Whether a run is thorough: if it is asked for, or for a thorough check that is named, which nothing else decides. */
export const isThoroughRun = (
  due: readonly Check[],
  { thorough = false }: { readonly thorough?: boolean | undefined },
): boolean => thorough || due.some((check) => check.thorough);

/** Statuses of checks to repeat, and the reasons for a skip that mean that the run ended before the check. */
const repeated: ReadonlySet<unknown> = new Set(['fail', 'warn', 'inconclusive', 'unstable', 'error']);
const unreached: ReadonlySet<unknown> = new Set([notReached, notStarted]);

/** What a report says about a check. */
type EarlierResult = {
  readonly id: string;
  readonly status: string;
  readonly waived?: string;
  readonly reason?: string;
  readonly finding?: { readonly exchanges?: readonly { readonly request: { readonly scenario?: string } }[] };
};

/**
 * The checks that failed or were undecided in an earlier run, and one for the scenario whose response showed the failure.
 * @throws UsageError if there is nothing to repeat
 */
export const selectFailed = (selected: readonly Check[], earlier: readonly EarlierResult[]): Check[] => {
  const ids = new Set<string>();
  for (const { id, status, waived, reason, finding } of earlier) {
    if (waived !== undefined || !(repeated.has(status) || unreached.has(reason))) continue;
    ids.add(id);
    const sender = finding?.exchanges?.at(-1)?.request.scenario;
    const decided = scenarios.find((scenario) => scenario.id === sender)?.decides;
    // A scenario runs when one of the checks that it decides is selected.
    if (decided?.[0] !== undefined && !decided.includes(id)) ids.add(decided[0]);
  }
  const chosen = selected.filter(({ id }) => ids.has(id));
  if (chosen.length === 0)
    throw new UsageError('it has no check that failed or was left undecided: nothing to repeat');
  return chosen;
};
