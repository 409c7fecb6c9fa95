// The checks of a run as reports show them: findings by their cause, checks by their outcome, area and reason.

import { dataOf, type Exchange, isObject } from '../client/exchange.ts';
import { groupBy } from '../runner/summary.ts';
import type { Status, Verdict } from '../runner/verdict.ts';
import { type Check, isReplyCheck } from '../session/check.ts';
import { operations } from '../session/operations.ts';
import { leadFields } from '../session/own-lead.ts';
import type { CheckReport, Group, Report } from './report.ts';

/**
 * How deep in a response a claim looks: whoever cannot read it as text need not look for a field, and where a field is not
 * what was sent, nothing that is looked for by it can be right. That a wrong key has the good one refused says why it is
 * refused elsewhere.
 */
const depthOf = ({ id }: Pick<Check, 'id'>): number => {
  if (/^replies\.(encoding|distinct-names)|\.auth\.then-key$/.test(id)) return 0;
  if (/\.(success|every-time)$/.test(id)) return 1;
  if (/^(failures|replies)\./.test(id)) return 2;
  if (/\.(echoes-[\w-]+|keeps-other-fields)$/.test(id)) return 4;
  return /\.(data|error|message|items|id|lead-id|name|source|note|body|variables|created-at|updated-at)$/.test(
    id,
  )
    ? 3
    : 5;
};

/** A finding with the response that shows it. */
type Finding = Verdict & { readonly failure: NonNullable<Verdict['failure']> };

const isFinding = (verdict: Verdict): verdict is Finding => verdict.failure !== undefined;

/** For each finding that follows from another one: the id of that one. */
export const rootsOf = (verdicts: readonly Verdict[]): Map<string, string> => {
  const findings = verdicts.filter(isFinding);
  const inDepth = [...findings].sort((left, right) => depthOf(left.check) - depthOf(right.check));
  const roots = new Map<string, string>();
  for (const finding of inDepth) {
    const earlier = inDepth.slice(0, inDepth.indexOf(finding)).filter(({ check }) => !roots.has(check.id));
    const root = earlier.find((candidate) => explains(candidate, finding));
    if (root) roots.set(finding.check.id, root.check.id);
  }
  return roots;
};

/** Whether the response that shows a finding is itself wrong in the way of a finding that looks less deep. */
const explains = (root: Finding, { check, status, waived, failure }: Finding): boolean => {
  const { exchange, actual } = failure;
  // What fails the run never hides behind what does not.
  if (!exchange || root.waived !== waived || (status === 'fail' && root.status !== 'fail')) return false;
  if (root.failure.exchange === exchange && root.failure.actual === actual) return true;
  if (depthOf(root.check) >= depthOf(check)) return false;
  return (
    isSameRefusal(root.failure.exchange, exchange) ||
    violates(root.check, exchange) ||
    isEchoedWrong(root.check, exchange) ||
    isAboutUnsentField(root.check, failure)
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
  (left.status >= 500 || left.text === right.text);

/** A field that was sent comes back as something else, where that is found wrong of plain texts already. */
const isEchoedWrong = (check: Check, exchange: Exchange): boolean => {
  if (!/\.echoes-/.test(check.id) || check.operation !== exchange.operation) return false;
  if (exchange.outcome !== 'success' || exchange.body === undefined) return false;
  const sent = parse(exchange.body);
  const data = dataOf(exchange);
  return leadFields.some(
    (name) => typeof sent[name] === 'string' && data[name] !== undefined && data[name] !== sent[name],
  );
};

/** A name or a source that an update did not send, where updates are found to change such fields. */
const isAboutUnsentField = (check: Check, { expected, exchange }: Finding['failure']): boolean => {
  if (!check.id.endsWith('.keeps-other-fields') || exchange?.operation !== check.operation) return false;
  const [, field] = /^data\.(name|source)\b/.exec(expected) ?? [];
  return field !== undefined && parse(exchange.body ?? '')[field] === undefined;
};

const parse = (body: string): Readonly<Record<string, unknown>> => {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
};

/** What a check claims apart from the operation it claims it of: `auth.missing-key`, `message`. */
const familyOf = ({ id }: CheckReport): string => {
  const area = operations.find((operation) => belongs(id, operation.area))?.area;
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
  const findings = checks.filter(({ finding }) => finding !== undefined);
  const causeOf = (check: CheckReport): string => {
    const root = checks.find(({ id }) => id === roots.get(check.id)) ?? check;
    return `${root.status} ${root.waived ?? ''} ${familyOf(root)} ${kindOf(root)}`;
  };
  const inDepth = (left: CheckReport, right: CheckReport): number => depthOf(left) - depthOf(right);
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

export const statusOfCheck = ({ status, waived }: CheckReport): Outcome =>
  waived === undefined ? status : 'waived';

/** Whether a check makes the run fail. */
export const isFailure = (check: CheckReport, { strict }: Pick<Report, 'strict'>): boolean => {
  const outcome = statusOfCheck(check);
  return outcome === 'fail' || (strict && outcome === 'warn');
};

/** What a finding is headed with: with `--strict` a derived one fails the run as well. */
export const labelOf = (check: CheckReport, report: Pick<Report, 'strict'>): string =>
  isFailure(check, report) && check.level === 'derived' ? 'fail (derived)' : statusOfCheck(check);

export type Area = {
  readonly id: string;
  readonly title: string;
  /** Absent for what is said of every operation. */
  readonly operation?: string;
  readonly checks: readonly CheckReport[];
};

/** As the document describes them. */
const inDocumentOrder = [...operations].sort((left, right) => Number(left.section) - Number(right.section));

const areas: readonly Omit<Area, 'checks'>[] = [
  ...inDocumentOrder.map(({ id, area, title }) => ({ id: area, title, operation: id })),
  { id: 'replies', title: 'All responses' },
  { id: 'failures', title: 'All error responses' },
];

/** The checks of a run by what they are about, in the order of the document. No check gets lost. */
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

/** The operations, in the order of the document. */
export const operationTitles: ReadonlyMap<string, string> = new Map(
  inDocumentOrder.map(({ id, title }) => [id, title]),
);

/** How often each outcome occurs; outcomes that do not are left out. */
export const tally = (checks: readonly CheckReport[]): Map<Outcome, number> => {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) {
    const count = checks.filter((check) => statusOfCheck(check) === outcome).length;
    if (count > 0) counts.set(outcome, count);
  }
  return counts;
};

/** The checks that were skipped, by the reason. */
export const skippedByReason = ({ checks }: Pick<Report, 'checks'>): Map<string, CheckReport[]> => {
  const skipped = checks.filter(({ status }) => status === 'skipped');
  return groupBy(skipped, ({ reason = 'no reason given' }) => reason);
};

/** Checks that failed for one cause. */
export type Cause = { readonly first: CheckReport; readonly others: readonly CheckReport[] };

/** Findings by cause: failures first, then warnings, then waived findings. */
export const groupByCause = (report: Report): Cause[] => {
  const causes = report.groups.flatMap(({ checks: ids }) => {
    const [first, ...others] = ids.flatMap((id) => report.checks.find((check) => check.id === id) ?? []);
    return first ? [{ first, others }] : [];
  });
  const weight = ({ first }: Cause): number =>
    isFailure(first, report) ? 0 : first.waived === undefined ? 1 : 2;
  return causes.sort((left, right) => weight(left) - weight(right));
};
