// The parts of a report, prepared once: each report only writes them in its own form, and decides nothing.
import { clip } from '../../mock/contract/shown-text.ts';
import { leadsOfThisRun } from '../client/ledger.ts';
import { plural } from '../exchange/describe.ts';
import { groupBy } from '../exchange/lists.ts';
import { exitCodes } from '../runner/summary.ts';
import {
  byReason,
  type Cause,
  doubtful,
  findingsOf,
  itemOf,
  itemOfAnswer,
  type Row,
  rowsOf,
  type Tone,
} from './items.ts';
import type { Report, TrafficReport } from './report.ts';
import { deviationText, durationText, requestsText } from './text.ts';

/** A part of a report with a heading: causes, lines of text, and commands to copy. */
export type Section = {
  readonly id: string;
  readonly title: string;
  readonly causes: readonly Cause[];
  readonly lines: readonly string[];
  readonly commands: readonly string[];
};

const none = { causes: [], lines: [], commands: [] };

/** The parts of a report, what requires an action first. */
export const sectionsOf = (report: Report): Section[] => {
  const { answers, leftovers, coverage, traffic } = report;
  const findings = findingsOf(report);
  const pinned = answers.filter(({ state }) => state === 'pinned').map(itemOfAnswer);
  const drifted = pinned.filter(({ tone }) => tone === 'drift');
  const unknown = pinned.filter(({ tone }) => tone === 'inconclusive');
  const doubts = report.checks.map((check) => itemOf(check, report)).filter(({ tone }) => doubtful.has(tone));
  const leads = leadsOfThisRun(leftovers.length);
  const sections: Section[] = [
    { ...none, id: 'findings', title: `Findings (${plural(findings.length, 'cause')})`, causes: findings },
    {
      ...none,
      id: 'answers',
      title: `Pinned answers (${drifted.length} changed, ${unknown.length} undecided)`,
      causes: [...drifted.map((first) => ({ first, others: [] })), ...byReason(unknown)],
      lines: answerLines(report),
    },
    { ...none, id: 'doubts', title: `Needs review (${doubts.length})`, causes: byReason(doubts) },
    {
      ...none,
      id: 'leftovers',
      title: `Left behind (${leftovers.length})`,
      lines: leftovers.length === 0 ? [] : [`${leads} may be left. With EMAIL_LEADS_API_KEY set, run:`],
      commands: leftovers.map(({ curl }) => curl),
    },
    { ...none, id: 'coverage', title: 'Coverage', lines: coverageLines(coverage) },
    { ...none, id: 'traffic', title: 'Traffic', lines: traffic ? trafficLines(traffic) : [] },
  ];
  return sections.filter(({ causes, lines }) => causes.length + lines.length > 0);
};

/** The answers of a profile: what changed without being pinned, what is unanswered, then the counts. */
const answerLines = ({ answers }: Report): string[] => {
  if (answers.length === 0) return [];
  const pinned = answers.filter(({ state }) => state === 'pinned');
  const matching = pinned.filter(({ status }) => status === 'match').length;
  const unanswered = answers.filter(({ actual }) => actual === undefined);
  const undecided = pinned.filter((answer) => unanswered.includes(answer)).length;
  const drifted = pinned.length - matching - undecided;
  return [
    ...answers.flatMap(({ question, state, expected, actual = expected }) =>
      state === 'pinned' || actual === expected
        ? []
        : [`observed: ${question} is ${actual} now, ${expected} in the profile`],
    ),
    ...[...groupBy(unanswered, ({ status, reason }) => `${status}, because ${reason}`)].map(
      ([why, group]) => `${why}: ${group.map(({ question }) => question).join(', ')}`,
    ),
    `answers: ${matching} of ${pinned.length} pinned match, ${drifted} drifted, ${undecided} could not be decided; ${answers.length - pinned.length} observed only`,
  ];
};

/** What the run saw beside its checks. */
const coverageLines = (coverage: Report['coverage']): string[] => {
  const lists = [
    ['not observable from outside', coverage.unobservable],
    ['documented fields never seen', coverage.never_seen],
    ['undocumented fields seen', coverage.undocumented],
    ['adapted to this deployment', coverage.adaptations],
  ] as const;
  return [
    `documented facts checked: ${coverage.documented.checked} of ${coverage.documented.total}`,
    ...lists.flatMap(([name, items]) => (items.length === 0 ? [] : [`${name}: ${items.join('; ')}`])),
  ];
};

/** The statistics of observed traffic, and where its requests differ from the document. */
const trafficLines = ({ judged, broken, outside, undocumented, ...rest }: TrafficReport): string[] => [
  `traffic: ${plural(judged, 'exchange')} checked, ${broken} of them broken; ${undocumented} not of a documented operation, ${outside} outside /api/v1`,
  ...Object.entries(rest.skip_reasons).map(([reason, count]) => `not checked: ${count} ${reason}`),
  ...Object.entries(rest.injected ?? {}).map(([what, count]) => `injected: ${count} by ${what}`),
  ...(rest.evicted > 0 ? [`claims about several responses left out the ${rest.evicted} oldest leads`] : []),
  ...Object.entries(rest.required).map(([id, count]) => `required: ${id}, seen ${count}×`),
  ...rest.requests.map(
    ({ operation, count, ...deviation }) =>
      `request: ${clip(operation, 100)}: ${deviationText(deviation, `; ${count}×`)}`,
  ),
];

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
    ['sent', requestsText(requests, mails_requested)],
    ['waited', waited_ms < 1000 ? undefined : durationText(waited_ms)],
    ['run', run_id],
    ['broken derived facts', strict ? 'failures (strict)' : 'warnings'],
    ['exit code', String(report.verdict.exit_code)],
  ]);
};
