import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { temporaryDirectory, temporaryFile } from '../../../mock/testing/temporary.ts';
import { type Report, runContract } from '../../library/index.ts';
import { inBody } from '../../proof/server/mutation.ts';
import { jsonReport } from '../../reports/index.ts';
import type { Report as JsonReport } from '../../reports/report.ts';
import { emptyResult, summarise } from '../../runner/summary.ts';
import type { Status, Verdict } from '../../runner/verdict.ts';
import { key, serve } from '../../testing/command.ts';
import { checkNamed } from '../../testing/run-on.ts';
import { applyWaivers, fingerprintOf, readWaivers, type Waiver } from '../../waivers/waivers.ts';
import { addWaivers, runWaiveCommand } from '../waive.ts';

const waivers = join(temporaryDirectory(), 'waivers.json');

const reading = (text: string) => (): unknown => readWaivers(temporaryFile(text, 'waivers.yaml'));

const verdict = (id: string, status: Status): Verdict => ({ check: checkNamed(id), status });

test('a file of waivers is a list of checks and reasons, in YAML or JSON', () => {
  const expected = [{ check: 'leads.add.message', reason: 'mended', intermittent: true }];
  const text = '- check: leads.add.message\n  reason: mended\n  intermittent: true\n';
  expect(reading(text)()).toEqual(expected);
  expect(reading(JSON.stringify(expected))()).toEqual(expected);
  expect(reading('# the last one is mended\n')()).toEqual([]);
});

test.each([
  ['check: leads.add.message', /must contain a list/],
  ['- reason: why', /waiver 1: "check" must be the id/],
  ['- leads.add.message', /waiver 1: "check" must be the id/],
  ['- check: leads.add.massage\n  reason: why', /"leads.add.massage"; did you mean leads.add.message\?/],
  ['- check: leads.add.message\n  reason: " "', /"reason" must be a text/],
  ['- check: leads.add.message\n  reason: why\n  until: 2026-02-30', /"until" must be a day/],
  ['- check: leads.add.message\n  reason: why\n  by: me', /"by" is not a field/],
  ['- [', /waivers.*cannot be read: /],
])('a file of waivers is refused with the place: %j', (text, message) => {
  expect(reading(text)).toThrow(message);
});

const waiver = { check: 'leads.add.message', reason: 'known' };
const until = '2026-03-31';
const waived = { waived: 'known' };

test.each<[string, Partial<Waiver>, Status, object | undefined, unused: string[], today?: string]>([
  ['shows a finding as waived', {}, 'fail', waived, []],
  ['is needed by a check that passes only after a retry', {}, 'unstable', waived, []],
  ['is no longer needed', {}, 'pass', undefined, [waiver.check]],
  ['stays where a run does not see an intermittent finding', { intermittent: true }, 'pass', undefined, []],
  ['is neither used nor unused where its check did not run', {}, 'skipped', undefined, []],
  ['names all checks of a group', { check: 'leads.add' }, 'fail', waived, []],
  ['names no group by a part of its name', { check: 'leads.a' }, 'fail', undefined, []],
  ['may be a pattern', { check: 'leads.add.m*' }, 'warn', waived, []],
  ['applies on its last day', { until }, 'fail', waived, [], until],
  ['does not apply after it', { until }, 'fail', { waiverNote: `expired after ${until}: known` }, []],
  ['is not missed after it', { until }, 'pass', undefined, []],
])('a waiver %s', (_name, changes, status, shown = {}, unused, today = '2026-04-01') => {
  const subject = verdict(waiver.check, status);
  const applied = applyWaivers([subject], [{ ...waiver, ...changes }], today);
  expect(applied).toEqual({ verdicts: [{ ...subject, ...shown }], unused });
});

const unneeded = '1 waiver is no longer needed: leads\\.add\\.message';

test.each<[Status, Status, exitCode: number, RegExp]>([
  ['fail', 'pass', 0, /^conforms, with 1 waived finding$/],
  ['pass', 'fail', 1, new RegExp(`^does not conform: 1 claim is broken; ${unneeded}$`)],
  ['pass', 'inconclusive', 1, new RegExp(`^${unneeded}; 1 of 2 checks undecided, `)],
])('a check with a waiver ends with %s, another with %s: %d', (first, other, exitCode, headline) => {
  const all = [verdict(waiver.check, first), verdict('leads.add.name', other)];
  const { verdicts, unused } = applyWaivers(all, [waiver], until);
  const summary = summarise({ ...emptyResult, verdicts }, false, unused);
  expect(summary).toMatchObject({ exitCode, headline: expect.stringMatching(headline) });
});

