import { areasOf, type Outcome, outcomes, skippedByReason } from './by-area.ts';
import { durationText } from './finding-text.ts';
import { coverageSection, operationsSection } from './html-coverage.ts';
import { doubtsSection, findingsSection, leftoversSection } from './html-findings.ts';
import { badge, checkLine, section } from './html-parts.ts';
import { style } from './html-style.ts';
import { type Markup, markup, nothing, verbatim } from './markup.ts';
import type { CheckReport, Report } from './report.ts';
import { clip } from './visible.ts';

/** The run as one page that needs nothing else: no script, no font, no address it would fetch from. */
export const htmlReport = (report: Report): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<title>${report.verdict.headline} · email-leads contract</title>
<style>${verbatim(style)}</style>
</head>
<body>
${header(report)}
<main>
${leftoversSection(report)}${findingsSection(report)}${doubtsSection(report)}${operationsSection(report)}${coverageSection(report)}${skippedSection(report)}${checksSection(report)}</main>
<footer>Written by email-leads ${report.suite.version}. The sections (§) are those of the interface document.</footer>
</body>
</html>
`.markup;

const tones: Readonly<Record<number, Outcome>> = { 0: 'pass', 1: 'fail' };

const header = (report: Report): Markup => {
  const { verdict, counts } = report;
  const remarks = counts.warn + counts.waived + counts.unstable + counts.inconclusive;
  const tone = verdict.exit_code === 0 && remarks > 0 ? 'warn' : (tones[verdict.exit_code] ?? 'inconclusive');
  return markup`<header class="${tone}">
<p class="eyebrow">email-leads contract</p>
<h1>${verdict.headline}</h1>
<p class="ran">${report.ran}</p>
${bar(report)}
<ul class="counts" aria-label="Checks by verdict">${present(report).map(
    (outcome) => markup`<li class="${outcome}"><strong>${counts[outcome]}</strong> ${outcome}</li>`,
  )}</ul>
${facts(report)}
</header>`;
};

const present = ({ counts }: Report): Outcome[] => outcomes.filter((outcome) => counts[outcome] > 0);

const bar = (report: Report): Markup =>
  markup`<div class="bar" aria-hidden="true">${present(report).map(
    (outcome) => markup`<span class="${outcome}" style="flex-grow:${report.counts[outcome]}"></span>`,
  )}</div>`;

const facts = (report: Report): Markup => {
  const { target, run_id, started_at, duration_ms, requests, mails_requested, strict, verdict } = report;
  const rows: [string, Markup][] = [
    ['Target', markup`<code>${target.url}</code><br />${target.kind}`],
    [
      'When',
      markup`<time datetime="${started_at}">${started_at.slice(0, 19).replace('T', ' ')} UTC</time><br />for ${durationText(duration_ms)}`,
    ],
    ['Requests', markup`${requests}<br />of which ${mails_requested} asked for mail`],
    ['Run', markup`<code>${run_id}</code>`],
    [
      'Mode',
      strict ? markup`strict: derived facts fail too` : markup`documented facts fail, derived ones warn`,
    ],
    ['Exit code', markup`${verdict.exit_code}`],
  ];
  return markup`<dl class="facts">${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

const skippedSection = (report: Report): Markup => {
  const reasons = [...skippedByReason(report)];
  if (reasons.length === 0) return nothing;
  const list = reasons.map(
    ([reason, checks]) => markup`<li><p><strong>${checks.length}</strong> because ${reason}</p>
<ul class="ids">${checks.map(({ id }) => markup`<li><code>${id}</code></li>`)}</ul></li>`,
  );
  return section('skipped', `Skipped (${report.counts.skipped})`, markup`<ul class="reasons">${list}</ul>`);
};

const checksSection = (report: Report): Markup =>
  section(
    'checks',
    `All checks (${report.checks.length})`,
    markup`<table class="checks"><thead><tr><th scope="col">Verdict</th><th scope="col">Claim</th></tr></thead>
${areasOf(report).map(
  ({ title, checks }) => markup`<tbody><tr><th scope="rowgroup" colspan="2">${title}</th></tr>
${checks.map(checkRow)}</tbody>
`,
)}</table>`,
  );

const checkRow = (check: CheckReport): Markup =>
  markup`<tr><td>${badge(check)}</td><td>${checkLine(check)}${check.reason && check.status !== 'skipped' ? markup`<p class="reason">${clip(check.reason, 500)}</p>` : nothing}</td></tr>\n`;
