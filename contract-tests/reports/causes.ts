// The findings of a run by their cause, the cause first.

import { dataOf, type Exchange, responseFingerprint, sentFields } from '../client/exchange.ts';
import { groupBy } from '../runner/summary.ts';
import type { Verdict } from '../runner/verdict.ts';
import { type Check, isReplyCheck } from '../session/check.ts';
import { operations } from '../session/operations.ts';
import { leadFields } from '../session/own-lead.ts';
import type { CheckReport, Group } from './report.ts';

/**
 * How deep in a response a claim looks: whoever cannot read it as text need not look for a field, and where a field is not
 * what was sent, nothing that is looked for by it can be right. That a wrong key has the good one refused says why it is
 * refused elsewhere.
 */
const depths: readonly (readonly [RegExp, number])[] = [
  [/^replies\.(encoding|distinct-names)|\.auth\.then-key$/, 0],
  [/\.(success|every-time)$|\.auth\.missing-key$/, 1],
  [/^(failures|replies)\.|\.auth\.unknown-key$/, 2],
  [/\.auth\.|^leads\.update\.same-id$/, 3],
  [/\.(data|error|message|items|id|lead-id|name|source|note|body|variables|created-at|updated-at)$/, 3],
  [/\.echoes-[\w-]+$/, 4],
  [/^leads\.delete\.that-lead-only$/, 5],
  [/^leads\.add\.own-reply$/, 6],
  [/\.keeps-other-fields$|^leads\.delete\.removes-at-once$/, 7],
];

const deepest = 8;

type Texts = { readonly actual: string; readonly expected: string };

const depthOf = ({ id }: Pick<Check, 'id'>, { actual, expected }: Texts): number => {
  // A lead that is gone may have been so before others were added beside it; one that an update shows, changed by the update.
  if (id === 'leads.add.own-reply' && (isGone(actual) || / still, after /.test(expected))) return deepest;
  // A lead that was changed, and is there, was not changed by a deletion.
  if (id === 'leads.delete.that-lead-only' && !isGone(actual)) return deepest;
  return depths.find(([pattern]) => pattern.test(id))?.[1] ?? deepest;
};

const isGone = (actual: string): boolean => actual.startsWith('gone');

/** A finding with the response that shows it. */
type Finding = Verdict & { readonly failure: NonNullable<Verdict['failure']> };

const isFinding = (verdict: Verdict): verdict is Finding =>
  verdict.failure !== undefined && verdict.status !== 'unstable';

const depthOfFinding = ({ check, failure }: Finding): number => depthOf(check, failure);

/** For each finding that follows from another one: the id of that one. */
export const rootsOf = (verdicts: readonly Verdict[]): Map<string, string> => {
  const findings = verdicts.filter(isFinding);
  const inDepth = [...findings].sort((left, right) => depthOfFinding(left) - depthOfFinding(right));
  const roots = new Map<string, string>();
  for (const finding of inDepth) {
    const earlier = inDepth.slice(0, inDepth.indexOf(finding));
    const cause = earlier.find((candidate) => explains(candidate, finding))?.check.id;
    if (cause !== undefined) roots.set(finding.check.id, roots.get(cause) ?? cause);
  }
  return roots;
};

/** Whether the response that shows a finding is itself wrong in the way of a finding that looks less deep. */
const explains = (root: Finding, { check, status, waived, failure }: Finding): boolean => {
  const { exchange, actual } = failure;
  // What fails the run never hides behind what does not.
  if (!exchange || root.waived !== waived || (status === 'fail' && root.status !== 'fail')) return false;
  if (root.failure.exchange === exchange && root.failure.actual === actual) return true;
  if (depthOfFinding(root) >= depthOf(check, failure)) return false;
  return (
    isSameRefusal(root.failure.exchange, exchange) ||
    violates(root.check, exchange) ||
    isEchoedWrong(root.check, exchange) ||
    isAboutUnsentField(root.check, failure) ||
    isAddedWrong(root, failure) ||
    isAnyKey(root, check, failure) ||
    isDeletedBeside(root, failure)
  );
};

const violates = (check: Check, exchange: Exchange): boolean =>
  isReplyCheck(check) &&
  (check.scope === 'every' || check.operation === exchange.operation) &&
  typeof check.inspect(exchange) === 'object';

/** The same error response to the same operation: it has one cause, whatever was asked. */
const isSameRefusal = (left: Exchange | undefined, right: Exchange): boolean =>
  left !== undefined &&
  left.outcome !== 'success' &&
  left.operation === right.operation &&
  left.status === right.status &&
  (left.status >= 500 || responseFingerprint(left) === responseFingerprint(right));

/** A field that was sent comes back as something else, where that is found wrong of plain texts already. */
const isEchoedWrong = (check: Check, exchange: Exchange): boolean => {
  if (!/\.echoes-/.test(check.id) || check.operation !== exchange.operation) return false;
  if (exchange.outcome !== 'success' || exchange.body === undefined) return false;
  const sent = sentFields(exchange);
  const data = dataOf(exchange);
  return leadFields.some(
    (name) => typeof sent[name] === 'string' && data[name] !== undefined && data[name] !== sent[name],
  );
};

/** A name or a source that an update did not send, where updates are found to change such fields. */
const isAboutUnsentField = (check: Check, { expected, exchange }: Finding['failure']): boolean => {
  if (!check.id.endsWith('.keeps-other-fields') || exchange?.operation !== check.operation) return false;
  const [, field] = /^data\.(name|source)\b/.exec(expected) ?? [];
  return field !== undefined && sentFields(exchange)[field] === undefined;
};

/** A field that is shown wrong from the addition on, and not since an update. */
const isAddedWrong = (root: Finding, { expected }: Finding['failure']): boolean => {
  const [, field] = /^data\.(\w+)/.exec(expected) ?? [];
  const [, added] = /^data\.(\w+)/.exec(root.failure.expected) ?? [];
  return root.check.id === 'leads.add.echoes-fields' && field !== undefined && field === added;
};

/** Where no key at all does, or a random one, any other wrong key of the same operation does. */
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

/** A lead that is gone, where deletions are found to delete what they must not. */
const isDeletedBeside = (root: Finding, { actual }: Finding['failure']): boolean =>
  root.check.operation === 'deleteLead' && isGone(actual) && isGone(root.failure.actual);

/** What a check claims apart from the operation it claims it of: `auth.missing-key`, `message`. */
const familyOf = ({ id }: CheckReport): string => {
  const area = operations.find((operation) => id.startsWith(`${operation.area}.`))?.area;
  return area === undefined ? id : id.slice(area.length + 1);
};

/** What came, without what differs from request to request. */
const kindOf = ({ finding }: CheckReport): string =>
  (finding?.actual ?? '')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\/data\/\d+/g, '/data/…')
    .replace(/\d+/g, '…');

/**
 * The findings with one cause together, the cause first: what is broken in a response before what is only seen by it.
 * @param roots the finding that another one follows from, by ids
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
  const depth = (report: CheckReport): number =>
    depthOf(report, report.finding ?? { actual: '', expected: '' });
  const inDepth = (left: CheckReport, right: CheckReport): number => depth(left) - depth(right);
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
