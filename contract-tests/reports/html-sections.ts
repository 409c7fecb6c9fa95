import { clip } from '../../mock/contract/printable.ts';
import { type AnswerVerdict, plural } from '../runner/summary.ts';
import {
  areasOf,
  type Cause,
  doubtfulChecks,
  driftedAnswers,
  groupByCause,
  labelOf,
  type Outcome,
  statusOfCheck,
  tally,
  toneOf,
  undecidedAnswers,
} from './grouping.ts';
import type { CheckReport, ExchangeReport, Report } from './report.ts';
import {
  answerRows,
  capitalise,
  coverageRows,
  durationText,
  evidenceRows,
  longestScript,
  type Markup,
  markup,
  nothing,
  type Row,
  trafficLines,
} from './text.ts';

/** A section of the page, with a heading that links can point to. */
export const section = (id: string, title: string, content: Markup): Markup =>
  markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>
`;

/** The verdict as text; its colour repeats that information. */
export const badge = (check: CheckReport, report: Report): Markup =>
  markup`<span class="badge ${toneOf(check, report)}">${labelOf(check, report)}</span>`;

/** The id of a check, and the section and level of its claim. */
const source = ({ id, section: of, level, operation }: CheckReport): Markup =>
  markup`<p class="source"><code>${id}</code> <span>§${of}, ${level}${operation === 'every' ? ', every operation' : ''}</span></p>`;

/** The claim of a check, with its source. */
export const checkLine = (check: CheckReport): Markup =>
  markup`<div class="line"><p>${check.title}</p>${source(check)}</div>`;

/** A command to copy; one click selects all of it. */
const shell = (lines: readonly string[]): Markup =>
  markup`<pre class="shell"><code>${lines.join('\n')}</code></pre>`;

/** The findings, with one article per cause. */
export const findingsSection = (report: Report): Markup => {
  const causes = groupByCause(report);
  if (causes.length === 0) return nothing;
  const title = `Findings (${causes.length === 1 ? 'one cause' : `${causes.length} causes`})`;
  return section('findings', title, markup`${causes.map((cause) => article(cause, report))}`);
};

const article = ({ first, others }: Cause, report: Report): Markup =>
  markup`<article class="${toneOf(first, report)}">
${heading(first, report)}
${evidence(first)}${others.length > 0 ? sameCause(others) : nothing}</article>
`;

const heading = (
  check: CheckReport,
  report: Report,
): Markup => markup`<h3>${badge(check, report)} ${check.title}</h3>
${source(check)}`;

const evidence = (check: CheckReport): Markup => {
  if (!check.finding) return nothing;
  const { curl, replay, exchanges = [] } = check.finding;
  return markup`<dl class="evidence">
${rows(evidenceRows(check))}${curl ? row('Last step', shell([clip(curl, 5_000)])) : nothing}${steps(exchanges)}${replay ? script(replay) : nothing}</dl>`;
};

const rows = (evidence: readonly Row[]): Markup[] =>
  evidence.map(([name, text]) => row(capitalise(name), markup`<samp>${clip(text, 2_000)}</samp>`));

/** A length of time; of a step or an interval often below a tenth of a second. */
const spanText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : durationText(milliseconds);

/** The number of steps that a timeline shows; the last ones show the finding. */
const maxSteps = 20;

const toneOfStep = (status: number): string => (status >= 500 ? 'fail' : status >= 400 ? 'warn' : 'pass');

/** When the steps of a finding were sent and how long each took; the bars repeat what the numbers say. */
const steps = (exchanges: readonly ExchangeReport[]): Markup => {
  const shown = exchanges
    .slice(-maxSteps)
    .flatMap(({ sent_ms: sent, took_ms: took, ...step }) =>
      sent === undefined || took === undefined ? [] : [{ ...step, sent, took }],
    );
  if (shown.length === 0) return nothing;
  const begin = Math.min(...shown.map(({ sent }) => sent));
  const span = Math.max(1, ...shown.map(({ sent, took }) => sent + took - begin));
  const percent = (milliseconds: number): string => ((milliseconds / span) * 100).toFixed(1);
  const left = exchanges.length - shown.length;
  return row(
    'Timeline',
    markup`<details><summary>${plural(shown.length, 'exchange')} in ${spanText(span)}${left > 0 ? `, after ${left} more` : ''}</summary>
