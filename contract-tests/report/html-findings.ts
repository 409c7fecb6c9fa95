import { type Cause, causesOf, outcomeOf } from './by-area.ts';
import { badge, checkLine, section, shell, source } from './html-parts.ts';
import { type Markup, markup, nothing } from './markup.ts';
import type { CheckReport, Report } from './report.ts';
import { clip } from './visible.ts';

/** What is broken: an article for each cause. */
export const findingsSection = (report: Report): Markup => {
  const causes = causesOf(report);
  if (causes.length === 0) return nothing;
  const title = `Findings (${causes.length === 1 ? 'one cause' : `${causes.length} causes`})`;
  return section('findings', title, markup`${causes.map(article)}`);
};

const article = ({ first, others }: Cause): Markup =>
  markup`<article class="${outcomeOf(first)}">
${heading(first)}
${evidence(first)}${others.length > 0 ? sameCause(others) : nothing}</article>
`;

const heading = (check: CheckReport): Markup => markup`<h3>${badge(check)} ${check.title}</h3>
${source(check)}`;

const evidence = ({ finding, waived }: CheckReport): Markup => {
  if (!finding) return nothing;
  const { expected, actual, pointer, request, reply, curl } = finding;
  return markup`<dl class="evidence">
${row('Expected', markup`<samp>${clip(expected, 2_000)}</samp>`)}${row('Actual', markup`<samp>${clip(actual, 2_000)}</samp>`)}${
  pointer ? row('At', markup`<code>${clip(pointer, 2_000)}</code>`) : nothing
}${request ? row('Request', markup`<code>${request.method} ${clip(request.path, 2_000)}</code> with ${keyWords(request.key)}`) : nothing}${
  reply
    ? row('Reply', markup`${reply.status}, ${reply.size} bytes: <samp>${clip(reply.excerpt, 2_000)}</samp>`)
    : nothing
}${waived === undefined ? nothing : row('Waived', markup`${waived}`)}${curl ? row('Replay', shell([clip(curl, 5_000)])) : nothing}</dl>`;
};

const keyWords = (key: string): string => (key === 'key' ? 'the key' : key === 'none' ? 'no key' : key);

const row = (name: string, value: Markup): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

const sameCause = (others: readonly CheckReport[]): Markup =>
  markup`<details><summary>The same cause in ${others.length} more</summary>
${others.map((check) => markup`<div class="same">${checkLine(check)}${evidence(check)}</div>\n`)}</details>`;

/** What could not be told, held at a second look only, or broke in the suite itself. */
export const doubtsSection = ({ checks }: Report): Markup => {
  const doubtful = checks.filter(({ status }) => ['error', 'inconclusive', 'unstable'].includes(status));
  if (doubtful.length === 0) return nothing;
  return section(
    'doubts',
    `Needs another look (${doubtful.length})`,
    markup`${doubtful.map(
      (check) => markup`<article class="${outcomeOf(check)}">${heading(check)}
<p class="reason"><samp>${clip(check.reason ?? '', 4_000)}</samp></p></article>
`,
    )}`,
  );
};

/** What the run left behind, first on the page because somebody has to act. */
export const leftoversSection = ({ leftovers }: Report): Markup =>
  leftovers.length === 0
    ? nothing
    : section(
        'leftovers',
        `Left behind (${leftovers.length})`,
        markup`<p>These leads of the run could not be deleted. With the key in <code>EMAIL_LEADS_API_KEY</code> this does it:</p>
${shell(leftovers.map(({ curl }) => curl))}`,
      );
