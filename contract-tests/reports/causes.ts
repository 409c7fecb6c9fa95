// The findings of a run grouped by their cause, with the cause first.

import { type Exchange, responseFingerprint } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { type Check, defectOf, isReplyCheck, subjects } from '../facts/check.ts';
import { changedField } from '../facts/failure.ts';
import { groupBy } from '../runner/summary.ts';
import type { Verdict } from '../runner/verdict.ts';
import type { CheckReport, Group } from './report.ts';

const depthOf = ({ about = 'history' }: Check): number => subjects.indexOf(about);

/** A verdict with a failure, which may have the response that shows it. */
type Finding = Verdict & { readonly failure: NonNullable<Verdict['failure']> };

const isFinding = (verdict: Verdict): verdict is Finding =>
  verdict.failure !== undefined && verdict.status !== 'unstable';

/** Of two findings about the same subject, the one that fewer requests show comes first: it is the simplest situation. */
const bySimplicity = (left: Finding, right: Finding): number =>
  depthOf(left.check) - depthOf(right.check) ||
  (left.failure.causes?.length ?? 0) - (right.failure.causes?.length ?? 0);

/** Maps each finding that follows from another one to the id of that one. */
export const rootsOf = (verdicts: readonly Verdict[]): Map<string, string> => {
  const findings = verdicts.filter(isFinding);
  const inDepth = [...findings].sort(bySimplicity);
  const roots = new Map<string, string>();
  for (const finding of inDepth) {
    const earlier = inDepth.slice(0, inDepth.indexOf(finding));
    const cause = earlier.find((candidate) => explains(candidate, finding))?.check.id;
    if (cause !== undefined) roots.set(finding.check.id, roots.get(cause) ?? cause);
  }
  return roots;
};

/**
 * Whether a finding follows from a simpler one: it shows the same change, or the response that shows it also has a defect of an
 * earlier subject.
 */
const explains = (root: Finding, { check, status, waived, failure }: Finding): boolean => {
  const { exchange } = failure;
  // A finding that fails the run must not be hidden behind one that does not.
  if (!exchange || root.waived !== waived || (status === 'fail' && root.status !== 'fail')) return false;
  const sameRefusal = isSameRefusal(root.failure.exchange, exchange);
  // Several requests may delete a lead, and then all of them get the same refusal.
  if (isSameChange(root.failure, failure) || (sameRefusal && failure.effect !== 'lead gone')) return true;
  if (isAnyKey(root, check, failure)) return true;
  if (depthOf(root.check) >= depthOf(check)) return false;
  return sameRefusal || violates(root.check, exchange) || isDeletedBeside(root, failure);
};

/** Whether the same field of a lead is found with the same wrong value, after other requests. */
const isSameChange = (root: Finding['failure'], failure: Finding['failure']): boolean => {
  const field = changedField(failure);
  return field !== undefined && field === changedField(root) && root.actual === failure.actual;
};

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

/** Whether a wrong key is accepted in the same way as another one, such as no key or a random key, by the same operation. */
const isAnyKey = (root: Finding, check: Check, { actual }: Finding['failure']): boolean => {
  const withoutKey = (text: string): string => text.split(', sent with ', 1)[0] ?? '';
  return (
    root.check.section === '5' &&
    check.section === '5' &&
    root.check.operation === check.operation &&
    withoutKey(actual) === withoutKey(root.failure.actual)
  );
};

/** Whether a lead is gone, while deletions are found to delete other leads. */
const isDeletedBeside = (root: Finding, { effect }: Finding['failure']): boolean =>
  root.check.about === 'lead' && effect === 'lead gone' && root.failure.effect === effect;

/** The claim of a check without its operation: `auth.missing-key`, `message`. */
const familyOf = ({ id }: CheckReport): string => {
  const area = operations.find((operation) => id.startsWith(`${operation.area}.`))?.area;
  return area === undefined ? id : id.slice(area.length + 1);
};

/** A check with a finding. */
type Found = CheckReport & Pick<Group, 'status'> & Required<Pick<CheckReport, 'finding'>>;

const isFound = (report: CheckReport): report is Found =>
  report.finding !== undefined && (report.status === 'fail' || report.status === 'warn');

/** The actual result without the parts that differ between requests. */
const kindOf = ({ finding }: Found): string =>
  finding.actual
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\/data\/\d+/g, '/data/…')
    .replace(/\d+/g, '…');

/**
 * Groups findings with one cause, the cause first: defects of a response before defects that only follow from them.
 * @param roots for ids of findings: the id of the finding that they follow from
 */
export const groupFindings = (
  reports: readonly CheckReport[],
  checks: readonly Check[],
  roots: ReadonlyMap<string, string>,
): Group[] => {
  const depths = new Map(checks.map((check) => [check.id, depthOf(check)]));
  const findings = reports.filter(isFound);
  const causeOf = (check: Found): string => {
    const root = findings.find(({ id }) => id === roots.get(check.id)) ?? check;
    return `${root.status} ${root.waived ?? ''} ${familyOf(root)} ${kindOf(root)}`;
  };
  const depth = ({ id }: CheckReport): number => depths.get(id) ?? 0;
  const steps = ({ finding }: Found): number => finding.exchanges?.length ?? 0;
  const inDepth = (left: Found, right: Found): number =>
    depth(left) - depth(right) || steps(left) - steps(right);
  return [...groupBy(findings, causeOf).values()]
    .map((members) => [...members].sort(inDepth))
    .sort(([left], [right]) => (left && right ? inDepth(left, right) : 0))
    .map(describe);
};

const describe = (members: readonly Found[]): Group => {
  const [first] = members as [Found, ...Found[]];
  const operations = [...new Set(members.map(({ operation }) => operation))];
  return {
    headline:
      members.length === 1
        ? `${first.title}: ${first.finding.actual}`
        : `${first.finding.expected}: ${first.finding.actual} (${operations.join(', ')})`,
    status: first.status,
    section: first.section,
    checks: members.map(({ id }) => id),
    operations,
  };
};
