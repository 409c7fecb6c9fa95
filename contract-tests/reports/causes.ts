// The findings of a run grouped by their cause, with the cause first.

import { dataOf, type Exchange, responseFingerprint, sentFields } from '../client/exchange.ts';
import { groupBy } from '../runner/summary.ts';
import type { Verdict } from '../runner/verdict.ts';
import { type Check, defectOf, isReplyCheck } from '../session/check.ts';
import { operations } from '../session/operations.ts';
import { changedField } from '../session/outcome.ts';
import { leadFields } from '../session/own-lead.ts';
import type { CheckReport, Group } from './report.ts';

const deepest = 7;

/**
 * The level in a response that a claim concerns. A response that cannot be parsed has no fields to check, and if a
 * field differs from what was sent, checks that rely on it must fail too.
 */
const depths: readonly (readonly [RegExp, number])[] = [
  [/\.auth\.changes-nothing$/, deepest],
  [/^replies\.(encoding|distinct-names)/, 0],
  [/\.(success|every-time)$|\.auth\.(then-key|missing-key)$/, 1],
  [/^(failures|replies)\.|\.auth\.unknown-key$/, 2],
  [/\.auth\.|^leads\.update\.same-id$/, 3],
  [/\.(data|error|message|items|id|lead-id|name|source|note|body|variables|created-at|updated-at)$/, 3],
  [/\.echoes-[\w-]+$/, 4],
  [/^leads\.delete\.that-lead-only$/, 5],
  [/\.keeps-other-fields$/, 6],
];

const depthOf = ({ id }: Pick<Check, 'id'>, { actual }: { readonly actual: string }): number => {
  // A lead that still exists with a change was not changed by a deletion.
  if (id === 'leads.delete.that-lead-only' && !isGone(actual)) return deepest;
  return depths.find(([pattern]) => pattern.test(id))?.[1] ?? deepest;
};

const isGone = (actual: string): boolean => actual.startsWith('gone');

/** A verdict with a failure, which may have the response that shows it. */
type Finding = Verdict & { readonly failure: NonNullable<Verdict['failure']> };

const isFinding = (verdict: Verdict): verdict is Finding =>
  verdict.failure !== undefined && verdict.status !== 'unstable';

/** Of two findings at one level, the one that fewer requests show comes first: it is the simplest situation. */
const bySimplicity = (left: Finding, right: Finding): number =>
  depthOf(left.check, left.failure) - depthOf(right.check, right.failure) ||
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
 * Whether a finding follows from a simpler one: it shows the same change, or the response that shows it also has the defect of
 * one of a lower depth.
 */
