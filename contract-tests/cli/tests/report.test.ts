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

test('a stored run is rendered again, with its verdict', async () => {
  const [file = ''] = await runParts({});
  const { code, text } = await report(file, '--report', 'console,json,html,junit,markdown');
  expect(code).toBe(1);
  expect(text).toContain('does not conform');
  expect(written('report.json')).toBe(readFileSync(file, 'utf8'));
  expect(written('report.html')).toContain('templates.list.error');
  expect(written('junit.xml')).toContain('templates.list.error');
});

test('a run without findings is rendered into a directory that does not exist yet', async () => {
  const [file = ''] = await runParts({ only: ['templates.list.auth.*'] });
  expect((await report(file, '--report', 'junit')).code).toBe(0);
  expect(written('junit.xml')).toContain('templates.list.auth');
});

test('parts of a run add up to the whole', async () => {
  const files = await runParts({}, { only: ['templates', 'replies'] }, { skip: ['templates', 'replies'] });
  const [whole = '', ...parts] = files;
  const { code } = await report(...parts, '--report', 'json');
  expect(code).toBe(1);
  const [merged, run] = [written('report.json'), readFileSync(whole, 'utf8')].map(
    (text) => JSON.parse(text) as Report,
  );
  expect(merged?.verdict).toEqual(run?.verdict);
  expect(merged?.counts).toEqual(run?.counts);
  expect(merged?.groups).toEqual(run?.groups);
  expect(merged?.checks.map(({ id, status }) => [id, status])).toEqual(
    run?.checks.map(({ id, status }) => [id, status]),
  );
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
  const [first = ''] = await runParts({ only: ['email'] });
  const [second = ''] = await runParts({ only: ['leads'] });
  const other = join(directory, 'other.json');
  writeFileSync(other, '{"report_version":1}');
  expect(await report(other)).toMatchObject({
    code: 2,
    text: expect.stringContaining('is not a report.json'),
  });
  expect((await report(join(directory, 'none.json'))).text).toContain('does not exist');
  writeFileSync(
    other,
    JSON.stringify({
      ...JSON.parse(readFileSync(first, 'utf8')),
      target: { kind: 'deployment', url: 'https://a.test' },
    }),
  );
  expect(await report(other, second)).toMatchObject({
    code: 2,
    text: expect.stringContaining('on one deployment'),
  });
});
