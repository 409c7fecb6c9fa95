import { groupBy, type Summary } from '../runner/summary.ts';
import type { Check } from '../session/check.ts';
import { groupFindings } from './causes.ts';
import { type CheckReport, decidedStatuses, type Report, type StatusCounts } from './report.ts';

/** From the most severe: of several results for one check, the worst counts. */
const severity = ['fail', 'error', 'warn', 'inconclusive', 'unstable', 'pass', 'skipped'];

const worst = (results: readonly CheckReport[]): CheckReport | undefined =>
  [...results].sort((left, right) => severity.indexOf(left.status) - severity.indexOf(right.status))[0];

/** The result of a check that no part contains: it was not tested, and the whole is not green. */
const missingResult = (check: Check, operation: string): CheckReport => ({
  id: check.id,
  title: check.title,
  section: check.section,
  level: check.level,
  operation,
  needs: check.needs,
  status: 'inconclusive',
  duration_ms: 0,
  reason: 'none of the merged reports contains it',
});

type Coverage = Report['coverage'];

const mergeStatuses = (parts: readonly Coverage[]): StatusCounts => {
  const merged: StatusCounts = {};
  for (const { statuses } of parts)
    for (const [operation, row] of Object.entries(statuses)) {
      const sums = merged[operation] ?? {};
      merged[operation] = sums;
      for (const [status, count] of Object.entries(row)) sums[status] = (sums[status] ?? 0) + count;
    }
  return merged;
};

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

const mergeCoverage = (parts: readonly Coverage[], checks: readonly CheckReport[]): Coverage => {
  const documented = checks.filter(({ level }) => level === 'documented');
  const unobservable = union(parts.map((part) => part.unobservable));
  // A part without a success of an operation saw none of its fields, and does not say so.
  const isUnseen = (field: string): boolean =>
    parts.every(
      ({ never_seen, statuses }) =>
        never_seen.includes(field) || statuses[field.split(' ', 1)[0] ?? '']?.['200'] === undefined,
    );
  return {
    documented: {
      checked: documented.filter(({ status }) => decidedStatuses.has(status)).length,
      total: documented.length + unobservable.length,
    },
    unobservable,
    statuses: mergeStatuses(parts),
    never_seen: union(parts.map((part) => part.never_seen)).filter(isUnseen),
    undocumented: union(parts.map((part) => part.undocumented)),
    adaptations: union(parts.map((part) => part.adaptations)),
    partly_judged: union(parts.map((part) => part.partly_judged)),
  };
};

type MergeOptions = {
  /** The checks that the parts together should decide, with the operation that a report names for each. */
  readonly expected: readonly (readonly [check: Check, operation: string])[];
  readonly summarise: (checks: readonly CheckReport[], isInterrupted: boolean, strict: boolean) => Summary;
  readonly describeRan: (checks: readonly CheckReport[]) => string;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One report of several parts of a run, each with its own checks (`--only`). */
export const mergeReports = (
  parts: readonly [Report, ...Report[]],
  { expected, summarise, describeRan }: MergeOptions,
): Report => {
  const results = groupBy(
    parts.flatMap(({ checks }) => checks),
    ({ id }) => id,
  );
  const known = expected.map(
    ([check, operation]) => worst(results.get(check.id) ?? []) ?? missingResult(check, operation),
  );
  const named = new Set(known.map(({ id }) => id));
  const others = [...results].flatMap(([id, all]) => (named.has(id) ? [] : (worst(all) ?? [])));
  const checks = [...known, ...others];
  const roots = parts.flatMap(({ groups }) =>
    groups.flatMap(({ checks: [root = '', ...rest] }) => rest.map((id) => [id, root] as const)),
  );
  const strict = parts.some((part) => part.strict);
  const isInterrupted = parts.some(({ verdict }) => verdict.exit_code === 130);
  const { exitCode, headline, counts } = summarise(checks, isInterrupted, strict);
  const [{ timeline: _, ...first }] = [...parts].sort((left, right) =>
    left.started_at.localeCompare(right.started_at),
  ) as [Report];
  const total = (of: (part: Report) => number): number => sum(parts.map(of));
  return {
    ...first,
    run_id: union(parts.map(({ run_id }) => [run_id]).filter(([id]) => id !== '')).join(' '),
    strict,
    duration_ms: total((part) => part.duration_ms),
    verdict: { exit_code: exitCode, headline },
    counts,
    requests: total((part) => part.requests),
    mails_requested: total((part) => part.mails_requested),
    waited_ms: total((part) => part.waited_ms),
    ran: describeRan(checks),
    checks,
    answers: parts.flatMap(({ answers }) => answers),
    groups: groupFindings(checks, new Map(roots)),
    coverage: mergeCoverage(
      parts.map(({ coverage }) => coverage),
      checks,
    ),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
  };
};
