import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type ContractOptions, runContract } from '../../library/index.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { jsonReport } from '../../reports/index.ts';
import type { Report } from '../../reports/report.ts';
import { key, runInProcess, serve, temporaryDirectory } from '../../testing/command.ts';
import { runReportCommand } from '../report.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** A service whose list of templates is broken, read by parts of a run. */
const runParts = async (...parts: readonly ContractOptions[]): Promise<string[]> => {
  const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, error: 7 })));
  const files: string[] = [];
  for (const options of parts) {
    const { json } = await runContract({ url, apiKey: key, ...options });
    files.push(join(directory, `part-${files.length}.json`));
    writeFileSync(files.at(-1) ?? '', jsonReport(json as Report));
  }
  return files;
};

const report = (...argv: string[]) =>
  runInProcess(runReportCommand, [...argv, '--report-dir', join(directory, 'out')]);

const written = (name: string): string => readFileSync(join(directory, 'out', name), 'utf8');

test('a stored run is rendered again, with its verdict, into a directory that does not exist yet', async () => {
  const [file = '', calm = ''] = await runParts({ only: ['templates'] }, { only: ['templates.list.auth'] });
  const { code, text } = await report(file, '--report', 'console,json,html,junit,markdown');
  expect(code).toBe(1);
  expect(text).toContain('does not conform');
  expect(written('report.json')).toBe(readFileSync(file, 'utf8'));
  expect(written('report.html')).toContain('templates.list.error');
  expect(written('junit.xml')).toContain('templates.list.error');
  expect((await report(calm)).code).toBe(0);
});

test('parts of a run add up to the whole', async () => {
  const part = ['templates', 'replies'];
  const [whole = '', ...parts] = await runParts({}, { only: part }, { skip: part });
  expect((await report(...parts, '--report', 'json')).code).toBe(1);
  const [merged, run] = [written('report.json'), readFileSync(whole, 'utf8')].map((text) => {
    const { verdict, counts, groups, checks } = JSON.parse(text) as Report;
    return { verdict, counts, groups, checks: checks.map(({ id, status }) => [id, status]) };
  });
  expect(merged).toEqual(run);
});

test('a part that is missing is undecided', async () => {
  const files = await runParts({ only: ['leads'] }, { only: ['email'] });
  const { code, text } = await report(...files);
  expect(code).toBe(3);
  expect(text).toMatch(
    /not everything could be tested: \d+ of \d+ checks undecided, because none of the merged/,
  );
});

test('what is no report, or of another deployment, is refused', async () => {
  const [first = '', second = ''] = await runParts({ only: ['email'] }, { only: ['leads'] });
  const file = join(directory, 'other.json');
  const said = async (content: object, ...others: string[]) => {
    writeFileSync(file, JSON.stringify(content));
    return await report(file, ...others);
  };
  const target = { kind: 'deployment', url: 'https://a.test' };
  const other = { ...JSON.parse(readFileSync(first, 'utf8')), target };
  for (const { code, text, reason } of [
    { ...(await said({ report_version: 1 })), reason: 'is not a report.json' },
    { ...(await said(other, second)), reason: 'on one deployment' },
    { ...(await report(join(directory, 'none.json'))), reason: 'does not exist' },
  ])
    expect([code, text]).toEqual([2, expect.stringContaining(reason)]);
});
