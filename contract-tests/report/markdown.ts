import { leadsOfThisRun } from '../leftovers.ts';
import {
  areasOf,
  breaks,
  type Cause,
  causesOf,
  type Outcome,
  outcomeOf,
  outcomes,
  skippedByReason,
  tally,
} from './by-area.ts';
import { durationText } from './finding-text.ts';
import { block, code, details, words } from './markdown-text.ts';
import { escapeMarkup } from './markup.ts';
import type { CheckReport, Report } from './report.ts';
import { onOneLine } from './visible.ts';

// A job summary may hold 1 MiB; nobody reads further than this.
const shown = 30;

/**
 * The run as a job summary. What a deployment said stands in code only, where Markdown, HTML, links and mentions mean
 * nothing, and never in a table, where a `|` would.
 */
export const markdownReport = (report: Report): string =>
  [
    `## ${markOf(report)} ${words(report.verdict.headline)}`,
    facts(report),
    table(report),
    ...findings(report),
    ...doubts(report),
    ...leftovers(report),
    ...skipped(report),
    coverage(report),
  ]
    .join('\n\n')
    .concat('\n');

const markOf = ({ verdict, counts }: Report): string => {
  if (verdict.exit_code === 1) return '❌';
  if (verdict.exit_code !== 0) return '❔';
  return counts.warn + counts.waived + counts.unstable + counts.inconclusive > 0 ? '⚠️' : '✅';
};

const facts = ({
  target,
  run_id,
  started_at,
  duration_ms,
  requests,
  mails_requested,
  strict,
}: Report): string =>
  [
    `${code(target.url)} (${target.kind})`,
    `run ${code(run_id)}`,
    `${started_at.slice(0, 16).replace('T', ' ')} UTC, ${durationText(duration_ms)}`,
    `${requests} requests, of which ${mails_requested} asked for mail${strict ? ', strict' : ''}`,
  ].join(' · ');

const table = (report: Report): string => {
  const present = [...tally(report.checks).keys()];
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const counts = (checks: readonly CheckReport[]): string[] =>
    present.map((outcome) => String(tally(checks).get(outcome) ?? '·'));
  return [
    row(['Operation', ...present]),
    row(['---', ...present.map(() => '---:')]),
    ...areasOf(report).map(({ title, checks }) => row([title, ...counts(checks)])),
    row(['**all**', ...counts(report.checks)]),
  ].join('\n');
};

const findings = (report: Report): string[] => {
  const causes = causesOf(report);
  const more = causes.length - shown;
  return causes.length === 0
    ? []
    : [
        '### Findings',
        ...causes.slice(0, shown).map((cause) => finding(cause, report)),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
};

const finding = ({ first, others }: Cause, report: Report): string => {
  const { id, section, level, title, waived, finding: found } = first;
  const sign = breaks(first, report) ? '❌' : '⚠️';
  const many = others.length > 0 ? ` and ${others.length} more` : '';
  const summary = `${sign} <b>${outcomeOf(first)}</b> <code>${escapeMarkup(id)}</code>${many}: ${escapeMarkup(title)} (§${escapeMarkup(section)}, ${level})`;
  const lines = [
    `- expected: ${code(found?.expected ?? '')}`,
    `- actual: ${code(found?.actual ?? '')}`,
    ...(found?.pointer ? [`- at: ${code(found.pointer)}`] : []),
    ...(found?.reply
      ? [`- reply: ${found.reply.status}, ${found.reply.size} bytes: ${code(found.reply.excerpt)}`]
      : []),
    ...(waived === undefined ? [] : [`- waived: ${code(waived)}`]),
    ...(others.length > 0 ? [`- the same cause: ${others.map((other) => code(other.id)).join(', ')}`] : []),
  ].join('\n');
  return details(summary, found?.curl ? `${lines}\n\n${block(found.curl)}` : lines);
};

const list = (checks: readonly CheckReport[]): string =>
  checks
    .slice(0, shown * 4)
    .map(({ id, reason = '' }) => `- ${code(id)}: ${code(reason)}`)
    .join('\n');

const doubtful: readonly Outcome[] = outcomes.filter((one) =>
  ['error', 'inconclusive', 'unstable'].includes(one),
);

const doubts = ({ checks }: Report): string[] =>
  doubtful.flatMap((outcome) => {
    const those = checks.filter((check) => outcomeOf(check) === outcome);
    return those.length === 0 ? [] : [details(`${those.length} ${outcome}`, list(those))];
  });

const leftovers = ({ leftovers: left }: Report): string[] =>
  left.length === 0
    ? []
    : [
        `### ${leadsOfThisRun(left.length)} could not be deleted`,
        block(
          left
            .slice(0, shown)
            .map(({ curl }) => onOneLine(curl))
            .join('\n'),
        ),
      ];

const skipped = (report: Report): string[] => {
  const reasons = [...skippedByReason(report)].map(
    ([reason, checks]) =>
      `- ${checks.length} because ${code(reason)}: ${checks.map(({ id }) => code(id)).join(', ')}`,
  );
  return reasons.length === 0 ? [] : [details(`${report.counts.skipped} skipped`, reasons.join('\n'))];
};

const coverage = ({
  coverage: { documented, never_seen: never, undocumented, unobservable },
}: Report): string =>
  [
    `Documented facts checked: ${documented.checked} of ${documented.total}; ${unobservable.length} cannot be seen from outside.`,
    ...(never.length > 0 ? [`Documented fields never seen: ${never.map(code).join(', ')}.`] : []),
    ...(undocumented.length > 0
      ? [`Undocumented fields seen: ${undocumented.slice(0, 50).map(code).join(', ')}.`]
      : []),
  ].join('  \n');
