// What every report shows of a check, or of an answer of the profile. Each report writes it in a form of its own.
import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { plural } from '../exchange/describe.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { groupBy } from '../exchange/lists.ts';
import { operations } from '../exchange/operations.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { Status } from '../runner/verdict.ts';
import type { CheckReport, ExchangeReport, Report } from './report.ts';
import { credentialsText } from './text.ts';

/** What decides about a colour: the status of a check, with waivers applied, or that a pinned answer changed. */
export type Tone = Status | 'waived' | 'drift';

/** Most important first. */
const tones: readonly Tone[] = [
  ...(['fail', 'drift', 'error', 'warn', 'inconclusive', 'unstable'] as const),
  ...(['pass', 'waived', 'skipped'] as const),
];

/** The tones of checks that need a review: undecided, passed only at the second attempt, or failed because of the suite itself. */
export const doubtful: ReadonlySet<Tone> = new Set(['error', 'inconclusive', 'unstable']);

/** A named piece of evidence. */
export type Row = readonly [name: string, text: string];

/** Rows without those that have no text. */
export const rowsOf = (rows: readonly (readonly [name: string, text: string | undefined])[]): Row[] =>
  rows.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));

/** A row on a line of plain text. */
export const rowLine = ([name, text]: Row): string => `${`${name}:`.padEnd(9)} ${text}`;

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
  /** Why it is not decided. */
  readonly reason?: string | undefined;
  /** What came of it, in one line. */
  readonly summary: string;
  readonly evidence: readonly Row[];
  /** A script that repeats all requests. */
  readonly replay?: string | undefined;
};

type Result = Pick<CheckReport, 'status' | 'waived'>;

/** Whether a check makes the run fail. */
export const isFailure = ({ status, waived }: Result, { strict }: Pick<Report, 'strict'>): boolean =>
  waived === undefined && (status === 'fail' || (strict && status === 'warn'));

/** A request on one line. */
const sentText = ({ method, path, key, body }: ExchangeReport['request']): string =>
  `${method} ${path}${credentialsText(key)}${body === undefined ? '' : `: ${clip(onOneLine(body), 300)}`}`;

/** What a check found: the request, the expected and the actual result, the response, and others with the same defect. */
const evidenceOf = ({ finding, waived, waiver_note }: CheckReport): Row[] => {
  const { exchanges = [], also = [], pointer = '' } = finding ?? {};
  // The last step is the one that shows it. Where it does not send what is wrong, the one before it may be the reason.
  const [before, last] = [exchanges.at(-2), exchanges.at(-1)];
  const isOfBefore = pointer !== '' && !last?.request.body?.includes(`"${pointer.split('/').at(-1)}"`);
  return rowsOf([
    ['after', before && isOfBefore ? `${sentText(before.request)} → ${before.reply.status}` : undefined],
    ['sent', last && sentText(last.request)],
    ['expected', finding?.expected],
    ['actual', finding?.actual],
    ['at', finding?.pointer],
    ['response', last && `${last.reply.status}, ${plural(last.reply.size, 'byte')}: ${last.reply.excerpt}`],
    ...also.map((text) => ['also', text] as const),
    ['waived', waived],
    ['waiver', waiver_note],
  ]);
};

/** A check. With `--strict`, a broken derived fact counts as a failure. */
export const itemOf = (check: CheckReport, report: Pick<Report, 'strict'>): Item => {
  const { id, title, section, level, operation, status, reason, waived, finding } = check;
  const outcome = waived === undefined ? status : 'waived';
  const isBroken = isFailure(check, report);
  return {
    ...{ id, title, section, level, operation },
    label: isBroken && level === 'derived' ? 'fail (derived)' : outcome,
    tone: isBroken ? 'fail' : outcome,
    // Of a finding, it repeats the expected and the actual result.
    reason: finding === undefined || doubtful.has(status) ? reason : undefined,
    summary: [reason, waived && `waived: ${waived}`].filter(Boolean).join('; '),
    evidence: evidenceOf(check),
    replay: finding?.replay,
  };
};

