// What the reports for people have in common.
import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { consoleReport } from '../console.ts';
import { githubReport } from '../github.ts';
import { htmlReport } from '../html.ts';
import { junitReport } from '../junit.ts';
import { markdownReport } from '../markdown.ts';
import type { Report } from '../report.ts';

const coloured = (report: Report): string =>
  consoleReport(report, new Map(), { isQuiet: false, isColoured: true });

test.each([
  ['console', coloured],
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
] as const)(
  'exit code %i with %i warnings has one tone everywhere',
  (exit_code, warn, colour, tone, sign) => {
    const counts = { ...calmReport.counts, warn };
    const report = { ...calmReport, counts, verdict: { exit_code, headline: 'so' } };
    expect(coloured(report)).toContain(`\u001b[1m\u001b[${colour}mVerdict: so\u001b[39m\u001b[22m`);
    expect(htmlReport(report)).toContain(`<header class="${tone}">`);
    expect(markdownReport(report)).toContain(`## ${sign} so\n`);
  },
);

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
