import type { CheckReport, Report } from './report.ts';

const areas: readonly (readonly [string, string])[] = [
  ['templates.list', 'List templates'],
  ['email.send', 'Send email'],
  ['email.template', 'Send email from template'],
  ['leads.add', 'Add lead'],
  ['leads.update', 'Update lead'],
  ['leads.delete', 'Delete lead'],
  ['replies', 'Every reply'],
  ['failures', 'Every refusal'],
];

/** The run as lines of text: a line per operation, then what needs attention, then the verdict. */
export const consoleReport = (report: Report): string =>
  [
    ...areas.flatMap(([area, title]) =>
      areaLine(
        title,
        report.checks.filter(({ id }) => id.startsWith(`${area}.`)),
      ),
    ),
    '',
    ...findings(report),
    ...report.checks
      .filter(({ status }) => status === 'unstable' || status === 'inconclusive' || status === 'error')
      .flatMap(note),
    ...coverage(report),
    ...leftovers(report),
    report.ran,
    `${report.requests} requests, of which ${report.mails_requested} asked for mail; that a mail arrives cannot be seen from outside`,
    `Verdict: ${report.verdict.headline}`,
  ].join('\n');

const areaLine = (title: string, checks: readonly CheckReport[]): string[] => {
  if (checks.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { status, waived } of checks) {
    const word = waived === undefined ? status : 'waived';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const text = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return [`  ${markOf(counts)} ${title.padEnd(26)}${text}`];
};

const markOf = (counts: ReadonlyMap<string, number>): string => {
  if (counts.has('fail') || counts.has('error')) return '✗';
  if (counts.has('warn') || counts.has('inconclusive') || counts.has('unstable')) return '!';
  return counts.has('pass') ? '✓' : '-';
};

/** Findings with one cause come together, with the request that shows the first of them. */
const findings = ({ groups, checks }: Report): string[] =>
  groups.flatMap((group) => {
    const first = checks.find(({ id }) => id === group.checks[0]);
    const { expected, actual, curl, reply } = first?.finding ?? { expected: '', actual: '' };
    const word = first?.waived === undefined ? group.status.toUpperCase() : 'WAIVED';
    const claim = group.checks.length === 1 ? first?.title : `${group.checks.length} checks, one cause`;
    return [
      `${word} ${group.checks.join(', ')}  §${group.section}, ${first?.level}`,
      `  ${claim}`,
      `  expected: ${expected}`,
      `  actual:   ${actual}`,
      ...(reply ? [`  reply:    ${reply.status}, ${reply.size} bytes: ${reply.excerpt}`] : []),
      ...(curl ? [`  replay:   ${curl}`] : []),
      ...(first?.waived === undefined ? [] : [`  waived:   ${first.waived}`]),
      '',
    ];
  });

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
    : [`${left.length} leads of this run could not be deleted:`, ...left.map(({ curl }) => `  ${curl}`)];
