import { styleText } from 'node:util';
import { printableLine } from '../../mock/contract/printable.ts';
import { leadsOfThisRun } from '../client/ledger-file.ts';
import { plural } from '../runner/summary.ts';
import type { Report } from './report.ts';
import {
  coverageRows,
  durationText,
  requestsText,
  rowLine,
  rowsOf,
  trafficLines,
  unansweredLines,
} from './text.ts';
import {
  type Area,
  areasOf,
  type Cause,
  doubtsOf,
  findingsOf,
  type Item,
  type Outcome,
  pinsOf,
  type Tone,
  tally,
  tallyText,
  toneOfRun,
} from './view.ts';

/** The files with the replay scripts, by the id of the check. */
type Scripts = ReadonlyMap<string, string>;

export type ConsoleOptions = {
  /** Leaves out what is neither a finding nor the verdict. Leads that the run left are always named. */
  readonly isQuiet: boolean;
  readonly isColoured: boolean;
};

type Colour = Parameters<typeof styleText>[0];

/** A line, of which a first part may have a colour. */
type Line = string | { readonly first: string; readonly colour: Colour; readonly rest?: string };

const colours: Readonly<Record<Tone, Colour>> = {
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
  scripts: Scripts,
  { isQuiet, isColoured }: ConsoleOptions,
): string => {
  const unlessQuiet = (lines: () => readonly Line[]): readonly Line[] => (isQuiet ? [] : lines());
  const lines: readonly Line[] = [
    ...unlessQuiet(() => [...areasOf(report).map(areaLine), '']),
    ...[
      ...findingsOf(report),
      ...doubtsOf(report).filter(({ first }) => !isQuiet || first.evidence.length > 0),
      ...pinsOf(report).drifted,
    ].flatMap((cause) => causeLines(cause, scripts)),
    ...unlessQuiet(() => [...answerLines(report), ...coverage(report)]),
    ...leftoverLines(report),
    ...unlessQuiet(() => countLines(report)),
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
  const [mark, colour] = markOf(tally(checks));
  return { first: `  ${mark}`, colour, rest: ` ${title.padEnd(26)}${tallyText(checks)}` };
};

const markOf = (counts: ReadonlyMap<Outcome, number>): readonly [mark: string, colour: Colour] => {
  if (counts.has('fail') || counts.has('error')) return ['✗', 'red'];
  if (counts.has('warn') || counts.has('inconclusive') || counts.has('unstable')) return ['!', 'yellow'];
  return counts.has('pass') ? ['✓', 'green'] : ['-', 'gray'];
};

/** What was found, with the command that shows it again, and the other checks with this cause. */
const causeLines = ({ first: item, others }: Cause, scripts: Scripts): Line[] => {
  const label = item.label.replace(/^\w+/, (word) => word.toUpperCase());
  const ids = others.map(({ id }) => id).join(', ');
  return [
    {
      first: `${label} ${item.id}`,
      colour: colours[item.tone],
      rest: `  §${item.section}, ${item.level}`,
    },
    `  ${item.title}`,
    ...detailLines(item, scripts),
    ...(ids === '' ? [] : [`  the same cause in ${plural(others.length, 'other check')}: ${ids}`]),
    '',
  ];
};

const detailLines = ({ id, curl, evidence, reason }: Item, scripts: Scripts): string[] => {
  const file = scripts.get(id);
  const rows = [...evidence, ...rowsOf([['replay', file === undefined ? curl : `sh ${file}`]])];
  return [...(reason?.split('\n') ?? []), ...rows.map(rowLine)].map((line) => `  ${line}`);
};

/** The answers of a profile: what changed without being pinned, what is unanswered, then the counts. */
const answerLines = (report: Report): string[] => {
  const { answers } = report;
  if (answers.length === 0) return [];
  const changed = answers.filter(
    ({ state, expected, actual }) => state !== 'pinned' && actual !== undefined && actual !== expected,
  );
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const matching = pinned.filter(({ status }) => status === 'match').length;
  const undecided = pinned.filter(({ actual }) => actual === undefined).length;
  return [
    ...changed.map(
      ({ question, expected, actual }) =>
        `observed: ${question} is ${actual} now, ${expected} in the profile`,
    ),
    ...unansweredLines(answers.filter(({ actual }) => actual === undefined)),
    `answers: ${matching} of ${pinned.length} pinned match, ${pinsOf(report).drifted.length} drifted, ${undecided} could not be decided; ${answers.length - pinned.length} observed only`,
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