const check = { id: 'leads.update.lasts' };
const of = (actual: string, pointer = '/data/note'): string =>
  fingerprintOf(check, { expected: 'a', actual, pointer });

test.each([
  ['"Contract test 1a2b-3c note"', '"Contract test 9f8e-7d note"', true],
  ['"cut here', '"and \\" there"', true],
  ['a different text of 27 characters', '"shown"', true],
  ['refused: 422 lead 4711 is locked', 'refused: 422 lead 4712 is locked', true],
  ['"text"', 'null', false],
  ['"text"', 'gone: 404 not found', false],
  ['7', '[7]', false],
  ['refused: 422 locked', 'refused: 422 too long', false],
])('%j and %j have the same fingerprint: %j', (left, right, isSame) => {
  expect(of(left) === of(right)).toBe(isSame);
});

test('a fingerprint depends on the field, and not on the place in a list', () => {
  expect(of('"x"')).not.toBe(of('"x"', '/data/name'));
  expect(of('"x"', '/data/3/id')).toBe(of('"x"', '/data/12/id'));
  expect(of('"x"', '/data/3/id')).not.toBe(of('"x"', '/data/3/name'));
});

const id = 'templates.list.error';

/** The report on a service whose list of templates has this error. */
const runWith = async (error: unknown, waivers?: string): Promise<Report> => {
  const { url } = await serve(inBody('listTemplates', (body) => ({ ...body, error })));
  const read = waivers === undefined ? {} : { waivers: readWaivers(waivers) };
  return runContract({ url, apiKey: key, only: ['templates.list.error', 'templates.list.success'], ...read });
};

const waive = async (report: Report, ...argv: string[]) => {
  const file = temporaryFile(jsonReport(report.json as JsonReport), 'report.json');
  return runInProcess(runWaiveCommand, [file, '--waivers', waivers, ...argv]);
};

const terms = ['--reason', 'known', '--until', '9999-12-31'];

test('a red baseline turns green, and another difference of the same check is red', async () => {
  const before = await runWith(7);
  expect(before.exitCode).toBe(1);
  const said = { code: 0, text: expect.stringContaining(`waived: ${id}: `) };
  expect(await waive(before, ...terms)).toMatchObject(said);
  const verdict = expect.stringContaining('1 waived finding');
  expect(await runWith(7, waivers)).toMatchObject({ exitCode: 0, verdict });
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
    [['--reason', 'known'], '--until must be the last day'],
    [['--reason', 'known', '--until', '31.1.2027'], '--until must be the last day'],
    [['--reason', 'known', '--until', '2027-02-30'], '--until must be the last day'],
    [['--reason', 'known', '--until', '2020-01-01'], '2020-01-01 is over'],
    [['leads.add.message', ...terms], `the report has no finding of leads.add.message; it has ${id}`],
  ] as const) {
    const { code, text } = await waive(broken, ...argv);
    expect({ code, text }).toMatchObject({ code: 2, text: expect.stringContaining(message) });
  }
  const { code, text } = await waive(await runWith(''), ...terms);
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Nothing to waive') });
});

const one = { check: 'leads.add.message', fingerprint: 'abc', reason: 'known', until: '2027-01-31' };
test.each(['new.json', 'new.yaml'])('adding waivers creates %s, or replaces an earlier one', (name) => {
  const file = join(temporaryDirectory(), name);
  const other = { ...one, fingerprint: 'def' };
  addWaivers(file, [one, other]);
  addWaivers(file, [{ ...one, reason: 'still known' }]);
  expect(readWaivers(file)).toEqual([{ ...one, reason: 'still known' }, other]);
});

test('adding waivers keeps the comments and the other waivers of a YAML file, and a file that is no list of waivers', () => {
  const text = '# agreed\n- check: leads.update\n  reason: why # ask Ops\n';
  const [file, notes] = [temporaryFile(text, 'old.yaml'), temporaryFile('{"my": "notes"}')];
  addWaivers(file, [one]);
  const added = '- check: leads.add.message\n  fingerprint: abc\n  reason: known\n  until: 2027-01-31\n';
  expect(readFileSync(file, 'utf8')).toBe(text + added);
  expect(() => addWaivers(notes, [one])).toThrow('must contain a list of waivers');
  expect(readFileSync(notes, 'utf8')).toBe('{"my": "notes"}');
});
