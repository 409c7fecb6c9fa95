import { curlFor } from '../curl.ts';
import type { Verdict } from '../engine.ts';
import type { Run } from '../run.ts';
import type { Summary } from '../verdict.ts';

const order = [
  'templates.list',
  'email.send',
  'email.template',
  'leads.add',
  'leads.update',
  'leads.delete',
  'replies',
  'failures',
];

const titles: Readonly<Record<string, string>> = {
  'templates.list': 'List templates',
  'email.send': 'Send email',
  'email.template': 'Send email from template',
  'leads.add': 'Add lead',
  'leads.update': 'Update lead',
  'leads.delete': 'Delete lead',
  replies: 'Every reply',
  failures: 'Every refusal',
};

const areaOf = ({ check }: Verdict): string =>
  order.find((area) => check.id.startsWith(`${area}.`)) ?? check.operation;

/** The run as lines of text: a line per operation, then what needs attention, then the verdict. */
export const consoleReport = (base: string, run: Run, summary: Summary, total: number): string =>
  run.redact(
    [
      ...order.flatMap((area) =>
        areaLine(
          area,
          run.verdicts.filter((verdict) => areaOf(verdict) === area),
        ),
      ),
      '',
      ...run.verdicts
        .filter(({ status }) => ['fail', 'warn', 'error', 'unstable', 'inconclusive'].includes(status))
        .flatMap((verdict) => finding(base, verdict)),
      ...skips(run.verdicts),
      ...leftovers(base, run.leftovers),
      `ran ${total - summary.counts.skipped} of ${total} checks, ${summary.counts.skipped} skipped; ${run.exchanges.length} requests, of which ${run.mailsRequested} asked for mail`,
      'That a mail arrives cannot be seen from outside and was not tested.',
      `Verdict: ${summary.headline}`,
    ].join('\n'),
  );

const areaLine = (area: string, verdicts: readonly Verdict[]): string[] => {
  if (verdicts.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { status } of verdicts) counts.set(status, (counts.get(status) ?? 0) + 1);
  const mark =
    counts.has('fail') || counts.has('error')
      ? '✗'
      : counts.has('warn')
        ? '!'
        : counts.has('pass')
          ? '✓'
          : '-';
  const text = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return [`  ${mark} ${(titles[area] ?? area).padEnd(26)}${text}`];
};

const finding = (base: string, { check, status, reason = '', problem }: Verdict): string[] => [
  `${status.toUpperCase()} ${check.id}  §${check.section}, ${check.level}`,
  `  ${check.title}`,
  ...(problem ? [`  expected: ${problem.expected}`, `  actual:   ${problem.actual}`] : [`  ${reason}`]),
  ...(problem?.exchange ? [`  replay:   ${curlFor(base, problem.exchange)}`] : []),
  '',
];

const skips = (verdicts: readonly Verdict[]): string[] => {
  const byReason = new Map<string, string[]>();
  for (const { check, status, reason = '' } of verdicts) {
    if (status === 'skipped') byReason.set(reason, [...(byReason.get(reason) ?? []), check.id]);
  }
  return [...byReason].map(
    ([reason, ids]) => `skipped ${ids.length === 1 ? ids[0] : `${ids.length} checks`} because ${reason}`,
  );
};

const leftovers = (base: string, ids: readonly string[]): string[] =>
  ids.length === 0
    ? []
    : [
        `${ids.length} leads of this run could not be deleted:`,
        ...ids.map(
          (id) =>
            `  curl -X DELETE '${base}/api/v1/leads/${encodeURIComponent(id)}' -H "Authorization: Bearer $EMAIL_LEADS_API_KEY"`,
        ),
      ];
