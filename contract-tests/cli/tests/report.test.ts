import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runContract } from '../../library/index.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { jsonReport } from '../../reports/index.ts';
import type { Report } from '../../reports/report.ts';
import { key, runInProcess, serve, temporaryDirectory } from '../../testing/command.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { runReportCommand } from '../report.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

let files = 0;
const fileOf = (report: object): string => {
  files += 1;
  const file = join(directory, `part-${files}.json`);
  writeFileSync(file, jsonReport(report as Report));
  return file;
};

const report = (...argv: string[]) =>
  runInProcess(runReportCommand, [...argv, '--report-dir', join(directory, 'out')]);

const written = (name: string): string => readFileSync(join(directory, 'out', name), 'utf8');

test('a stored run is rendered again, with its verdict, into a directory that does not exist yet', async () => {
  const file = fileOf(hostileReport);
  const { code, text } = await report(file, '--report', 'console,json,html,junit,markdown');
  expect(code).toBe(1);
  expect(text).toContain('does not conform');
  expect(written('report.json')).toBe(readFileSync(file, 'utf8'));
  for (const name of ['report.html', 'junit.xml', 'summary.md'])
    expect(written(name)).toContain('leads.add.name');
  expect((await report(fileOf(calmReport))).code).toBe(0);
});

test('parts of a run add up to the whole', async () => {
  const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, error: 7 })));
  const part = ['templates', 'replies'];
  const runs: string[] = [];
  for (const options of [{}, { only: part }, { skip: part }])
    runs.push(fileOf((await runContract({ url, apiKey: key, ...options })).json));
  const [whole = '', ...parts] = runs;
  expect((await report(...parts, '--report', 'json')).code).toBe(1);
  const [merged, run] = [written('report.json'), readFileSync(whole, 'utf8')].map((text) => {
    const { verdict, counts, groups, checks } = JSON.parse(text) as Report;
    return { verdict, counts, groups, checks: checks.map(({ id, status }) => [id, status]) };
  });
  expect(merged).toEqual(run);
});

const part = { ...calmReport, checks: calmReport.checks.slice(0, 1) };

test('a part that is missing is undecided', async () => {
  const { code, text } = await report(fileOf(part), fileOf(part));
  expect(code).toBe(3);
  expect(text).toMatch(
    /not everything could be tested: \d+ of \d+ checks undecided, because none of the merged/,
  );
});

test.each<[string, object]>([
  ['is not a report.json', { report_version: 1 }],
  ['on one deployment', { ...part, target: { kind: 'deployment', url: 'https://a.test' } }],
  [
    'the check no.such, which this version does not have',
    { ...part, checks: [{ ...part.checks[0], id: 'no.such' }] },
  ],
])('a part that cannot be used is refused: %s', async (reason, other) => {
  const { code, text } = await report(fileOf(part), fileOf(other));
  expect([code, text]).toEqual([2, expect.stringContaining(reason)]);
});
