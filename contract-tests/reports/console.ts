import { styleText } from 'node:util';
import { printableLine } from '../../mock/contract/printable.ts';
import { leadsOfThisRun } from '../client/ledger-file.ts';
import { groupBy, plural } from '../runner/summary.ts';
import {
  type Area,
  areasOf,
  type Cause,
  doubtfulChecks,
  driftedAnswers,
  groupByCause,
  labelOf,
  type Outcome,
  tally,
  toneOf,
  toneOfRun,
} from './grouping.ts';
import type { CheckReport, Report } from './report.ts';
import {
  answerRows,
  coverageRows,
  durationText,
  evidenceRows,
  type Row,
  requestsText,
  rowLine,
  trafficLines,
  unansweredLines,
} from './text.ts';

/** The command that repeats the wrong response of a check, if there is one. */
type ReplayOf = (check: CheckReport) => string | undefined;

export type ConsoleOptions = {
  /** Leaves out what is neither a finding nor the verdict. Leads that the run left are always named. */
  readonly isQuiet: boolean;
  readonly isColoured: boolean;
  /** How long the run took. */
  readonly timing?: string | undefined;
};

type Colour = Parameters<typeof styleText>[0];

/** A line, of which a first part may have a colour. */
type Line = string | { readonly first: string; readonly colour: Colour; readonly rest?: string };

const colours: Readonly<Record<Outcome | 'drift', Colour>> = {
  fail: ['bold', 'red'],
  error: ['bold', 'red'],
  warn: ['bold', 'yellow'],
  inconclusive: ['bold', 'yellow'],
  unstable: ['bold', 'yellow'],
  drift: ['bold', 'magenta'],
  waived: 'gray',
  skipped: 'gray',
  pass: ['bold', 'green'],
};

/** The run as text: one line per operation, then the findings and notes, then the verdict. */
export const consoleReport = (
  report: Report,
  replayOf: ReplayOf,
  { isQuiet, isColoured, timing }: ConsoleOptions,
): string => {
  const lines: readonly Line[] = [
    ...(isQuiet ? [] : [...areasOf(report).map(areaLine), '']),
    ...groupByCause(report).flatMap((cause) => findingLines(cause, report, replayOf(cause.first))),
    ...noteLines(report, replayOf, isQuiet),
    ...answerLines(report, isQuiet),
    ...(isQuiet ? [] : coverage(report)),
    ...leftoverLines(report),
    ...(isQuiet ? [] : countLines(report)),
    ...(timing === undefined ? [] : [timing]),
    { first: `Verdict: ${report.verdict.headline}`, colour: colours[toneOfRun(report)] },
  ];
  return lines.map((line) => textOf(line, isColoured)).join('\n');
};

/** A line as it is printed. Control characters of a deployment are escaped before those of the colours are added. */
const textOf = (line: Line, isColoured: boolean): string => {
  if (typeof line === 'string') return printableLine(line);
  const { first, colour, rest = '' } = line;
  const whole = printableLine(first + rest);
  if (!isColoured) return whole;
  const { length } = printableLine(first);
  return styleText(colour, whole.slice(0, length), { validateStream: false }) + whole.slice(length);
};

/** What was tested, and what that took. */
const countLines = ({
  traffic,
  ran,
  requests,
  mails_requested: mails,
  waited_ms: waited,
}: Report): string[] => [
  ...(traffic ? trafficLines(traffic) : []),
  ran,
  `${requestsText(requests, mails)}; delivery of mail is not observable from outside`,
  ...(waited < 1000 ? [] : [`waited ${durationText(waited)} in all`]),
];

const areaLine = ({ title, checks }: Area): Line => {
  const counts = tally(checks);
  const text = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  const [mark, colour] = markOf(counts);
  return { first: `  ${mark}`, colour, rest: ` ${title.padEnd(26)}${text}` };
};

const markOf = (counts: ReadonlyMap<Outcome, number>): readonly [mark: string, colour: Colour] => {
  if (counts.has('fail') || counts.has('error')) return ['✗', 'red'];
  if (counts.has('warn') || counts.has('inconclusive') || counts.has('unstable')) return ['!', 'yellow'];
  return counts.has('pass') ? ['✓', 'green'] : ['-', 'gray'];
};

