import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { operations } from '../exchange/operations.ts';
import { type AnswerVerdict, exitCodes, groupBy, plural } from '../runner/summary.ts';
import type { Status } from '../runner/verdict.ts';
import type { CheckReport, Report } from './report.ts';
import { durationText, type Row, rowLine, rowsOf, sentText } from './text.ts';

// What every report shows of a run, prepared once: each one only writes it in its own form.

/** The status of a check, with waivers applied. */
export type Outcome = Status | 'waived';

/** What decides about a colour. */
export type Tone = Outcome | 'drift';

/** Most important first. */
const outcomes = ['fail', 'error', 'warn', 'inconclusive', 'unstable', 'waived', 'skipped', 'pass'] as const;

/** Undecided, passed only at the second attempt, or failed because of the suite: such a check needs a review. */
const doubtful: readonly Outcome[] = ['error', 'inconclusive', 'unstable'];

type Result = Pick<CheckReport, 'status' | 'waived'>;

const outcomeOf = ({ status, waived }: Result): Outcome => (waived === undefined ? status : 'waived');

/** Whether a check makes the run fail. */
export const isFailure = (check: Result, { strict }: Pick<Report, 'strict'>): boolean => {
  const outcome = outcomeOf(check);
  return outcome === 'fail' || (strict && outcome === 'warn');
};

/** A check or an answer of the profile: what was found, and what shows it. */
export type Item = {
  readonly id: string;
  readonly title: string;
  /** Section of the interface document. */
  readonly section: string;
  /** `documented`, `derived`, or that it is an answer. */
  readonly level: string;
  /** One of the six operations, or `every`; an answer has none. */
  readonly operation?: string;
  /** The verdict in a word or two. */
  readonly label: string;
  readonly tone: Tone;
  /** Whether the run fails because of it. */
  readonly isFailure: boolean;
  /** Why it is not decided. */
  readonly reason?: string | undefined;
  /** What came of it, in one line. */
  readonly summary: string;
  readonly evidence: readonly Row[];
  /** A command that repeats the last request. */
  readonly curl?: string | undefined;
  /** A script that repeats all of them. */
  readonly replay?: string | undefined;
};

/** What a check found: the request, the expected and the actual result, the response, and others with the same defect. */
const evidenceOf = ({ finding, waived, waiver_note }: CheckReport): Row[] => {
  const { reply, also = [] } = finding ?? {};
  return rowsOf([
    ['sent', finding && sentText(finding)],
    ['expected', finding?.expected],
    ['actual', finding?.actual],
    ['at', finding?.pointer],
    ['response', reply && `${reply.status}, ${plural(reply.size, 'byte')}: ${reply.excerpt}`],
    ...also.map((text) => ['also', text] as const),
    ['waived', waived],
    ['waiver', waiver_note],
  ]);
};

/** A check. With `--strict`, a broken derived fact counts as a failure. */
export const itemOf = (check: CheckReport, report: Pick<Report, 'strict'>): Item => {
  const { id, title, section, level, operation, status, reason, waived, finding } = check;
  const [isBroken, outcome] = [isFailure(check, report), outcomeOf(check)];
  return {
    ...{ id, title, section, level, operation, isFailure: isBroken },
    label: isBroken && level === 'derived' ? 'fail (derived)' : outcome,
    tone: isBroken ? 'fail' : outcome,
    // Of a finding, it repeats the expected and the actual result.
    reason: finding === undefined || doubtful.includes(status) ? reason : undefined,
    summary: waived === undefined ? summaryOf(outcome, reason) : `waived: ${waived}`,
    evidence: evidenceOf(check),
    ...{ curl: finding?.curl, replay: finding?.replay },
  };
};

const summaryOf = (outcome: Outcome, reason = ''): string =>
  outcome === 'inconclusive' ? `undecided: ${reason}` : reason;

/** An answer of the profile. Only a pinned one may fail the run. */
export const itemOfAnswer = (answer: AnswerVerdict): Item => {
  const { question, section, state, status, expected, actual, reason, evidence, curl } = answer;
  const title = `${state} ${expected}${actual === undefined ? '' : `, now ${actual}`}`;
  const isDrift = state === 'pinned' && status === 'drift';
  const isUndecided = status === 'inconclusive' || status === 'unstable';
  const decided = state === 'pinned' && isUndecided ? 'inconclusive' : 'pass';
  const outcome = status === 'skipped' ? 'skipped' : decided;
  return {
    ...{ id: question, section, level: `${state} answer`, label: status, isFailure: isDrift, reason, curl },
    title,
    tone: isDrift ? 'drift' : outcome,
    summary: isDrift ? `drift: ${title}` : summaryOf(outcome, reason),
    evidence: rowsOf([['evidence', evidence]]),
  };
};

/** The command that repeats the last request; where a script repeats all of them, it is the last step. */
export const commandOf = ({ curl, replay }: Item): Row[] =>
  rowsOf([[replay === undefined ? 'replay' : 'last step', curl]]);

/** An item as lines of plain text. */
export const itemText = (item: Item): string =>
  [
    `${item.title} (§${item.section}, ${item.level})`,
    ...(item.reason === undefined ? [] : [item.reason]),
    ...[...item.evidence, ...commandOf(item)].map(rowLine),
  ]
    .map((line) => clip(escapeInvisible(line), 5_000))
    .join('\n');

/** The checks with the same cause, of which the first shows it best. */
export type Cause = { readonly first: Item; readonly others: readonly Item[] };

