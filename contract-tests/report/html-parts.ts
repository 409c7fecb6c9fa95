import { outcomeOf } from './by-area.ts';
import { type Markup, markup } from './markup.ts';
import type { CheckReport } from './report.ts';

/** A part of the page with its heading, to be linked to. */
export const section = (id: string, title: string, content: Markup): Markup =>
  markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>
`;

/** The verdict in words; its colour says nothing the word does not. */
export const badge = (check: CheckReport): Markup =>
  markup`<span class="badge ${outcomeOf(check)}">${outcomeOf(check)}</span>`;

/** The id of a check and where its claim comes from. */
export const source = ({ id, section: of, level, operation }: CheckReport): Markup =>
  markup`<p class="source"><code>${id}</code> <span>§${of}, ${level}${operation === 'every' ? ', every operation' : ''}</span></p>`;

/** What a check claims, and its source. */
export const checkLine = (check: CheckReport): Markup =>
  markup`<div class="line"><p>${check.title}</p>${source(check)}</div>`;

/** A command to copy: one click selects the whole of it. */
export const shell = (lines: readonly string[]): Markup =>
  markup`<pre class="shell"><code>${lines.join('\n')}</code></pre>`;

/** A table that scrolls by itself where it is wider than the page. */
export const wide = (label: string, table: Markup): Markup =>
  markup`<div class="wide" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** A table of numbers: a row for each operation, empty cells for zero. */
export const matrix = (
  caption: string,
  columns: readonly Markup[],
  rows: readonly { readonly name: string; readonly cells: readonly Markup[] }[],
): Markup =>
  wide(
    caption,
    markup`<table class="matrix"><caption>${caption}</caption>
<thead><tr><th scope="col">Operation</th>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
      ({ name, cells }) =>
        markup`<tr><th scope="row">${name}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`,
    )}</tbody></table>`,
  );