const explains = (root: Finding, { check, status, waived, failure }: Finding): boolean => {
  const { exchange, actual } = failure;
  // A finding that fails the run must not be hidden behind one that does not.
  if (!exchange || root.waived !== waived || (status === 'fail' && root.status !== 'fail')) return false;
  if (root.failure.exchange === exchange && root.failure.actual === actual) return true;
  const sameRefusal = isSameRefusal(root.failure.exchange, exchange);
  // Several requests may delete a lead, and then all of them get the same refusal.
  if (isSameChange(root.failure, failure) || (sameRefusal && !isGone(actual))) return true;
  if (depthOf(root.check, root.failure) >= depthOf(check, failure)) return false;
  return (
    sameRefusal ||
    violates(root.check, exchange) ||
    isEchoedWrong(root.check, exchange) ||
    isAboutUnsentField(root.check, failure) ||
    isAddedWrong(root, failure) ||
    isAnyKey(root, check, failure) ||
    isDeletedBeside(root, failure)
  );
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

/** Whether a response shows another value than the one sent, while `echoes-…` finds that for plain texts too. */
const isEchoedWrong = (check: Check, exchange: Exchange): boolean => {
  if (!/\.echoes-/.test(check.id) || check.operation !== exchange.operation) return false;
  if (exchange.outcome !== 'success' || exchange.body === undefined) return false;
  const sent = sentFields(exchange);
  const data = dataOf(exchange);
  return leadFields.some(
    (name) => typeof sent[name] === 'string' && data[name] !== undefined && data[name] !== sent[name],
  );
};

/**
 * Whether a finding concerns a name or a source that the update did not send, while updates are found to change such fields.
 */
const isAboutUnsentField = (check: Check, { expected, exchange }: Finding['failure']): boolean => {
  if (!check.id.endsWith('.keeps-other-fields') || exchange?.operation !== check.operation) return false;
  const [, field] = /^data\.(name|source)\b/.exec(expected) ?? [];
  return field !== undefined && sentFields(exchange)[field] === undefined;
};

/** Whether a finding concerns a field that was already wrong in the response to the addition, and not only after an update. */
const isAddedWrong = (root: Finding, { expected }: Finding['failure']): boolean => {
  const [, field] = /^data\.(\w+)/.exec(expected) ?? [];
  const [, added] = /^data\.(\w+)/.exec(root.failure.expected) ?? [];
  return root.check.id === 'leads.add.echoes-fields' && field !== undefined && field === added;
};

/** Whether a wrong key is accepted in the same way as another one, such as no key or a random key, by the same operation. */
const isAnyKey = (root: Finding, check: Check, { actual }: Finding['failure']): boolean => {
  const isWrongKey = ({ id }: Check): boolean => id.includes('.auth.');
  const withoutKey = (text: string): string => text.split(', sent with ', 1)[0] ?? '';
  return (
    isWrongKey(root.check) &&
    isWrongKey(check) &&
    root.check.operation === check.operation &&
    withoutKey(actual) === withoutKey(root.failure.actual)
  );
};

/** Whether a lead is gone, while deletions are found to delete other leads. */
const isDeletedBeside = (root: Finding, { actual }: Finding['failure']): boolean =>
  root.check.operation === 'deleteLead' && isGone(actual) && isGone(root.failure.actual);

/** The claim of a check without its operation: `auth.missing-key`, `message`. */
const familyOf = ({ id }: CheckReport): string => {
  const area = operations.find((operation) => id.startsWith(`${operation.area}.`))?.area;
  return area === undefined ? id : id.slice(area.length + 1);
};

/** The actual result without the parts that differ between requests. */
const kindOf = ({ finding }: CheckReport): string =>
  (finding?.actual ?? '')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\/data\/\d+/g, '/data/…')
    .replace(/\d+/g, '…');

/**
 * Groups findings with one cause, the cause first: defects of a response before defects that only follow from them.
 * @param roots for ids of findings: the id of the finding that they follow from
 */
export const groupFindings = (
  checks: readonly CheckReport[],
  roots: ReadonlyMap<string, string> = new Map(),
): Group[] => {
  const findings = checks.filter(({ status, finding }) => finding !== undefined && status !== 'unstable');
  const causeOf = (check: CheckReport): string => {
    const root = checks.find(({ id }) => id === roots.get(check.id)) ?? check;
    return `${root.status} ${root.waived ?? ''} ${familyOf(root)} ${kindOf(root)}`;
  };
  const depth = (report: CheckReport): number => depthOf(report, report.finding ?? { actual: '' });
  const steps = ({ finding }: CheckReport): number => finding?.exchanges?.length ?? 0;
  const inDepth = (left: CheckReport, right: CheckReport): number =>
    depth(left) - depth(right) || steps(left) - steps(right);
  return [...groupBy(findings, causeOf).values()]
    .map((members) => [...members].sort(inDepth))
    .sort(([left], [right]) => (left && right ? inDepth(left, right) : 0))
    .map(describe);
};

const describe = (members: readonly CheckReport[]): Group => {
  const [first] = members as [CheckReport, ...CheckReport[]];
  const operations = [...new Set(members.map(({ operation }) => operation))];
  return {
    headline:
      members.length === 1
        ? `${first.title}: ${first.finding?.actual}`
        : `${first.finding?.expected}: ${first.finding?.actual} (${operations.join(', ')})`,
    status: first.status,
    section: first.section,
    checks: members.map(({ id }) => id),
    operations,
  };
};
