// What the reports for people have in common, and those on a terminal and in Markdown.
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { escapeInvisible } from '../../../mock/contract/printable.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { consoleReport } from '../console.ts';
import { githubReport, markdownReport } from '../github.ts';
import { htmlReport } from '../html.ts';
import { junitReport } from '../junit.ts';
import type { Report } from '../report.ts';

const onConsole = (report: Report, isColoured = true): string =>
  consoleReport(report, new Map(), { isQuiet: false, isColoured });

test.each([
  ['console', onConsole],
  ['github', githubReport],
  ['html', htmlReport],
  ['junit', junitReport],
  ['markdown', markdownReport],
])('drift has both answers and what shows the new one: %s', (_, render) => {
  const text = render(hostileReport);
  for (const part of [/pinned\W.*accepted/is, /now\W.*merged/is, /evidence\W/i, /curl -X POST/])
    expect(text).toMatch(part);
});

test.each([
  [0, 0, 32, 'pass', '✅'],
  [0, 1, 33, 'warn', '⚠️'],
  [1, 0, 31, 'fail', '❌'],
  [3, 0, 33, 'inconclusive', '❔'],
  [4, 0, 35, 'drift', '🔀'],
] as const)('exit code %i with %i warnings has one tone', (exit_code, warn, colour, tone, sign) => {
  const counts = { ...calmReport.counts, warn };
  const report = { ...calmReport, counts, verdict: { exit_code, headline: 'so' } };
  expect(onConsole(report)).toContain(`\u001b[1m\u001b[${colour}mVerdict: so\u001b[39m\u001b[22m`);
  expect(htmlReport(report)).toContain(`<header class="${tone}">`);
  expect(markdownReport(report)).toContain(`## ${sign} so\n`);
});

test.each(['contract', 'proxy', 'check'] as const)('a report of %s has its name as title', (command) => {
  const report = { ...calmReport, suite: { ...calmReport.suite, command } };
  expect(junitReport(report)).toContain(`<testsuites name="email-leads ${command}"`);
  expect(htmlReport(report)).toContain(`<p class="eyebrow">email-leads ${command}</p>`);
  expect(markdownReport(report)).toContain(`\nemail-leads ${command} · `);
});

test('an undecided check needs a review, and with a waiver none; its row says why', () => {
  const checks = hostileReport.checks.filter(({ status }) => /unstable|inconclusive/.test(status));
  const report = { ...calmReport, checks, groups: [] };
  expect(githubReport(report)).toContain('::warning');
  expect(htmlReport(report)).toContain('Needs review');
  const waived = { ...report, checks: checks.map((check) => ({ ...check, waived: 'known since March' })) };
  expect(githubReport(waived)).toBe('');
  expect(htmlReport(waived)).not.toContain('Needs review');
  expect(htmlReport(waived)).toContain('waived: known since March');
});

test('on a terminal the first lines of findings have colours, and what a deployment says has none', () => {
  const coloured = onConsole(hostileReport);
  for (const line of [
    '\u001b[1m\u001b[31mFAIL leads.add.name\u001b[39m\u001b[22m  §4.5, documented',
    '\u001b[1m\u001b[33mWARN leads.add.keeps-texts\u001b[39m\u001b[22m  §4.5, derived',
    '\u001b[90mWAIVED leads.add.note\u001b[39m  §4.5, documented',
    '\u001b[1m\u001b[33mUNSTABLE leads.add.created-at\u001b[39m\u001b[22m  §4.5, documented',
    '\u001b[1m\u001b[35mDRIFT lead.duplicate\u001b[39m\u001b[22m  §2.3, pinned',
    '\u001b[31m  ✗\u001b[39m Add lead',
  ])
    expect(`\n${coloured}`).toContain(`\n${line}`);
  expect(stripVTControlCharacters(coloured)).toBe(onConsole(hostileReport, false));
  const evidence = coloured.split('\n').filter((line) => / (expected|actual|replay): /.test(line));
  expect(evidence.filter((line) => line.includes('\u001b'))).toEqual([]);
});

test('in Markdown what a deployment said stands in code, and nothing invisible is left', () => {
  const summary = markdownReport(hostileReport);
  // Blocks and spans of code are taken out as CommonMark finds them.
  const interpreted = summary
    .replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, '')
    .trim();
  expect(interpreted).not.toMatch(/<(?!\/?(details|summary|b|code)>)/);
  expect(interpreted).not.toMatch(/[@[\]`$\\]|\]\(|^::|##\[|:\/\/|evil|alert/m);
  expect(escapeInvisible(summary)).toBe(summary);
  const rows = summary.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(6);
  expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
  expect(summary.match(/<details>/g)?.length).toBe(summary.match(/<\/details>/g)?.length);
  expect(markdownReport(calmReport)).not.toMatch(/Findings|skipped|details|deleted/);
});

/** A report with a hundred findings like one. */
const manyLike = (finding: Report['checks'][number] | undefined): Report => {
  const checks = Array.from({ length: 100 }, (_, at) => ({ ...finding, id: `leads.add.x-${at}` }));
  const groups = checks.map(({ id }) => ({ ...hostileReport.groups[0], checks: [id] }));
  return { ...hostileReport, checks, groups } as Report;
};

test('Markdown fits into a job summary, and GitHub gets no more annotations than it shows', () => {
  const long = markdownReport(manyLike(hostileReport.checks[1]));
  expect(Buffer.byteLength(long)).toBeLessThan(500_000);
  expect(long).toContain('and 70 more');
  const commands = githubReport(manyLike(hostileReport.checks[0])).trimEnd().split('\n');
  expect(commands.filter((line) => line.startsWith('::error '))).toHaveLength(10);
  expect(commands.at(-1)).toMatch(/^::notice .*::91 more/);
});
