import { withoutCommands } from '../../mock/contract/printable.ts';
import { clip, escapeInvisible } from '../../mock/contract/shown-text.ts';
import { onOneLine } from '../exchange/exchange.ts';
import { operations } from '../exchange/operations.ts';
import { plural } from '../runner/summary.ts';
import type { CheckReport, Report, RequestReport } from './report.ts';
import { coverageSection, type Section, urgentSections } from './sections.ts';
import { escapeMarkup, requestText } from './text.ts';
import {
  areasOf,
  type Cause,
  doubtsOf,
  factsOf,
  findingsOf,
  itemText,
  pinsOf,
  skippedByReason,
  type Tone,
  tally,
  titleOf,
  toneOfRun,
} from './view.ts';

type Annotation = {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
};

// GitHub shows ten errors, ten warnings and ten notices per step and drops the rest without a message.
const shown = 10;

/**
 * Workflow commands for GitHub Actions: the verdict of a run that is not green, then one annotation per cause. It names the section,
 * but no file: the defect is in a deployment, and not in a file of the repository in which the workflow runs.
 */
export const githubReport = (report: Report): string => {
  const { drifted, undecided } = pinsOf(report);
  // Findings that no waiver names, pinned answers that changed or could not be observed, and checks that need a review.
  const annotations = [
    ...findingsOf(report)
      .filter(({ first }) => first.tone !== 'waived')
      .map(about),
    ...[...drifted, ...undecided, ...doubtsOf(report)].map(about),
    ...(report.traffic?.requests ?? []).map(aboutRequest),
  ];
  const ofKind = (wanted: Annotation['kind'], most: number): Annotation[] =>
    annotations.filter(({ kind }) => kind === wanted).slice(0, most);
  const chosen = [...ofKind('error', shown - 1), ...ofKind('warning', shown), ...ofKind('notice', shown - 1)];
  const title = titleOf(report);
  const more = annotations.length - chosen.length;
  const rest = `${plural(more, 'more finding is', 'more findings are')} not shown here; the other reports have them all`;
  return [
    ...(report.verdict.exit_code === 0
      ? []
      : [{ kind: 'error', title, message: report.verdict.headline } as const]),
    ...chosen,
    ...(more > 0 ? [{ kind: 'notice', title, message: rest } as const] : []),
  ]
    .map((annotation) => `${command(annotation)}\n`)
    .join('');
};

/** A finding about a request of a client: a mistake, or a point that the document leaves open. */
const aboutRequest = (request: RequestReport): Annotation => ({
  kind: request.question === undefined ? 'warning' : 'notice',
  title: `request ${request.operation} (section ${request.section} of the interface document)`,
  message: `${requestText(request)}\nIt counts against the client, not against the service.`,
});

const about = ({ first: item, others }: Cause): Annotation => {
  const { id, label, level, section, operation } = item;
  const known = operations.find((candidate) => candidate.id === operation)?.title ?? 'all operations';
  const same = others.length > 0 ? `\nthe same cause: ${others.map((other) => other.id).join(', ')}` : '';
  return {
    kind: item.isFailure || item.tone === 'error' ? 'error' : 'warning',
    title: `${label} ${id} (section ${section} of the interface document: ${operation === undefined ? level : known})`,
    message: itemText(item) + same,
  };
};

const command = ({ kind, title, message }: Annotation): string =>
  `::${kind} title=${property(clip(onOneLine(escapeInvisible(title)), 200))}::${data(clip(escapeInvisible(message), 4_000))}`;

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
