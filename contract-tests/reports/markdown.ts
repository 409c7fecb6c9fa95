import { clip, escapeInvisible } from '../../mock/contract/printable.ts';
import { leadsOfThisRun } from '../client/ledger-file.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { plural } from '../runner/summary.ts';
import type { CheckReport, Report } from './report.ts';
import { capitalise, coverageRows, escapeMarkup, trafficLines } from './text.ts';
import {
  areasOf,
  type Cause,
  doubtsOf,
  factsOf,
  findingsOf,
  type Item,
  outcomes,
  pinsOf,
  skippedByReason,
  type Tone,
  tally,
  titleOf,
  toneOfRun,
} from './view.ts';

/** Returns a fence that is longer than any sequence of backticks in the content. */
const fenceFor = (content: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)));

/** Formats a text of a deployment as code, in which Markdown has no meaning. */
const code = (content: string): string => {
  const line = clip(onOneLine(escapeInvisible(content)), 500);
  const fence = fenceFor(line, 1);
  return line === '' ? '(nothing)' : `${fence} ${line} ${fence}`;
};

/** Returns plain text unchanged, and any other text as code: a verdict may quote a deployment. */
const words = (text: string): string =>
  /^[A-Za-z0-9 ,.:;()'§-]*$/.test(text) && !/www\./i.test(text) ? text : code(text);

// A job summary is limited to 1 MiB.
const longestBlock = 10_000;
const maxItems = 30;

/** A command or a script to copy. */
const block = (content: string): string => {
  const lines = clip(escapeInvisible(content), longestBlock);
  const fence = fenceFor(lines, 3);
  return `${fence}sh\n${lines}\n${fence}`;
};

/** A collapsed part; the summary is HTML. */
const details = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;

/**
 * The run as a job summary. Texts of a deployment occur only as code, in which Markdown, HTML, links and mentions have no
 * meaning, and never in a table, where a `|` would end the cell.
 */
export const markdownReport = (report: Report): string =>
  [
    `## ${marks[toneOfRun(report)] ?? '❔'} ${words(report.verdict.headline)}`,
    facts(report),
    ...(report.verdict.exit_code === 0 ? [] : [words(report.ran)]),
    table(report),
    ...findings(report),
    ...answers(report),
    ...doubts(report),
    ...leftoverLines(report),
    ...skipped(report),
    coverage(report),
  ]
    .join('\n\n')
    .concat('\n');

const marks: Partial<Record<Tone, string>> = {
  pass: '✅',
  warn: '⚠️',
  fail: '❌',
  drift: '🔀',
};

const facts = (report: Report): string =>
  [titleOf(report), ...factsOf(report).map(([name, text]) => `${name}: ${words(text)}`)].join(' · ');

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
  const causes = findingsOf(report);
  const more = causes.length - maxItems;
  return causes.length === 0
    ? []
    : [
        '### Findings',
        ...causes.slice(0, maxItems).map(({ first, others }) => finding(first, others)),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
};

/** An item as a collapsed list of its evidence, with the command that shows it again. @param others what has the same cause */
const finding = (item: Item, others: Cause['others'] = []): string => {
  const { id, label, title, section, level, tone, reason, replay, curl } = item;
  const many = others.length > 0 ? ` and ${others.length} more` : '';
  const summary = `${marks[tone] ?? '⚠️'} <b>${label}</b> <code>${escapeMarkup(id)}</code>${many}: ${escapeMarkup(title)} (§${escapeMarkup(section)}, ${level})`;
  const items = [
    ...(reason === undefined ? [] : [`- ${code(reason)}`]),
    ...item.evidence.map(([name, text]) => `- ${name}: ${code(text)}`),
    ...(others.length > 0 ? [`- the same cause: ${others.map((other) => code(other.id)).join(', ')}`] : []),
  ].join('\n');
  const script = replay ?? curl;
  return details(summary, script === undefined ? items : `${items}\n\n${block(script)}`);
};

/** Pinned answers that changed, with their evidence, and those that could not be observed. */
const answers = (report: Report): string[] => {
  const { drifted, undecided } = pinsOf(report);
  return [
    ...(drifted.length === 0
      ? []
      : ['### Drift', ...drifted.slice(0, maxItems).map((item) => finding(item))]),
    ...(undecided.length === 0
      ? []
      : [details(`${plural(undecided.length, 'pinned answer')} undecided`, list(undecided))]),
  ];
};

/** Items without evidence. */
const list = (items: readonly Item[]): string =>
  items
    .slice(0, maxItems * 4)
    .map(({ id, reason = '' }) => `- ${code(id)}: ${code(reason)}`)
    .join('\n');

const doubts = (report: Report): string[] =>
  outcomes.flatMap((outcome) => {
    const matching = doubtsOf(report).filter(({ tone }) => tone === outcome);
    const shown = matching.filter(({ evidence }) => evidence.length > 0).slice(0, maxItems);
    const listed = matching.filter((item) => !shown.includes(item));
    const parts = [...(listed.length === 0 ? [] : [list(listed)]), ...shown.map((item) => finding(item))];
    return matching.length === 0 ? [] : [details(`${matching.length} ${outcome}`, parts.join('\n\n'))];
  });

const leftoverLines = ({ leftovers: leads }: Report): string[] =>
  leads.length === 0
    ? []
    : [
        `### ${leadsOfThisRun(leads.length)} could not be deleted`,
        block(
          leads
            .slice(0, maxItems)
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

const coverage = (report: Report): string => {
  const { documented } = report.coverage;
  return [
    `Documented facts checked: ${documented.checked} of ${documented.total}.`,
    ...coverageRows(report).map(
      ([name, items]) => `${capitalise(name)}: ${items.slice(0, 50).map(code).join(', ')}.`,
    ),
    ...(report.traffic ? trafficLines(report.traffic).slice(0, 50).map(code) : []),
  ].join('  \n');
};
