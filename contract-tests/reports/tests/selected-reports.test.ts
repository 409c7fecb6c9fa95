// The reports as one asks for them on the command line.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runContractCommand } from '../../cli/contract.ts';
import { runInProcess, temporaryDirectory } from '../../testing/command.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const run = (argv: readonly string[], environment = {}) =>
  runInProcess(runContractCommand, ['--report-dir', join(directory, 'out'), ...argv], environment);

const contract = (...argv: string[]) => run(['--only', 'templates.list.success', ...argv]);

const written = (name: string): string => readFileSync(join(directory, 'out', name), 'utf8');

test('without --report the run is reported on the console and nothing is written', async () => {
  const { code, text } = await contract();
  expect(code).toBe(0);
  expect(text).toContain('List templates');
  expect(existsSync(join(directory, 'out'))).toBe(false);
});

test.each([
  ['leads.update.success', []],
  ['email.send.success', ['§4.1']],
])('a run of %s names what nobody can observe of its own operations: %j', async (only, sections) => {
  const { code, text } = await run(['--only', only, '--report', 'console,json']);
  expect(code).toBe(0);
  const facts = /not observable from outside: (§.*)/.exec(text)?.[1] ?? '';
  expect(facts.match(/§[\d.]+/g) ?? []).toEqual(sections);
  expect(JSON.parse(written('report.json')).coverage.unobservable).toHaveLength(sections.length);
});

test('files are named, and where GitHub names a file for the summary, it gets the Markdown', async () => {
  const file = join(directory, 'step.md');
  const flags = ['--only', 'templates.list.success', '--report', 'json'];
  const { code, text } = await run(flags, { GITHUB_STEP_SUMMARY: file });
  expect(code).toBe(0);
  expect(text).toMatch(/Written: .*report\.json.*\nVerdict: conforms/);
  expect(readFileSync(file, 'utf8')).toMatch(/^## ✅ conforms/);
});

test('what failed is repeated, and a report without a failure is wrong usage', async () => {
  await contract('--report', 'json');
  const report = join(directory, 'report.json');
  const content = JSON.parse(written('report.json'));
  content.checks[0].status = 'inconclusive';
  writeFileSync(report, JSON.stringify(content));
  const repeated = await contract('--only-failed', report);
  expect(repeated.code).toBe(0);
  expect(repeated.text).toContain('ran 1 of 1 check:');
  content.checks[0].status = 'pass';
  writeFileSync(report, JSON.stringify(content));
  const nothing = await contract('--only-failed', report);
  expect(nothing.code).toBe(2);
  expect(nothing.text).toContain('nothing to repeat');
});

test('reports that only an earlier run wrote are named as such', async () => {
  expect((await contract('--report', 'junit,html,json')).text).not.toContain('earlier run');
  const { text } = await contract('--report', 'junit');
  const [line] = text.match(/^Of an earlier run, not of this one: .*$/m) ?? [];
  expect(line).toMatch(/: \S+report\.json, \S+report\.html$/);
});

test('a directory that cannot be written ends it before the run', async () => {
  mkdirSync(join(directory, 'out', 'junit.xml'), { recursive: true });
  const { code, text } = await contract('--report', 'junit');
  expect(code).toBe(2);
  expect(text).toMatch(
    /^email-leads: .*junit\.xml cannot be written: it is a directory; choose another place/,
  );
});

test('wrong usage leaves the reports of the run before', async () => {
  await contract('--report', 'junit');
  const before = written('junit.xml');
  for (const wrong of [
    ['--url', 'http://127.0.0.1:9'],
    ['--only', 'no.such.check'],
    ['--waivers', join(directory, 'none')],
  ])
    expect((await contract('--report', 'junit', ...wrong)).code).toBe(2);
  expect(written('junit.xml')).toBe(before);
});

test('a run that comes to nothing leaves reports that say so, not those of the run before', async () => {
  await contract('--report', 'junit');
  const argv = ['--url', 'http://127.0.0.1:9', '--report', 'console,junit,github'];
  const { code, text } = await run(argv, { EMAIL_LEADS_API_KEY: 'staging-key' });
  expect(code).toBe(3);
  expect(written('junit.xml')).toMatch(/<error message="could not test: /);
  expect(written('junit.xml')).not.toContain('staging-key');
  expect(text).toMatch(/^::error title=email-leads contract::could not test: /m);
});
