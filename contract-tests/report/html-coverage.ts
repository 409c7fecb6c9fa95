import { areasOf, operationTitles, tally } from './by-area.ts';
import { matrix, section } from './html-parts.ts';
import { type Markup, markup, nothing } from './markup.ts';
import type { Report } from './report.ts';

const number = (count: number | undefined, tone = ''): Markup =>
  count === undefined
    ? markup`<span class="none">·</span>`
    : markup`<span class="number ${tone}">${count}</span>`;

/** Verdicts by operation. */
export const operationsSection = (report: Report): Markup => {
  const present = [...tally(report.checks).keys()];
  const rows = areasOf(report).map(({ title, checks }) => {
    const counts = tally(checks);
    return { name: title, cells: present.map((outcome) => number(counts.get(outcome), outcome)) };
  });
  return section(
    'operations',
    'Operations',
    matrix(
      'Checks by operation and verdict',
      present.map((outcome) => markup`${outcome}`),
      rows,
    ),
  );
};

export const coverageSection = (report: Report): Markup => {
  const { documented, unobservable, never_seen, undocumented } = report.coverage;
  return section(
    'coverage',
    'Coverage',
    markup`<p class="progress"><strong>${documented.checked} of ${documented.total}</strong> documented facts checked
<progress max="${documented.total}" value="${documented.checked}">${documented.checked} of ${documented.total}</progress></p>
${list('Cannot be seen from outside', unobservable)}${list('Documented fields never seen', never_seen)}${list('Undocumented fields seen; they are allowed', undocumented)}${statuses(report)}`,
  );
};

const list = (title: string, items: readonly string[]): Markup =>
  items.length === 0
    ? nothing
    : markup`<h3>${title}</h3>
<ul class="plain">${items.map((item) => markup`<li><code>${item}</code></li>`)}</ul>
`;

const toneOf = (status: string): string =>
  status.startsWith('5') ? 'fail' : status === '200' ? 'pass' : 'skipped';

const statuses = (report: Report): Markup => {
  const { statuses: seen } = report.coverage;
  const columns = [...new Set(Object.values(seen).flatMap((row) => Object.keys(row)))].sort();
  if (columns.length === 0) return nothing;
  const operations = new Set([...operationTitles.keys(), ...Object.keys(seen)]);
  const rows = [...operations].map((operation) => ({
    name: operationTitles.get(operation) ?? operation,
    cells: columns.map((status) => number(seen[operation]?.[status], toneOf(status))),
  }));
  return markup`<h3>Statuses seen</h3>
${matrix(
  'Replies by operation and HTTP status',
  columns.map((status) => markup`${status}`),
  rows,
)}`;
};
