import { leadsOfThisRun } from '../leftovers.ts';
import { type Area, areasOf, type Cause, causesOf, type Outcome, outcomeOf, tally } from './by-area.ts';
import type { CheckReport, Report } from './report.ts';
import { visible } from './visible.ts';

/** The run as lines of text: a line per operation, then what needs attention, then the verdict. */
export const consoleReport = (report: Report): string =>
  shown(
    [
      ...areasOf(report).map(areaLine),
      '',
      ...causesOf(report).flatMap(finding),
      ...report.checks.filter(needsAttention).flatMap(note),
      ...coverage(report),
      ...leftovers(report),
      report.ran,
      `${report.requests} requests, of which ${report.mails_requested} asked for mail; that a mail arrives cannot be seen from outside`,
      `Verdict: ${report.verdict.headline}`,
    ].join('\n'),
  );

/** What a deployment says must not steer the terminal, nor the CI server that reads it (`##[` is a command to one). */
const shown = (text: string): string => visible(text).replaceAll('##[', '## [');

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

/** Findings with one cause come together, with the request that shows the first of them. */
const finding = ({ first, others }: Cause): string[] => {
  const { expected, actual, curl, reply } = first.finding ?? { expected: '', actual: '' };
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  return [
    `${outcomeOf(first).toUpperCase()} ${ids}  §${first.section}, ${first.level}`,
    `  ${others.length === 0 ? first.title : `${others.length + 1} checks, one cause`}`,
    `  expected: ${expected}`,
    `  actual:   ${actual}`,
    ...(reply ? [`  reply:    ${reply.status}, ${reply.size} bytes: ${reply.excerpt}`] : []),
    ...(curl ? [`  replay:   ${curl}`] : []),
    ...(first.waived === undefined ? [] : [`  waived:   ${first.waived}`]),
    '',
  ];
};

const needsAttention = ({ status }: CheckReport): boolean =>
  status === 'unstable' || status === 'inconclusive' || status === 'error';

const note = ({ id, section, level, status, title, reason = '' }: CheckReport): string[] => [
  `${status.toUpperCase()} ${id}  §${section}, ${level}`,
  `  ${title}`,
  `  ${reason}`,
  '',
];

const coverage = ({ coverage: { documented, never_seen: never, undocumented } }: Report): string[] => [
  `documented facts checked: ${documented.checked} of ${documented.total}`,
  ...(never.length > 0 ? [`documented fields never seen: ${never.join(', ')}`] : []),
  ...(undocumented.length > 0 ? [`undocumented fields seen: ${undocumented.join(', ')}`] : []),
];

const leftovers = ({ leftovers: left }: Report): string[] =>
  left.length === 0
    ? []
    : [`${leadsOfThisRun(left.length)} could not be deleted:`, ...left.map(({ curl }) => `  ${curl}`)];
