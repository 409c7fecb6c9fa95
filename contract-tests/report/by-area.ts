import type { Status } from '../engine.ts';
import type { CheckReport, Report } from './report.ts';

/** What became of a check, a waiver taken into account. */
export type Outcome = Status | 'waived';

/** The order in which people want to know. */
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

export const outcomeOf = ({ status, waived }: CheckReport): Outcome =>
  waived === undefined ? status : 'waived';

/** Whether a check makes the run fail. */
export const breaks = (check: CheckReport, { strict }: Pick<Report, 'strict'>): boolean => {
  const outcome = outcomeOf(check);
  return outcome === 'fail' || (strict && outcome === 'warn');
};

export type Area = {
  readonly id: string;
  readonly title: string;
  /** Absent for what is said of every operation. */
  readonly operation?: string;
  readonly checks: readonly CheckReport[];
};

const known: readonly Omit<Area, 'checks'>[] = [
  { id: 'templates.list', title: 'List templates', operation: 'listTemplates' },
  { id: 'email.send', title: 'Send email', operation: 'sendEmail' },
  { id: 'email.template', title: 'Send email from template', operation: 'sendTemplateEmail' },
  { id: 'leads.add', title: 'Add lead', operation: 'addLead' },
  { id: 'leads.update', title: 'Update lead', operation: 'updateLead' },
  { id: 'leads.delete', title: 'Delete lead', operation: 'deleteLead' },
  { id: 'replies', title: 'Every reply' },
  { id: 'failures', title: 'Every refusal' },
];

/** The checks of a run by what they are about, in the order of the document. No check gets lost. */
export const areasOf = ({ checks }: Pick<Report, 'checks'>): Area[] => {
  const areas = known.map((area) => ({ ...area, checks: checks.filter(({ id }) => belongs(id, area.id)) }));
  const others = checks.filter(({ id }) => !known.some((area) => belongs(id, area.id)));
  return [...areas, { id: 'other', title: 'Other checks', checks: others }].filter(
    (area) => area.checks.length > 0,
  );
};

const belongs = (check: string, area: string): boolean => check.startsWith(`${area}.`);

/** The six operations, in the order of the document. */
export const operationTitles: ReadonlyMap<string, string> = new Map(
  known.flatMap(({ operation, title }) => (operation === undefined ? [] : [[operation, title] as const])),
);

/** How often each outcome occurs; outcomes that do not are left out. */
export const tally = (checks: readonly CheckReport[]): Map<Outcome, number> => {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) {
    const count = checks.filter((check) => outcomeOf(check) === outcome).length;
    if (count > 0) counts.set(outcome, count);
  }
  return counts;
};

/** The checks that were skipped, by the reason. */
export const skippedByReason = ({ checks }: Pick<Report, 'checks'>): Map<string, CheckReport[]> => {
  const reasons = new Map<string, CheckReport[]>();
  for (const check of checks) {
    if (check.status !== 'skipped') continue;
    const reason = check.reason ?? 'no reason was given';
    reasons.set(reason, [...(reasons.get(reason) ?? []), check]);
  }
  return reasons;
};

/** Checks that failed for one cause. */
export type Cause = { readonly first: CheckReport; readonly others: readonly CheckReport[] };

/** What was found, by its cause: first what makes the run fail, then what does not, last what is waived. */
export const causesOf = (report: Report): Cause[] => {
  const causes = report.groups.flatMap(({ checks: ids }) => {
    const [first, ...others] = report.checks.filter(({ id }) => ids.includes(id));
    return first ? [{ first, others }] : [];
  });
  const weight = ({ first }: Cause): number =>
    breaks(first, report) ? 0 : first.waived === undefined ? 1 : 2;
  return causes.sort((one, other) => weight(one) - weight(other));
};
