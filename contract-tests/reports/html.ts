import { clip } from '../../mock/contract/shown-text.ts';
import { type Area, areasOf, type Cause, type Item, tally, tallyText } from './items.ts';
import type { Report } from './report.ts';
import { factsOf, type Section, sectionsOf, titleOf, toneOfRun } from './sections.ts';
import { longestScript, type Markup, markup, verbatim } from './text.ts';

/** The style of the page. The colour of each verdict has a contrast of at least 4.5 : 1 to the sheet, and to its own tint. */
const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #0f1217); --sheet: light-dark(#ffffff, #181c23); --shell: light-dark(#f0f2f5, #10141a);
  --ink: light-dark(#171b22, #e8ebf0); --soft: light-dark(#545d6b, #a5aebb); --line: light-dark(#d9dee5, #2d343f);
}
.pass { --tone: light-dark(#12633a, #82dba8); }
.fail { --tone: light-dark(#a1161d, #ffa19d); }
.warn, .drift { --tone: light-dark(#744700, #f4c96e); }
.error { --tone: light-dark(#8d1350, #ff9fca); }
.unstable, .inconclusive { --tone: light-dark(#5535a0, #c8b6ff); }
.waived { --tone: light-dark(#0b566b, #8ad6ea); }
.skipped { --tone: light-dark(#4a5362, #b7c0cc); }
.badge, .counts li { background: color-mix(in srgb, var(--tone) 12%, var(--sheet)); color: var(--tone); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
body > * { padding-inline: max(1.5rem, (100% - 64rem) / 2); }
p, ul, dl, dd, pre, h1, h2, h3 { margin: 0; padding: 0; }
ul { list-style: none; }
code, samp, pre { font: 0.875em/1.5 ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; unicode-bidi: isolate; }
samp, pre { white-space: pre-wrap; }
header { padding-block: 2rem 1.75rem; background: var(--sheet); border-top: 6px solid var(--tone); border-bottom: 1px solid var(--line); }
.eyebrow { color: var(--soft); font-size: 0.875rem; }
h1 { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.125rem); line-height: 1.2; color: var(--tone); }
h1::first-letter { text-transform: uppercase; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; }
.ran { margin-top: 0.5rem; color: var(--soft); max-width: 48rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.counts li { padding: 0.125rem 0.75rem; border-radius: 1rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0.875rem 1.5rem; margin-top: 1.75rem; }
dt { color: var(--soft); font-size: 0.8125rem; }
article { margin-bottom: 0.875rem; padding: 1rem 1.25rem 1.125rem; background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 6px; }
h3 { margin: 0 0 0.25rem; font-size: 1.0625rem; }
.badge { display: inline-block; margin-right: 0.25rem; padding: 0 0.5rem; border-radius: 4px; font-size: 0.8125rem; font-weight: 600; line-height: 1.5rem; }
.source { color: var(--soft); font-size: 0.875rem; }
.source code { margin-right: 0.5rem; }
.evidence { margin-top: 0.75rem; }
.evidence > div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 0.75rem; padding: 0.25rem 0; }
.evidence dd { min-width: 0; }
ul + .shell { margin-top: 0.75rem; }
.shell { padding: 0.625rem 0.75rem; background: var(--shell); border: 1px solid var(--line); border-radius: 4px; user-select: all; }
details { margin-top: 0.625rem; }
summary { cursor: pointer; font-weight: 600; }
.checks, .plain { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.4375rem 0.875rem; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 0; color: var(--soft); font-size: 0.8125rem; }
.checks { border-spacing: 0; border-collapse: separate; }
.checks th[scope="rowgroup"] { padding-top: 1.25rem; font-weight: 600; }
.tally { color: var(--soft); font-weight: 400; }
.checks td:first-child { width: 7.5rem; white-space: nowrap; }
.checks .reason { margin-top: 0.25rem; color: var(--soft); }
.line { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.line .source { margin-left: auto; }
.reason { margin-top: 0.5rem; }
.plain { padding: 0.625rem 1rem; }
footer { padding-block: 2.5rem 3rem; color: var(--soft); font-size: 0.875rem; }
@media (max-width: 40rem) { .evidence > div, .facts { grid-template-columns: 1fr; } }
@media print { :root { color-scheme: light; } article, tr { break-inside: avoid; } }
`;

/** The run as a self-contained page: no script, no font, no external resource. */
export const htmlReport = (report: Report): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="referrer" content="no-referrer" />
<title>${report.verdict.headline} · ${titleOf(report)}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${header(report)}
<main>
${sectionsOf(report).map(sectionBlock)}${resultsSection(report)}</main>
<footer>Written by email-leads ${report.suite.version}. The sections (§) are those of the interface document.</footer>
</body>
</html>
`.markup;

const header = (report: Report): Markup => {
  const counts = [...tally(areasOf(report).flatMap(({ items }) => items))];
  return markup`<header class="${toneOfRun(report)}">
<p class="eyebrow">${titleOf(report)}</p>
<h1>${report.verdict.headline}</h1>
<p class="ran">${report.ran}</p>
<ul class="counts" aria-label="Checks by verdict">${counts.map(
    ([tone, count]) => markup`<li class="${tone}"><strong>${count}</strong> ${tone}</li>`,
  )}</ul>
<dl class="facts">${factsOf(report).map(([name, text]) => row(name, text))}</dl>
</header>`;
};

/** A part of the page, with a heading that links can point to. */
const section = (id: string, title: string, ...content: readonly Markup[]): Markup =>
  markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>
`;

const sectionBlock = ({ id, title, causes, lines, commands }: Section): Markup => {
  const texts = lines.map((line) => markup`<li>${line}</li>\n`);
  const list = texts.length > 0 ? [markup`<ul class="plain">${texts}</ul>`] : [];
  const copied = commands.length > 0 ? [shell(commands.join('\n'))] : [];
  return section(id, title, ...causes.map(article), ...list, ...copied);
};

const resultsSection = (report: Report): Markup => {
  const areas = areasOf(report);
  const count = areas.reduce((sum, { items }) => sum + items.length, 0);
  const table = markup`<table class="checks"><thead><tr><th scope="col">Verdict</th><th scope="col">Claim</th></tr></thead>
${areas.map(areaRows)}</table>`;
  return section('checks', `All results (${count})`, table);
};

const areaRows = ({ title, items }: Area): Markup =>
  markup`<tbody><tr><th scope="rowgroup" colspan="2">${title} <span class="tally">${tallyText(items)}</span></th></tr>
${items.map(resultRow)}</tbody>
`;

const resultRow = (item: Item): Markup => {
  const reason = item.summary === '' ? [] : [markup`<p class="reason">${clip(item.summary, 500)}</p>`];
  return markup`<tr><td>${badge(item)}</td><td><div class="line"><p>${item.title}</p>${source(item)}</div>${reason}</td></tr>\n`;
};

/** The verdict as text; its colour repeats that information. */
const badge = ({ tone, label }: Item): Markup => markup`<span class="badge ${tone}">${label}</span>`;

/** The id of an item, and where its claim comes from. */
const source = ({ id, section: of, level, operation }: Item): Markup =>
  markup`<p class="source"><code>${id}</code> <span>§${of}, ${level}${operation === 'every' ? ', every operation' : ''}</span></p>`;

/** A command to copy; one click selects all of it. */
const shell = (text: string): Markup => markup`<pre class="shell"><code>${text}</code></pre>`;

const article = ({ first: item, others }: Cause): Markup => {
  const same = others.map(({ id }) => id).join(', ');
  return markup`<article class="${item.tone}">
<h3>${badge(item)} ${item.title}</h3>
${source(item)}
${item.reason && markup`<p class="reason"><samp>${clip(item.reason, 4_000)}</samp></p>`}
${evidence(item)}${same && markup`<p class="reason">The same cause: <code>${same}</code></p>`}</article>
`;
};

const evidence = (item: Item): Markup | undefined => {
  const { replay } = item;
  const rows = [
    ...item.evidence.map(([name, text]) => row(name, markup`<samp>${clip(text, 2_000)}</samp>`)),
    ...(replay === undefined ? [] : [row('replay', script(replay))]),
  ];
  return rows.length === 0 ? undefined : markup`<dl class="evidence">\n${rows}</dl>`;
};

/** A whole script, collapsed because it is longer than the rest of the finding. */
const script = (replay: string): Markup =>
  markup`<details><summary>Script that repeats all steps (sh, curl, sed, grep)</summary>${shell(clip(replay, longestScript))}</details>`;

const row = ([first = '', ...rest]: string, value: string | Markup): Markup =>
  markup`<div><dt>${first.toUpperCase() + rest.join('')}</dt><dd>${value}</dd></div>\n`;
