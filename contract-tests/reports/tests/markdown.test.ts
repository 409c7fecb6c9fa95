import { expect, test } from 'vitest';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { markdownReport } from '../markdown.ts';

const summary = markdownReport(hostileReport);

/** What is left for Markdown to interpret: blocks and spans of code are taken out as CommonMark finds them. */
const interpreted = (markdown: string): string =>
  markdown
    .replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, '')
    .trim();

test('what a deployment said stands in code', () => {
  const rest = interpreted(summary);
  expect(rest).not.toMatch(/<(?!\/?(details|summary|b|code)>)/);
  expect(rest).not.toMatch(/[@[\]`$\\]|\]\(|^::|##\[|:\/\/|evil|alert/m);
});

test('a table is a table: as many cells in every row', () => {
  const rows = summary.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(6);
  expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
});

test('every <details> ends', () => {
  expect(summary.match(/<details>/g)?.length).toBe(summary.match(/<\/details>/g)?.length);
});

test('nothing invisible is left', () => {
  expect(summary).not.toMatch(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/u);
});

test('a run with nothing to say is short', () => {
  expect(markdownReport(calmReport)).not.toMatch(/Findings|skipped|details|deleted/);
});

test('it fits into a job summary however much is broken', () => {
  const checks = Array.from({ length: 100 }, (_, index) => ({
    ...hostileReport.checks[1],
    id: `leads.add.x-${index}`,
  }));
  const groups = checks.map(({ id }) => ({ ...hostileReport.groups[0], checks: [id] }));
  const report = { ...hostileReport, checks, groups } as typeof hostileReport;
  const long = markdownReport(report);
  expect(Buffer.byteLength(long)).toBeLessThan(500_000);
  expect(long).toContain('and 70 more');
});
