// The checks of a run, grouped for reports by outcome, area, cause and reason.

import { operations } from '../exchange/operations.ts';
import { type AnswerVerdict, exitCodes, groupBy } from '../runner/summary.ts';
import type { Status } from '../runner/verdict.ts';
import type { CheckReport, Report } from './report.ts';

/** The status of a check, with waivers applied. */
export type Outcome = Status | 'waived';

/** Most important first. */
export const outcomes: readonly Outcome[] = [
  'fail',
  'error',
  'warn',
  'inconclusive',
  'unstable',
  'waived',
  'skipped',
  'pass',
];

/** Undecided, passed only at the second attempt, or failed because of the suite. */
export const doubtful: readonly Outcome[] = ['error', 'inconclusive', 'unstable'];

type Result = Pick<CheckReport, 'status' | 'waived'>;

export const statusOfCheck = ({ status, waived }: Result): Outcome =>
  waived === undefined ? status : 'waived';

/** The checks that need a review. Those with a waiver had one. */
export const doubtfulChecks = ({ checks }: Pick<Report, 'checks'>): CheckReport[] =>
  checks.filter((check) => doubtful.includes(statusOfCheck(check)));

/** Whether a check makes the run fail. */
export const isFailure = (check: Result, { strict }: Pick<Report, 'strict'>): boolean => {
  const outcome = statusOfCheck(check);
  return outcome === 'fail' || (strict && outcome === 'warn');
};

/** The outcome that a check counts as: with `--strict`, a derived finding is a failure. */
export const toneOf = (check: CheckReport, report: Pick<Report, 'strict'>): Outcome =>
  isFailure(check, report) ? 'fail' : statusOfCheck(check);

/** The outcome that a run counts as: one that conforms with remarks is a warning. */
export const toneOfRun = ({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): Outcome | 'drift' => {
  if (verdict.exit_code === exitCodes.broken) return 'fail';
  if (verdict.exit_code === exitCodes.drift) return 'drift';
  if (verdict.exit_code !== exitCodes.conforms) return 'inconclusive';
  return counts.warn + counts.waived + counts.unstable + counts.inconclusive > 0 ? 'warn' : 'pass';
};

/** The label of a finding: with `--strict`, a derived finding also fails the run. */
export const labelOf = (check: CheckReport, report: Pick<Report, 'strict'>): string =>
  isFailure(check, report) && check.level === 'derived' ? 'fail (derived)' : statusOfCheck(check);

/** The title of a report. */
export const titleOf = ({ suite }: Pick<Report, 'suite'>): string => `${suite.name} ${suite.command}`;

/** Pinned answers of the profile that changed. */
export const driftedAnswers = ({ answers }: Pick<Report, 'answers'>): AnswerVerdict[] =>
  answers.filter(({ state, status }) => state === 'pinned' && status === 'drift');

/** Pinned answers of the profile that could not be observed. */
export const undecidedAnswers = ({ answers }: Pick<Report, 'answers'>): AnswerVerdict[] =>
  answers.filter(
    ({ state, status }) => state === 'pinned' && (status === 'inconclusive' || status === 'unstable'),
  );

export type Area = {
  readonly id: string;
  readonly title: string;
  /** Absent for checks that concern every operation. */
  readonly operation?: string;
  readonly checks: readonly CheckReport[];
};

/** In the order of the document. */
const inDocumentOrder = [...operations].sort((left, right) => Number(left.section) - Number(right.section));

const areas: readonly Omit<Area, 'checks'>[] = [
  ...inDocumentOrder.map(({ id, area, title }) => ({ id: area, title, operation: id })),
  { id: 'replies', title: 'All responses' },
  { id: 'failures', title: 'All error responses' },
];

/** The checks of a run by area, in the order of the document. Checks without an area are listed last. */
export const areasOf = ({ checks }: Pick<Report, 'checks'>): Area[] => {
  const withChecks = areas.map((area) => ({
    ...area,
    checks: checks.filter(({ id }) => belongs(id, area.id)),
  }));
  const others = checks.filter(({ id }) => !areas.some((area) => belongs(id, area.id)));
  return [...withChecks, { id: 'other', title: 'Other checks', checks: others }].filter(
    (area) => area.checks.length > 0,
  );
};

const belongs = (check: string, area: string): boolean => check.startsWith(`${area}.`);

/** The titles of the operations, in the order of the document. */
export const operationTitles: ReadonlyMap<string, string> = new Map(
  inDocumentOrder.map(({ id, title }) => [id, title]),
);

/** Counts the checks per outcome; outcomes with no check are omitted. */
export const tally = (checks: readonly CheckReport[]): Map<Outcome, number> => {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) {
    const count = checks.filter((check) => statusOfCheck(check) === outcome).length;
    if (count > 0) counts.set(outcome, count);
  }
  return counts;
};

/** The skipped checks, grouped by reason. */
export const skippedByReason = ({ checks }: Pick<Report, 'checks'>): Map<string, CheckReport[]> => {
  const skipped = checks.filter(({ status }) => status === 'skipped');
  return groupBy(skipped, ({ reason = 'no reason given' }) => reason);
};

/** Checks that failed for the same cause. */
export type Cause = { readonly first: CheckReport; readonly others: readonly CheckReport[] };

/** Findings by cause: of documented facts first, then of derived ones, then waived findings. */
export const groupByCause = ({ groups, checks }: Pick<Report, 'groups' | 'checks'>): Cause[] => {
  const causes = groups.flatMap(({ checks: ids }) => {
    const [first, ...others] = ids.flatMap((id) => checks.find((check) => check.id === id) ?? []);
    return first ? [{ first, others }] : [];
  });
  const weight = ({ first: { waived, level } }: Cause): number =>
    waived !== undefined ? 2 : level === 'derived' ? 1 : 0;
  return causes.sort((left, right) => weight(left) - weight(right));
};
