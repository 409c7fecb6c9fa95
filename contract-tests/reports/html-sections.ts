import { clip } from '../../mock/contract/printable.ts';
import type { Report } from './report.ts';
import type { Section } from './sections.ts';
import { capitalise, longestScript, type Markup, markup, nothing, type Row } from './text.ts';
import { areasOf, type Cause, commandOf, type Item, type Outcome, tally } from './view.ts';

/** A part of the page, with a heading that links can point to. */
export const section = (id: string, title: string, content: Markup): Markup =>
  markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>
`;

/** A section that the summary has too. */
export const sharedSection = ({ id, title, text, causes = [], lists = [], commands }: Section): Markup =>
  section(
    id,
    title,
    markup`${text === undefined ? nothing : markup`<p class="plain">${text}</p>\n`}${causes.map(article)}${lists.map(list)}${commands ? shell(commands) : nothing}`,
  );

const list = ([title, items]: NonNullable<Section['lists']>[number]): Markup =>
  markup`<h3>${title}</h3>
<ul class="plain">${items.map((item) => markup`<li><code>${item}</code></li>`)}</ul>
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

const article = ({ first: item, others }: Cause): Markup =>
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