/** Findings by cause: of documented facts first, then of derived ones, then waived findings. */
export const findingsOf = (report: Pick<Report, 'groups' | 'checks' | 'strict'>): Cause[] => {
  const weightOf = ({ waived, level }: CheckReport): number =>
    waived !== undefined ? 2 : level === 'derived' ? 1 : 0;
  const causes = report.groups.flatMap(({ checks: ids }) => {
    const [first, ...others] = ids.flatMap((id) => report.checks.find((check) => check.id === id) ?? []);
    return first ? [{ first, others }] : [];
  });
  return causes
    .sort((left, right) => weightOf(left.first) - weightOf(right.first))
    .map(({ first, others }) => ({
      first: itemOf(first, report),
      others: others.map((check) => itemOf(check, report)),
    }));
};

/** Items by tone and reason: if a deployment stops responding, that concerns most of a run. */
const byReason = (items: readonly Item[]): Cause[] =>
  [...groupBy(items, ({ tone, reason = '' }) => `${tone} ${reason}`).values()].flatMap(
    ([first, ...others]) => (first ? [{ first, others }] : []),
  );

/** The checks that need a review. Those with a waiver had one. */
export const doubtsOf = (report: Pick<Report, 'checks' | 'strict'>): Cause[] =>
  byReason(
    report.checks
      .filter((check) => doubtful.includes(outcomeOf(check)))
      .map((check) => itemOf(check, report)),
  );

/** Pinned answers of the profile: those that changed, and those that could not be observed. */
export const pinsOf = ({ answers }: Pick<Report, 'answers'>): Record<'drifted' | 'undecided', Cause[]> => {
  const items = answers.filter(({ state }) => state === 'pinned').map(itemOfAnswer);
  const having = (tone: Tone): Item[] => items.filter((item) => item.tone === tone);
  const drifted = having('drift').map((first) => ({ first, others: [] }));
  return { drifted, undecided: byReason(having('inconclusive')) };
};

/** The number of items. */
export const sizeOf = (causes: readonly Cause[]): number =>
  causes.reduce((sum, { others }) => sum + 1 + others.length, 0);

/** The outcome that a run counts as: one that conforms with remarks is a warning. */
export const toneOfRun = ({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): Tone => {
  if (verdict.exit_code === exitCodes.broken) return 'fail';
  if (verdict.exit_code === exitCodes.drift) return 'drift';
  if (verdict.exit_code !== exitCodes.conforms) return 'inconclusive';
  return counts.warn + counts.waived + counts.unstable + counts.inconclusive > 0 ? 'warn' : 'pass';
};

/** The title of a report. */
export const titleOf = ({ suite }: Pick<Report, 'suite'>): string => `${suite.name} ${suite.command}`;

/** What was tested, when, with how many requests, and what for. */
export const factsOf = (report: Report): Row[] => {
  const { target, run_id, started_at, duration_ms, requests, mails_requested, waited_ms, strict } = report;
  return rowsOf([
    ['target', `${target.url} (${target.kind})`],
    ['when', `${started_at.slice(0, 19).replace('T', ' ')} UTC, for ${durationText(duration_ms)}`],
    ['requests', `${requests}, of which ${mails_requested} requested mail`],
    ['waited', waited_ms < 1000 ? undefined : durationText(waited_ms)],
    ['run', run_id],
    ['broken derived facts', strict ? 'failures (strict)' : 'warnings'],
    ['exit code', String(report.verdict.exit_code)],
  ]);
};

export type Area = {
  readonly id: string;
  readonly title: string;
  /** Absent for checks that concern every operation. */
  readonly operation?: string;
  readonly checks: readonly CheckReport[];
};

/** In the order of the document. */
const areas: readonly Omit<Area, 'checks'>[] = [
  ...operations
    .toSorted((left, right) => Number(left.section) - Number(right.section))
    .map(({ id, area, title }) => ({ id: area, title, operation: id })),
  { id: 'replies', title: 'All responses' },
  { id: 'failures', title: 'All error responses' },
];

const otherArea = { id: 'other', title: 'Other checks' };

/** The checks of a run by area, in the order of the document. Checks without an area are listed last. */
export const areasOf = ({ checks }: Pick<Report, 'checks'>): Area[] => {
  const areaOf = ({ id }: CheckReport) => areas.find((area) => id.startsWith(`${area.id}.`)) ?? otherArea;
  return [...areas, otherArea]
    .map((area) => ({ ...area, checks: checks.filter((check) => areaOf(check) === area) }))
    .filter((area) => area.checks.length > 0);
};

/** Counts the checks per outcome; outcomes with no check are omitted. */
export const tally = (checks: readonly CheckReport[]): Map<Outcome, number> => {
  const countOf = (outcome: Outcome) => checks.filter((check) => outcomeOf(check) === outcome).length;
  return new Map<Outcome, number>(
    outcomes.map((outcome) => [outcome, countOf(outcome)] as const).filter(([, count]) => count > 0),
  );
};

/** `12 pass, 1 fail` */
export const tallyText = (checks: readonly CheckReport[]): string =>
  [...tally(checks)].map(([outcome, count]) => `${count} ${outcome}`).join(', ');

/** The skipped checks, grouped by reason. */
export const skippedByReason = ({ checks }: Pick<Report, 'checks'>): Map<string, CheckReport[]> => {
  const skipped = checks.filter(({ status }) => status === 'skipped');
  return groupBy(skipped, ({ reason = 'no reason given' }) => reason);
};
