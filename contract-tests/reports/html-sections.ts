import { clip } from '../../mock/contract/printable.ts';
import type { Report } from './report.ts';
import {
  capitalise,
  coverageRows,
  longestScript,
  type Markup,
  markup,
  nothing,
  type Row,
  trafficLines,
} from './text.ts';
import {
  areasOf,
  type Cause,
  commandOf,
  doubtsOf,
  findingsOf,
  type Item,
  type Outcome,
  pinsOf,
  tally,
} from './view.ts';

/** A section of the page, with a heading that links can point to. */
export const section = (id: string, title: string, content: Markup): Markup =>
  markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>
`;

/** The verdict as text; its colour repeats that information. */
export const badge = ({ tone, label }: Item): Markup => markup`<span class="badge ${tone}">${label}</span>`;

/** The id of an item, and where its claim comes from. */
const source = ({ id, section: of, level, operation }: Item): Markup =>
  markup`<p class="source"><code>${id}</code> <span>§${of}, ${level}${operation === 'every' ? ', every operation' : ''}</span></p>`;

/** The claim of a check, with its source. */
export const itemLine = (item: Item): Markup =>
  markup`<div class="line"><p>${item.title}</p>${source(item)}</div>`;

/** A command to copy; one click selects all of it. */
const shell = (lines: readonly string[]): Markup =>
  markup`<pre class="shell"><code>${lines.join('\n')}</code></pre>`;

/** The findings, with one article per cause. */
export const findingsSection = (report: Report): Markup => {
  const causes = findingsOf(report);
  if (causes.length === 0) return nothing;
  const title = `Findings (${causes.length === 1 ? 'one cause' : `${causes.length} causes`})`;
  return section('findings', title, markup`${causes.map(({ first, others }) => article(first, others))}`);
};

/** @param others what has the same cause */
const article = (item: Item, others: Cause['others'] = []): Markup =>
  markup`<article class="${item.tone}">
<h3>${badge(item)} ${item.title}</h3>
${source(item)}
${item.reason === undefined ? nothing : markup`<p class="reason"><samp>${clip(item.reason, 4_000)}</samp></p>`}
${evidence(item)}${others.length > 0 ? sameCause(others) : nothing}</article>
`;

const evidence = (item: Item): Markup => {
  const { replay } = item;
  const commands = commandOf(item).map(([name, curl]) => row(capitalise(name), shell([clip(curl, 5_000)])));
  const parts = [...rows(item.evidence), ...commands, replay ? script(replay) : nothing];
  return parts.every(({ markup: text }) => text === '')
    ? nothing
    : markup`<dl class="evidence">
${parts}</dl>`;
};

const rows = (evidence: readonly Row[]): Markup[] =>
  evidence.map(([name, text]) => row(capitalise(name), markup`<samp>${clip(text, 2_000)}</samp>`));

/** A whole script, collapsed because it is longer than the rest of the finding. */
const script = (replay: string): Markup =>
  row(
    'Replay',
    markup`<details><summary>Script that repeats all steps (sh, curl, sed, grep)</summary>${shell([clip(replay, longestScript)])}</details>`,
  );

const row = (name: string, value: Markup): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

const sameCause = (others: Cause['others']): Markup =>
  markup`<details><summary>Same cause in ${others.length} more</summary>
${others.map((item) => markup`<div class="same">${itemLine(item)}${evidence(item)}</div>\n`)}</details>`;

/** Pinned answers of the profile that changed or could not be observed. */
export const answersSection = (report: Report): Markup => {
  const { drifted, undecided } = pinsOf(report);
  if (drifted.length + undecided.length === 0) return nothing;
  return section(
    'answers',
    `Pinned answers (${drifted.length} changed, ${undecided.length} undecided)`,
    markup`${[...drifted, ...undecided].map((item) => article(item))}`,
  );
};

/** Checks that need a review. */
export const undecidedSection = (report: Report): Markup => {
  const items = doubtsOf(report);
  if (items.length === 0) return nothing;
  return section('doubts', `Needs review (${items.length})`, markup`${items.map((item) => article(item))}`);
};

/** The leads that the run could not delete, first on the page because they require an action. */
export const leftoversSection = ({ leftovers }: Report): Markup =>
  leftovers.length === 0
    ? nothing
    : section(
        'leftovers',
        `Left behind (${leftovers.length})`,
        markup`<p>These leads of the run could not be deleted. To delete them, set <code>EMAIL_LEADS_API_KEY</code> and run:</p>
${shell(leftovers.map(({ curl }) => curl))}`,
      );

/** Verdicts by operation, in a table with its own scroll bar if it is wider than the page; a dot stands for zero. */
export const operationsSection = (report: Report): Markup => {
  const present = [...tally(report.checks).keys()];
  const cell = (outcome: Outcome, count: number | undefined): Markup =>
    count === undefined
      ? markup`<td><span class="none">·</span></td>`
      : markup`<td><span class="number ${outcome}">${count}</span></td>`;
  const rows = areasOf(report).map(({ title, checks }) => {
    const counts = tally(checks);
    return markup`<tr><th scope="row">${title}</th>${present.map((outcome) => cell(outcome, counts.get(outcome)))}</tr>\n`;
  });
  const caption = 'Checks by operation and verdict';
  return section(
    'operations',
    'Operations',
    markup`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table class="matrix"><caption>${caption}</caption>
<thead><tr><th scope="col">Operation</th>${present.map((outcome) => markup`<th scope="col">${outcome}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`,
  );
};

export const coverageSection = (report: Report): Markup => {
  const { documented } = report.coverage;
  return section(
    'coverage',
    'Coverage',
    markup`<p class="plain"><strong>${documented.checked} of ${documented.total}</strong> documented facts checked</p>
${coverageRows(report).map(([name, items]) => list(capitalise(name), items))}${report.traffic ? list('Traffic', trafficLines(report.traffic)) : nothing}`,
  );
};

const list = (title: string, items: readonly string[]): Markup =>
  items.length === 0
    ? nothing
    : markup`<h3>${title}</h3>
<ul class="plain">${items.map((item) => markup`<li><code>${item}</code></li>`)}</ul>
`;
