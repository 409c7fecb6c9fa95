import { withoutCommands } from '../../mock/contract/printable.ts';
import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { areasOf, type Cause, type Item, itemText, type Tone, tally } from './items.ts';
import type { Report, Scripts } from './report.ts';
import { factsOf, type Section, sectionsOf, titleOf, toneOfRun } from './sections.ts';
import { escapeMarkup } from './text.ts';

/**
 * Workflow commands for GitHub Actions: the verdict of a run that is not green, then one annotation per cause. It names the section,
 * but no file: the defect is in a deployment, and not in a file of the repository in which the workflow runs.
 */
export const githubReport = (report: Report): string => {
  // Findings that no waiver names, pinned answers that changed or could not be observed, and checks that need a review.
  const causes = sectionsOf(report).flatMap((section) => section.causes);
  const { verdict } = report;
  return [
    ...(verdict.exit_code === 0 ? [] : [command('error', titleOf(report), verdict.headline)]),
    ...causes.filter(({ first }) => first.tone !== 'waived').map(annotation),
  ].join('');
};

const annotation = ({ first: item, others }: Cause): string => {
  const { id, label, level, section, operation, tone } = item;
  const known = operations.find((candidate) => candidate.id === operation)?.title ?? 'all operations';
  const subject = operation === undefined ? level : known;
  const title = `${label} ${id} (section ${section} of the interface document: ${subject})`;
  const same = others.length > 0 ? `\nthe same cause: ${others.map((other) => other.id).join(', ')}` : '';
  const kind = ['fail', 'drift', 'error'].includes(tone) ? 'error' : 'warning';
  return command(kind, title, itemText(item) + same);
};

const command = (kind: 'error' | 'warning', title: string, message: string): string =>
  `::${kind} title=${property(clip(onOneLine(escapeInvisible(title)), 200))}::${data(clip(escapeInvisible(message), 4_000))}\n`;

/**
 * Escapes a message so that it stays one command, also in Azure Pipelines. The percent sign comes
 * first, because the runner decodes it last.
 */
const data = (text: string): string =>
  withoutCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

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

/**
 * The run as a job summary. Texts of a deployment occur only as code, in which Markdown, HTML, links and mentions have no
 * meaning, and never in a table, where a `|` would end the cell.
 */
export const markdownReport = (report: Report, scripts: Scripts = new Map()): string =>
  [
    `## ${marks[toneOfRun(report)] ?? '❔'} ${words(report.verdict.headline)}`,
    [titleOf(report), ...factsOf(report).map(([name, text]) => `${name}: ${words(text)}`)].join(' · '),
    words(report.ran),
    table(report),
    ...sectionsOf(report).map((section) => sectionText(section, scripts)),
  ]
    .join('\n\n')
    .concat('\n');

const marks: Partial<Record<Tone, string>> = { pass: '✅', warn: '⚠️', fail: '❌', drift: '🔀' };

const table = (report: Report): string => {
  const areas = areasOf(report);
  const all = areas.flatMap(({ items }) => items);
  const present = [...tally(all).keys()];
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const counts = (items: readonly Item[]): (string | number)[] =>
    present.map((tone) => tally(items).get(tone) ?? '·');
  return [
    row(['Operation', ...present]),
    row(['---', ...present.map(() => '---:')]),
    ...areas.map(({ title, items }) => row([title, ...counts(items)])),
    row(['**all**', ...counts(all)]),
  ].join('\n');
};

const sectionText = ({ title, causes, lines, commands }: Section, scripts: Scripts): string => {
  const more = causes.length - maxItems;
  const list = lines.slice(0, maxItems).map((line) => `- ${words(line)}`);
  const copied = commands.slice(0, maxItems).map(onOneLine);
  return [
    `### ${title}`,
    ...causes.slice(0, maxItems).map((cause) => causeText(cause, scripts)),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(list.length === 0 ? [] : [list.join('\n')]),
    ...(copied.length === 0 ? [] : [block(copied.join('\n'))]),
  ].join('\n\n');
};

/** A cause as a collapsed list of its evidence, with the script that shows it again, or the command that runs it. */
const causeText = ({ first: item, others }: Cause, scripts: Scripts): string => {
  const { id, label, title, section, level, tone, reason, replay } = item;
  const file = scripts.get(id);
  const script = file === undefined ? replay : `sh ${file}`;
  const many = others.length > 0 ? ` and ${others.length} more` : '';
  const summary = `${marks[tone] ?? '⚠️'} <b>${label}</b> <code>${escapeMarkup(id)}</code>${many}: ${escapeMarkup(title)} (§${escapeMarkup(section)}, ${level})`;
  return [
    `<details><summary>${summary}</summary>\n`,
    ...(reason === undefined ? [] : [`- ${code(reason)}`]),
    ...item.evidence.map(([name, text]) => `- ${name}: ${code(text)}`),
    ...(others.length > 0 ? [`- the same cause: ${others.map((other) => code(other.id)).join(', ')}`] : []),
    ...(script === undefined ? [] : [`\n${block(script)}`]),
    '\n</details>',
  ].join('\n');
};
