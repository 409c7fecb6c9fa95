import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Report, runContract } from '../../library/index.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { jsonReport } from '../../reports/index.ts';
import type { Report as JsonReport } from '../../reports/report.ts';
import { key, runInProcess, serve, temporaryDirectory } from '../../testing/command.ts';
import { readWaivers } from '../../waivers/waivers.ts';
import { addWaivers, runWaiveCommand } from '../waive.ts';

const id = 'templates.list.error';
let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

/** The report on a service whose list of templates has this error. */
const runWith = async (error: unknown, waivers?: string): Promise<Report> => {
  const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, error })));
  const read = waivers === undefined ? {} : { waivers: readWaivers(waivers) };
  return runContract({ url, apiKey: key, only: ['templates.list.error', 'templates.list.success'], ...read });
};

const waive = async (report: Report, ...argv: string[]) => {
  const file = join(directory, 'report.json');
  const waivers = join(directory, 'waivers.json');
  writeFileSync(file, jsonReport(report.json as JsonReport));
  return { ...(await runInProcess(runWaiveCommand, [file, '--waivers', waivers, ...argv])), waivers };
};

const terms = ['--reason', 'known', '--until', '9999-12-31'];

test('a red baseline turns green, and another difference of the same check is red', async () => {
  const before = await runWith(7);
  expect(before.exitCode).toBe(1);
  const { code, text, waivers } = await waive(before, ...terms);
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(`waived: ${id}: `) });
  expect(await runWith(7, waivers)).toMatchObject({
    exitCode: 0,
    verdict: expect.stringContaining('1 waived finding'),
  });
  const other = await runWith({ code: 7 }, waivers);
  expect(other.findings.map((finding) => finding.id)).toEqual([id]);
  expect(other.exitCode).toBe(1);
  expect(JSON.stringify(other.json)).toContain('for another difference (');
  expect((await waive(other, id, ...terms)).code).toBe(0);
  expect((await runWith({ code: 7 }, waivers)).exitCode).toBe(0);
});

test('says what is missing', async () => {
  const broken = await runWith(7);
  for (const [argv, message] of [
    [['--until', '9999-12-31'], '--reason is required'],
    [['--reason', 'known'], '--until is required'],
    [['leads.add.message', ...terms], `the report has no finding of leads.add.message; it has ${id}`],
  ] as const) {
    const { code, text } = await waive(broken, ...argv);
    expect({ code, text }).toMatchObject({ code: 2, text: expect.stringContaining(message) });
  }
  const { code, text } = await waive(await runWith(''), ...terms);
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Nothing to waive') });
});

describe('adding waivers to a file', () => {
  const one = { check: 'leads.add.message', fingerprint: 'abc', reason: 'known', until: '2027-01-31' };
  const fileWith = (name: string, text?: string): string => {
    const file = join(directory, name);
    if (text !== undefined) writeFileSync(file, text);
    return file;
  };

  test.each(['new.json', 'new.yaml'])('creates %s, and replaces the waiver of one difference', (name) => {
    const file = fileWith(name);
    const other = { ...one, fingerprint: 'def' };
    addWaivers(file, [one, other]);
    addWaivers(file, [{ ...one, reason: 'still known' }]);
    expect(readWaivers(file)).toEqual([{ ...one, reason: 'still known' }, other]);
  });

  test('keeps the comments and the other waivers of a YAML file', () => {
    const file = fileWith(
      'old.yaml',
      '# agreed with the team\n- check: leads.update\n  reason: why # ask Ops\n',
    );
    addWaivers(file, [one]);
    expect(readFileSync(file, 'utf8')).toBe(
      '# agreed with the team\n- check: leads.update\n  reason: why # ask Ops\n- check: leads.add.message\n  fingerprint: abc\n  reason: known\n  until: 2027-01-31\n',
    );
  });

  test('leaves a file that is no list of waivers as it is', () => {
    const file = fileWith('notes.json', '{"my": "notes"}');
    expect(() => addWaivers(file, [one])).toThrow('must contain a list of waivers');
    expect(readFileSync(file, 'utf8')).toBe('{"my": "notes"}');
  });
});