<ul class="steps">${shown.map(
      ({ request, reply, sent, took }) =>
        markup`<li><span>${durationText(sent)}</span><span><code>${request.method} ${clip(request.path, 200)}</code> ${reply.status}, ${took} ms</span><span class="lane ${toneOfStep(reply.status)}" aria-hidden="true"><span style="margin-left:${percent(sent - begin)}%;width:${percent(took)}%"></span></span></li>\n`,
    )}</ul></details>`,
  );
};

/** The requests of the whole run over time. */
export const timelineSection = ({ timeline }: Report): Markup => {
  if (timeline === undefined) return nothing;
  const { interval_ms: length, intervals } = timeline;
  const total = intervals.reduce((sum, { requests }) => sum + requests, 0);
  const most = Math.max(1, ...intervals.map((interval) => interval.requests));
  const failed = intervals.flatMap(({ server_errors: errors }, index) =>
    errors > 0 ? [{ errors, index }] : [],
  );
  const times = failed
    .map(({ errors, index }) => `${errors} after ${durationText(index * length)}`)
    .join(', ');
  return section(
    'timeline',
    'Timeline',
    markup`<div class="plain"><p>${plural(total, 'request')} in ${durationText(intervals.length * length)}, one bar for ${spanText(length)}; at most ${most} in one of them.${failed.length > 0 ? ` Responses with a status of 500 or more: ${times}.` : ''}</p>
<div class="intervals" aria-hidden="true">${intervals.map(
      (interval) =>
        markup`<span class="${interval.server_errors > 0 ? 'fail' : 'pass'}" style="height:${((interval.requests / most) * 100).toFixed(1)}%"></span>`,
    )}</div></div>`,
  );
};

/** A whole script, collapsed because it is longer than the rest of the finding. */
const script = (replay: string): Markup =>
  row(
    'Replay',
    markup`<details><summary>Script that repeats all steps (sh, curl, sed, grep)</summary>${shell([clip(replay, longestScript)])}</details>`,
  );

const row = (name: string, value: Markup): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

const sameCause = (others: readonly CheckReport[]): Markup =>
  markup`<details><summary>Same cause in ${others.length} more</summary>
${others.map((check) => markup`<div class="same">${checkLine(check)}${evidence(check)}</div>\n`)}</details>`;

/** Pinned answers of the profile that changed or could not be observed. */
export const answersSection = (report: Report): Markup => {
  const drifted = driftedAnswers(report);
  const undecided = undecidedAnswers(report);
  if (drifted.length + undecided.length === 0) return nothing;
  return section(
    'answers',
    `Pinned answers (${drifted.length} changed, ${undecided.length} undecided)`,
    markup`${drifted.map((answer) => answerArticle(answer, 'warn'))}${undecided.map((answer) => answerArticle(answer, 'inconclusive'))}`,
  );
};

const answerArticle = (answer: AnswerVerdict, tone: Outcome): Markup => {
  const { question, section: of, status, curl } = answer;
  return markup`<article class="${tone}">
<h3><span class="badge ${tone}">${status}</span> ${question}</h3>
<p class="source"><span>§${of}, pinned answer</span></p>
<dl class="evidence">
${rows(answerRows(answer))}${curl ? row('Replay', shell([clip(curl, 5_000)])) : nothing}</dl></article>
`;
};

/** Checks that need a review. */
export const undecidedSection = (report: Report): Markup => {
  const checks = doubtfulChecks(report);
  if (checks.length === 0) return nothing;
  return section(
    'doubts',
    `Needs review (${checks.length})`,
    markup`${checks.map(
      (check) => markup`<article class="${statusOfCheck(check)}">${heading(check, report)}
<p class="reason"><samp>${clip(check.reason ?? '', 4_000)}</samp></p>
${evidence(check)}</article>
`,
    )}`,
  );
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
