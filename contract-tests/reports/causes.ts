// The findings of a run grouped by their cause, with the cause first.

import { type Exchange, responseFingerprint } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { type Check, defectOf, isReplyCheck, subjects } from '../facts/check.ts';
import { changedField, describeActual, type Failure } from '../facts/failure.ts';
import { groupBy } from '../runner/summary.ts';
import type { Verdict } from '../runner/verdict.ts';
import { claimOf, type Group } from './report.ts';

const depthOf = ({ about = 'history' }: Check): number => subjects.indexOf(about);

/** A verdict with a failure, which may have the response that shows it. */
type Finding = Verdict & Pick<Group, 'status'> & { readonly failure: Failure };

const isFinding = (verdict: Verdict): verdict is Finding =>
  verdict.failure !== undefined && (verdict.status === 'fail' || verdict.status === 'warn');

/** Of two findings about the same subject, the one that fewer requests show comes first: it is the simplest situation. */
const bySimplicity = (left: Finding, right: Finding): number =>
  depthOf(left.check) - depthOf(right.check) ||
  (left.failure.causes?.length ?? 0) - (right.failure.causes?.length ?? 0);

/** Maps each finding that follows from a simpler one to the id of that one. @param findings the simplest first */
const rootsOf = (findings: readonly Finding[]): Map<string, string> => {
  const roots = new Map<string, string>();
  for (const [at, finding] of findings.entries()) {
    const cause = findings.slice(0, at).find((earlier) => explains(earlier, finding))?.check.id;
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
const isSameChange = (root: Failure, failure: Failure): boolean => {
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
const isAnyKey = (root: Finding, check: Check, { actual }: Failure): boolean => {
  const withoutKey = (text: string): string => text.split(', sent with ', 1)[0] ?? '';
  return (
    root.check.section === '5' &&
    check.section === '5' &&
    root.check.operation === check.operation &&
    withoutKey(actual) === withoutKey(root.failure.actual)
  );
};

/** Whether a lead is gone, while deletions are found to delete other leads. */
const isDeletedBeside = (root: Finding, { effect }: Failure): boolean =>
  root.check.about === 'lead' && effect === 'lead gone' && root.failure.effect === effect;

/** The claim of a check without its operation: `auth.missing-key`, `message`. */
const familyOf = ({ id }: Check): string => {
  const area = operations.find((operation) => id.startsWith(`${operation.area}.`))?.area;
  return area === undefined ? id : id.slice(area.length + 1);
};

/** The actual result without the parts that differ between requests. */
const kindOf = ({ failure }: Finding): string =>
  describeActual(failure)
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\/data\/\d+/g, '/data/…')
    .replace(/\d+/g, '…');

/** Groups findings with one cause, the cause first: defects of a response before defects that only follow from them. */
export const groupFindings = (verdicts: readonly Verdict[]): Group[] => {
  const findings = verdicts.filter(isFinding).sort(bySimplicity);
  const roots = rootsOf(findings);
  const causeOf = (finding: Finding): string => {
    const root = findings.find(({ check }) => check.id === roots.get(finding.check.id)) ?? finding;
    return `${root.status} ${root.waived ?? ''} ${familyOf(root.check)} ${kindOf(root)}`;
  };
  return [...groupBy(findings, causeOf).values()].map(describe);
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
