import { printableLine } from '../../mock/contract/printable.ts';
import { leadsOfThisRun } from '../client/ledger-file.ts';
import { groupBy, plural } from '../runner/summary.ts';
import {
  type Area,
  areasOf,
  type Cause,
  doubtfulChecks,
  groupByCause,
  labelOf,
  type Outcome,
  tally,
} from './grouping.ts';
import type { CheckReport, FindingReport, Report } from './report.ts';
import { contrastLines, durationText, replyLines, requestsText, trafficLines } from './text.ts';

/** The command that repeats the wrong response of a check, if there is one. */
type ReplayOf = (check: CheckReport) => string | undefined;

export type ConsoleOptions = {
  readonly replayOf?: ReplayOf;
  /** Leaves out what is neither a finding nor the verdict. Leads that the run left are always named. */
  readonly isQuiet?: boolean;
  /** How long the run took. */
  readonly timing?: string | undefined;
};

/** The run as text: one line per operation, then the findings and notes, then the verdict. */
export const consoleReport = (
  report: Report,
  { replayOf = shortReplay, isQuiet = false, timing }: ConsoleOptions = {},
): string =>
  [
    ...(isQuiet ? [] : [...areasOf(report).map(areaLine), '']),
    ...groupByCause(report).flatMap((cause) => findingLines(cause, report, replayOf(cause.first))),
    ...noteLines(report, replayOf, isQuiet),
    ...(isQuiet ? [] : coverage(report)),
    ...leftoverLines(report),
    ...(isQuiet ? [] : countLines(report)),
    ...(timing === undefined ? [] : [timing]),
    `Verdict: ${report.verdict.headline}`,
  ]
    .map(printableLine)
    .join('\n');

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

const areaLine = ({ title, checks }: Area): string => {
  const counts = tally(checks);
  const text = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return `  ${markOf(counts)} ${title.padEnd(26)}${text}`;
};

const markOf = (counts: ReadonlyMap<Outcome, number>): string => {
  if (counts.has('fail') || counts.has('error')) return '✗';
  if (counts.has('warn') || counts.has('inconclusive') || counts.has('unstable')) return '!';
  return counts.has('pass') ? '✓' : '-';
};

/** Returns only the last request, for callers without a script file. */
const shortReplay = ({ finding }: CheckReport): string | undefined => finding?.curl;

/** The findings with one cause, with a request that reproduces the first of them. */
const findingLines = ({ first, others }: Cause, report: Report, replay: string | undefined): string[] => {
  const finding = first.finding ?? { expected: '', actual: '', fingerprint: '' };
  return [
    `${labelOf(first, report).replace(/^\w+/, (word) => word.toUpperCase())} ${first.id}  §${first.section}, ${first.level}`,
    `  ${first.title}`,
    ...evidenceLines(finding, replay),
    ...(others.length === 0
      ? []
      : [
          `  the same cause in ${plural(others.length, 'other check')}: ${others.map(({ id }) => id).join(', ')}`,
        ]),
    ...(first.waived === undefined ? [] : [`  waived:   ${first.waived}`]),
    ...(first.waiver_note === undefined ? [] : [`  waiver:   ${first.waiver_note}`]),
    '',
  ];
};

const evidenceLines = (finding: FindingReport, replay: string | undefined): string[] => [
  ...[...contrastLines(finding), ...replyLines(finding)].map((line) => `  ${line}`),
  ...(replay ? [`  replay:   ${replay}`] : []),
];

/** Groups undecided checks by reason: if a deployment stops responding, that concerns most of a run. */
const noteLines = (report: Report, replayOf: ReplayOf, isQuiet: boolean): string[] => {
  const noted = doubtfulChecks(report).filter(({ finding }) => !isQuiet || finding !== undefined);
  const notes = groupBy(noted, ({ status, reason = '' }) => `${status} ${reason}`);
  return [...notes.values()].flatMap((note) => noteOf(note, replayOf));
};

const noteOf = ([first, ...others]: readonly CheckReport[], replayOf: ReplayOf): string[] => {
  if (first === undefined) return [];
  const evidence = first.finding === undefined ? [] : evidenceLines(first.finding, replayOf(first));
  const { id, section, level, status, title, reason = '' } = first;
  const because = reason.split('\n').map((line) => `  ${line}`);
  const head = status.toUpperCase();
  return others.length === 0
    ? [`${head} ${id}  §${section}, ${level}`, `  ${title}`, ...because, ...evidence, '']
    : [
        `${head} ${others.length + 1} checks, because`,
        ...because,
        `  checks: ${[first, ...others].map((check) => check.id).join(', ')}`,
        ...evidence,
        '',
      ];
};

const coverage = ({
  coverage: { documented, unobservable, never_seen: never, undocumented, adaptations },
}: Report): string[] => [
  `documented facts checked: ${documented.checked} of ${documented.total}${unobservable.length > 0 ? `; not observable from outside: ${unobservable.join('; ')}` : ''}`,
  ...(never.length > 0 ? [`documented fields never seen: ${never.join(', ')}`] : []),
  ...(undocumented.length > 0 ? [`undocumented fields seen: ${undocumented.join(', ')}`] : []),
  ...adaptations.map((line) => `adapted to this deployment: ${line}`),
];

const leftoverLines = ({ leftovers: leads }: Report): string[] =>
  leads.length === 0
    ? []
    : [`${leadsOfThisRun(leads.length)} could not be deleted:`, ...leads.map(({ curl }) => `  ${curl}`)];
