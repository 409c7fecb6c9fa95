import { type Exchange, responseFingerprint } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { type Check, defectOf, isReplyCheck, subjects } from '../facts/check.ts';
import { describeActual, type Failure } from '../facts/fact.ts';
import type { components } from '../generated/report.ts';
import type { Verdict } from '../runner/verdict.ts';
import { shapeOf } from '../waivers/waivers.ts';

/**
 * A run as plain data, from which every kind of report is created. It contains no key and no record that the run did not create.
 * Its schema describes it.
 */
export type Report = components['schemas']['Report'];

/** The files with the replay scripts, by the id of the check. */
export type Scripts = ReadonlyMap<string, string>;

/** A check and its result. */
export type CheckReport = Report['checks'][number];

/** What shows that a check is broken. */
export type FindingReport = NonNullable<CheckReport['finding']>;

/** A request and its response, without data that may be personal. */
export type ExchangeReport = NonNullable<FindingReport['exchanges']>[number];

/** Findings with the same cause, possibly in several operations, with one headline for the group. */
type Group = Report['groups'][number];

/** The traffic from a proxy or a recording: how much of it was checked, and where requests differ from the document. */
export type TrafficReport = NonNullable<Report['traffic']>;

/** Undocumented or missing parts in requests of one kind. */
export type RequestReport = TrafficReport['requests'][number];

/** What a check states, whatever its result. */
export const claimOf = (
  check: Check,
): Pick<CheckReport, 'id' | 'title' | 'section' | 'level' | 'operation' | 'needs'> => {
  const { id, title, section, level, needs } = check;
  const operation = check.scope === 'every' ? 'every' : check.operation;
  return { id, title, section, level, operation, needs };
};

// The findings of a run grouped by their cause, with the cause first.

const depthOf = ({ about = 'history' }: Check): number => subjects.indexOf(about);

/** A verdict with a failure, which may have the response that shows it. */
type Finding = Verdict & Pick<Group, 'status'> & { readonly failure: Failure };

const isFinding = (verdict: Verdict): verdict is Finding =>
  verdict.failure !== undefined && (verdict.status === 'fail' || verdict.status === 'warn');

/** The number of requests before it that may have caused a finding. Where one response is proof, none needs to be. */
const countCauses = ({ isProven, causes = [] }: Failure): number => (isProven ? 0 : causes.length);

/** Of two findings about the same subject, the one that fewer requests show comes first: it is the simplest situation. */
const bySimplicity = (left: Finding, right: Finding): number =>
  depthOf(left.check) - depthOf(right.check) || countCauses(left.failure) - countCauses(right.failure);

/**
 * Whether a finding follows from a simpler one: it is the same claim about another operation, it shows the same change, or the
 * response that shows it also has a defect of an earlier subject.
 */
const explains = (simple: Finding, { check, status, waived, failure }: Finding): boolean => {
  const { exchange } = failure;
  // A finding that fails the run must not be hidden behind one that does not.
  if (simple.waived !== waived || (status === 'fail' && simple.status !== 'fail')) return false;
  if (simple.status === status && claimedBy(simple.check, simple.failure) === claimedBy(check, failure))
    return true;
  if (!exchange) return false;
  if (isSameRefusal(simple.failure.exchange, exchange) || isSameResult(simple.failure, failure)) return true;
  // A wrong status, or one wrong field, is no reason for another field of a response that is complete.
  const isWhole = simple.check.about === 'bytes' || exchange.outcome !== 'success';
  return (
    (isWhole || simple.failure.pointer === failure.pointer) &&
    depthOf(simple.check) < depthOf(check) &&
    violates(simple.check, exchange)
  );
};

/** Whether an operation shows the same twice: one wrong value of a field, or one success for two wrong keys. */
const isSameResult = (left: Failure, right: Failure): boolean =>
  left.exchange?.operation === right.exchange?.operation &&
  left.pointer === right.pointer &&
  left.actual === right.actual;

const violates = (check: Check, exchange: Exchange): boolean =>
  isReplyCheck(check) &&
  (check.scope === 'every' || check.operation === exchange.operation) &&
  defectOf(check, exchange) !== undefined;

/** Whether the same operation sent the same error response, so that both have one cause. */
const isSameRefusal = (left: Exchange | undefined, right: Exchange): boolean =>
  left !== undefined &&
  left.outcome !== 'success' &&
  left.operation === right.operation &&
  left.status === right.status &&
  (left.status >= 500 || responseFingerprint(left) === responseFingerprint(right));

/** The claim of a check without its operation, such as `auth.missing-key`, and what came, without values that differ from run to run. */
const claimedBy = ({ id }: Check, failure: Failure): string => {
  const area = operations.find((operation) => id.startsWith(`${operation.area}.`))?.area;
  return `${area === undefined ? id : id.slice(area.length + 1)} ${shapeOf(describeActual(failure))}`;
};

/** Groups findings with one cause, the cause first: defects of a response before defects that only follow from them. */
export const groupFindings = (verdicts: readonly Verdict[]): Group[] => {
  const groups: Finding[][] = [];
  for (const finding of verdicts.filter(isFinding).sort(bySimplicity)) {
    const group = groups.find(([cause]) => cause && explains(cause, finding));
    if (group) group.push(finding);
    else groups.push([finding]);
  }
  return groups.map(describe);
};

const describe = (findings: readonly Finding[]): Group => {
  const [{ check, status, failure }] = findings as [Finding, ...Finding[]];
  const operations = [...new Set(findings.map((finding) => claimOf(finding.check).operation))];
  const actual = describeActual(failure);
  return {
    headline:
      findings.length === 1
        ? `${check.title}: ${actual}`
        : `${failure.expected}: ${actual} (${operations.join(', ')})`,
    status,
    section: check.section,
    checks: findings.map((finding) => finding.check.id),
    operations,
  };
};
