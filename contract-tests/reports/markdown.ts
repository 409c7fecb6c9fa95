import { clip, escapeInvisible } from '../../mock/contract/printable.ts';
import { onOneLine } from '../exchange/exchange.ts';
import type { CheckReport, Report } from './report.ts';
import { escapeMarkup } from './text.ts';
import {
  areasOf,
  type Cause,
  coverageSection,
  factsOf,
  type Section,
  skippedByReason,
  type Tone,
  tally,
  titleOf,
  toneOfRun,
  urgentSections,
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
    ...[...urgentSections(report), coverageSection(report)].flatMap(section),
    ...skipped(report),
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

const section = ({ title, text, causes = [], lists = [], commands = [] }: Section): string[] => {
  const more = causes.length - maxItems;
  return [
    `### ${title}`,
    ...(text === undefined ? [] : [words(text)]),
    ...causes.slice(0, maxItems).map(finding),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...lists.map(([name, items]) => `${name}: ${items.slice(0, 50).map(code).join(', ')}.`),
    ...(commands.length === 0 ? [] : [block(commands.slice(0, maxItems).map(onOneLine).join('\n'))]),
  ];
};

/** An item as a collapsed list of its evidence, with the command that shows it again. */
const finding = ({ first: item, others }: Cause): string => {
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

const skipped = (report: Report): string[] => {
  const reasons = [...skippedByReason(report)].map(
    ([reason, checks]) =>
      `- ${checks.length} because ${code(reason)}: ${checks.map(({ id }) => code(id)).join(', ')}`,
  );
  return reasons.length === 0 ? [] : [details(`${report.counts.skipped} skipped`, reasons.join('\n'))];
};
