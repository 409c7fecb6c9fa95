import { ConfigurationError } from '../client/errors.ts';
import type { Check } from '../facts/check.ts';
import { selectDue } from '../runner/selection.ts';
import { emptyResult, exitCodes, groupBy, summarise } from '../runner/summary.ts';
import { ranLine } from './build-report.ts';
import { groupFindings } from './causes.ts';
import {
  type CheckReport,
  claimOf,
  countStatus,
  documentedIn,
  type Report,
  type StatusCounts,
} from './report.ts';

/** From the most severe: of several results for one check, the worst counts. */
const severity = ['fail', 'error', 'warn', 'inconclusive', 'unstable', 'pass', 'skipped'];

const worst = (results: readonly CheckReport[]): CheckReport | undefined =>
  [...results].sort((left, right) => severity.indexOf(left.status) - severity.indexOf(right.status))[0];

/** The result of a check that no part contains: it was not tested, and the whole is not green. */
const missingResult = (check: Check): CheckReport => ({
  ...claimOf(check),
  status: 'inconclusive',
  duration_ms: 0,
  reason: 'none of the merged reports contains it',
});

type Coverage = Report['coverage'];

const mergeStatuses = (parts: readonly Coverage[]): StatusCounts => {
  const merged: StatusCounts = {};
  for (const { statuses } of parts)
    for (const [operation, row] of Object.entries(statuses))
      for (const [status, count] of Object.entries(row)) countStatus(merged, operation, status, count);
  return merged;
};

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

const mergeCoverage = (parts: readonly Coverage[], checks: readonly CheckReport[]): Coverage => {
  const unobservable = union(parts.map((part) => part.unobservable));
  // A part without a success of an operation saw none of its fields, and does not say so.
  const isUnseen = (field: string): boolean =>
    parts.every(
      ({ never_seen, statuses }) =>
        never_seen.includes(field) || statuses[field.split(' ', 1)[0] ?? '']?.['200'] === undefined,
    );
  return {
    documented: documentedIn(checks, unobservable),
    unobservable,
    statuses: mergeStatuses(parts),
    never_seen: union(parts.map((part) => part.never_seen)).filter(isUnseen),
    undocumented: union(parts.map((part) => part.undocumented)),
    adaptations: union(parts.map((part) => part.adaptations)),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * One report of several parts of a run, each with its own checks (`--only`).
 * @param allChecks those of this version: the parts together should decide all that are due
 * @throws ConfigurationError for a part with a check of another version
 */
export const mergeReports = (parts: readonly [Report, ...Report[]], allChecks: readonly Check[]): Report => {
  const results = groupBy(
    parts.flatMap(({ checks }) => checks),
    ({ id }) => id,
  );
  const known = selectDue(allChecks, [], false).map(
    (check) => worst(results.get(check.id) ?? []) ?? missingResult(check),
  );
  const named = new Set(known.map(({ id }) => id));
  const others = [...results].flatMap(([id, all]) => (named.has(id) ? [] : (worst(all) ?? [])));
  const stray = others.find(({ id }) => !allChecks.some((check) => check.id === id));
  if (stray !== undefined)
    throw new ConfigurationError(
      `a report contains the check ${stray.id}, which this version does not have: run it again`,
    );
  const checks = [...known, ...others];
  const roots = parts.flatMap(({ groups }) =>
    groups.flatMap(({ checks: [root = '', ...rest] }) => rest.map((id) => [id, root] as const)),
  );
  const strict = parts.some((part) => part.strict);
  const interrupted = parts.some(({ verdict }) => verdict.exit_code === exitCodes.interrupted);
  const answers = parts.flatMap((part) => part.answers);
  const judged = { ...emptyResult, verdicts: checks, interrupted };
  const { exitCode, headline, counts } = summarise(judged, strict, [], answers);
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
    ran: ranLine(checks),
    checks,
    answers,
    groups: groupFindings(checks, allChecks, new Map(roots)),
    coverage: mergeCoverage(
      parts.map(({ coverage }) => coverage),
      checks,
    ),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
  };
};