/** An answer of the profile. Only a pinned one counts. */
export const itemOfAnswer = (answer: AnswerVerdict): Item => {
  const { question, section, state, status, expected, actual, reason, evidence, curl } = answer;
  const counted: Partial<Record<AnswerVerdict['status'], Tone>> =
    state === 'pinned'
      ? { drift: 'drift', inconclusive: 'inconclusive', unstable: 'inconclusive', skipped: 'skipped' }
      : { skipped: 'skipped' };
  const now = actual === undefined ? undefined : String(actual);
  return {
    ...{ id: question, section, level: `${state} answer`, label: status, reason },
    title: `${state} answer ${expected}`,
    tone: counted[status] ?? 'pass',
    summary: reason ?? `now ${now}, ${state} as ${expected}`,
    evidence: rowsOf([
      ['now', actual === expected ? undefined : now],
      ['evidence', evidence],
      ['replay', curl],
    ]),
  };
};

/** An item as lines of plain text. */
export const itemText = (item: Item): string =>
  [
    `${item.title} (§${item.section}, ${item.level})`,
    ...(item.reason === undefined ? [] : [item.reason]),
    ...item.evidence.map(rowLine),
  ]
    .map((line) => clip(escapeInvisible(line), 5_000))
    .join('\n');

/** The items with the same cause, of which the first shows it best. */
export type Cause = { readonly first: Item; readonly others: readonly Item[] };

const causesOf = (groups: Iterable<readonly Item[]>): Cause[] =>
  [...groups].flatMap(([first, ...others]) => (first ? [{ first, others }] : []));

/** Findings by cause: of documented facts first, then of derived ones, then waived findings. */
export const findingsOf = (report: Pick<Report, 'groups' | 'checks' | 'strict'>): Cause[] => {
  const weightOf = ({ first: { tone, level } }: Cause): number =>
    tone === 'waived' ? 2 : level === 'derived' ? 1 : 0;
  const found = report.groups.map(({ checks: ids }) =>
    ids.flatMap((id) => report.checks.filter((check) => check.id === id)),
  );
  return causesOf(found.map((checks) => checks.map((check) => itemOf(check, report)))).sort(
    (left, right) => weightOf(left) - weightOf(right),
  );
};

/** Groups items by tone and reason: if a deployment stops responding, most checks have the same reason. */
export const byReason = (items: readonly Item[]): Cause[] =>
  causesOf(groupBy(items, ({ tone, reason = '' }) => `${tone} ${reason}`).values());

/** The checks of an operation, or the answers of the profile. */
export type Area = {
  readonly title: string;
  readonly items: readonly Item[];
};

/** In the order of the document. */
const areas = [
  ...operations
    .toSorted((left, right) => Number(left.section) - Number(right.section))
    .map(({ area, title }) => ({ id: area, title })),
  { id: 'replies', title: 'All responses' },
  { id: 'failures', title: 'All error responses' },
];

/** The results of a run by area, in the order of the document; then checks without an area, and the answers of the profile. */
export const areasOf = (report: Report): Area[] => {
  const areaOf = ({ id }: CheckReport) => areas.find((area) => id.startsWith(`${area.id}.`));
  const itemsIn = (area: (typeof areas)[number] | undefined): Item[] =>
    report.checks.filter((check) => areaOf(check) === area).map((check) => itemOf(check, report));
  return [
    ...areas.map((area) => ({ title: area.title, items: itemsIn(area) })),
    { title: 'Other checks', items: itemsIn(undefined) },
    { title: 'Answers of the profile', items: report.answers.map(itemOfAnswer) },
  ].filter(({ items }) => items.length > 0);
};

/** Counts items by tone, the most important one first; tones without an item are omitted. */
export const tally = (items: readonly Item[]): Map<Tone, number> => {
  const counts = groupBy(items, ({ tone }) => tone);
  return new Map(tones.flatMap((tone) => (counts.has(tone) ? [[tone, counts.get(tone)?.length ?? 0]] : [])));
};

/** `1 fail, 12 pass` */
export const tallyText = (items: readonly Item[]): string =>
  [...tally(items)].map(([tone, count]) => `${count} ${tone}`).join(', ');