/** The findings with one cause, with a request that reproduces the first of them. */
const findingLines = ({ first, others }: Cause, report: Report, replay: string | undefined): Line[] => [
  {
    first: `${labelOf(first, report).replace(/^\w+/, (word) => word.toUpperCase())} ${first.id}`,
    colour: colours[toneOf(first, report)],
    rest: `  §${first.section}, ${first.level}`,
  },
  `  ${first.title}`,
  ...linesWith(evidenceRows(first), replay),
  ...(others.length === 0
    ? []
    : [
        `  the same cause in ${plural(others.length, 'other check')}: ${others.map(({ id }) => id).join(', ')}`,
      ]),
  '',
];

/** Evidence and the command that shows it again, indented. */
const linesWith = (rows: readonly Row[], replay: string | undefined): string[] =>
  [...rows, ...(replay ? [['replay', replay] as const] : [])].map((row) => `  ${rowLine(row)}`);

/** Groups undecided checks by reason: if a deployment stops responding, that concerns most of a run. */
const noteLines = (report: Report, replayOf: ReplayOf, isQuiet: boolean): Line[] => {
  const noted = doubtfulChecks(report).filter(({ finding }) => !isQuiet || finding !== undefined);
  const notes = groupBy(noted, ({ status, reason = '' }) => `${status} ${reason}`);
  return [...notes.values()].flatMap((note) => noteOf(note, replayOf));
};

const noteOf = ([first, ...others]: readonly CheckReport[], replayOf: ReplayOf): Line[] => {
  if (first === undefined) return [];
  const evidence = linesWith(evidenceRows(first), replayOf(first));
  const { id, section, level, status, title, reason = '' } = first;
  const because = reason.split('\n').map((line) => `  ${line}`);
  const head = status.toUpperCase();
  const colour = colours[status];
  return others.length === 0
    ? [
        { first: `${head} ${id}`, colour, rest: `  §${section}, ${level}` },
        `  ${title}`,
        ...because,
        ...evidence,
        '',
      ]
    : [
        { first: `${head} ${others.length + 1} checks, because`, colour },
        ...because,
        `  checks: ${[first, ...others].map((check) => check.id).join(', ')}`,
        ...evidence,
        '',
      ];
};

/** The answers of a profile: what drifted, what changed otherwise, what is unanswered, then the counts. */
const answerLines = (report: Report, isQuiet: boolean): Line[] => {
  const { answers } = report;
  const drifted = driftedAnswers(report);
  const driftLines = drifted.flatMap((answer): Line[] => [
    {
      first: `DRIFT ${answer.question}`,
      colour: colours.drift,
      rest: `  §${answer.section}, pinned`,
    },
    ...linesWith(answerRows(answer), answer.curl),
    '',
  ]);
  if (isQuiet || answers.length === 0) return driftLines;
  const changed = answers.filter(
    ({ state, expected, actual }) => state !== 'pinned' && actual !== undefined && actual !== expected,
  );
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const matching = pinned.filter(({ status }) => status === 'match').length;
  const undecided = pinned.filter(({ actual }) => actual === undefined).length;
  return [
    ...driftLines,
    ...changed.map(
      ({ question, expected, actual }) =>
        `observed: ${question} is ${actual} now, ${expected} in the profile`,
    ),
    ...unansweredLines(answers.filter(({ actual }) => actual === undefined)),
    `answers: ${matching} of ${pinned.length} pinned match, ${drifted.length} drifted, ${undecided} could not be decided; ${answers.length - pinned.length} observed only`,
    '',
  ];
};

const coverage = (report: Report): string[] => [
  `documented facts checked: ${report.coverage.documented.checked} of ${report.coverage.documented.total}`,
  ...coverageRows(report).map(([name, items]) => `${name}: ${items.join('; ')}`),
];

const leftoverLines = ({ leftovers: leads }: Report): string[] =>
  leads.length === 0
    ? []
    : [`${leadsOfThisRun(leads.length)} could not be deleted:`, ...leads.map(({ curl }) => `  ${curl}`)];
