// The reports as one asks for them on the command line.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runContractCommand } from '../../cli/contract.ts';

let directory = '';
let printed: string[] = [];

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('EMAIL_LEADS_') || name.startsWith('GITHUB_')) vi.stubEnv(name, undefined);
  }
  directory = mkdtempSync(join(tmpdir(), 'email-leads-asked-for-'));
  printed = [];
  const keep = (text: unknown): boolean => printed.push(String(text)) > 0;
  vi.spyOn(console, 'log').mockImplementation(keep);
  vi.spyOn(console, 'error').mockImplementation(keep);
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const contract = (...argv: string[]): Promise<number> =>
  runContractCommand(['--only', 'templates.list', '--report-dir', join(directory, 'out'), ...argv]);

test('without --report the run is reported on the console and nothing is written', async () => {
  expect(await contract()).toBe(0);
  expect(printed.join('\n')).toContain('List templates');
  expect(existsSync(join(directory, 'out'))).toBe(false);
});

test.each([
  ['leads.update', []],
  ['email.send', ['§4.1']],
])('a run of %s names what nobody can observe of its own operations: %j', async (only, sections) => {
  const argv = ['--only', only, '--report', 'console,json', '--report-dir', join(directory, 'out')];
  expect(await runContractCommand(argv)).toBe(0);
  const facts = /not observable from outside: (§.*)/.exec(printed.join('\n'))?.[1] ?? '';
  expect(facts.match(/§[\d.]+/g) ?? []).toEqual(sections);
  const { coverage } = JSON.parse(readFileSync(join(directory, 'out', 'report.json'), 'utf8'));
  expect(coverage.unobservable).toHaveLength(sections.length);
});

test('files are written and named, and the verdict is said', async () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(directory, 'step.md'));
  expect(await contract('--report', 'json,junit', '--report', 'html,markdown')).toBe(0);
  const files = ['junit.xml', 'report.html', 'report.json', 'report.schema.json', 'summary.md'];
  expect(readdirSync(join(directory, 'out')).sort()).toEqual(files);
  expect(printed.join('\n')).toMatch(/Written: .*report\.json.*\nVerdict: conforms/);
  expect(readFileSync(join(directory, 'step.md'), 'utf8')).toMatch(/^## ✅ conforms/);
});

test('where GitHub names a file for the summary, it gets the Markdown, whatever else is asked for', async () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(directory, 'step.md'));
  expect(await contract()).toBe(0);
  expect(readFileSync(join(directory, 'step.md'), 'utf8')).toMatch(/^## ✅ conforms/);
});

test('what failed is repeated, and a report without a failure is wrong usage', async () => {
  await contract('--report', 'json');
  const report = join(directory, 'report.json');
  const content = JSON.parse(readFileSync(join(directory, 'out', 'report.json'), 'utf8'));
  content.checks[0].status = 'inconclusive';
  writeFileSync(report, JSON.stringify(content));
  printed = [];
  expect(await contract('--only-failed', report)).toBe(0);
  expect(printed.join('\n')).toContain('ran 1 of 1 check:');
  content.checks[0].status = 'pass';
  writeFileSync(report, JSON.stringify(content));
  expect(await contract('--only-failed', report)).toBe(2);
  expect(printed.join('\n')).toContain('nothing to repeat');
});

test.each([
  [
    'a name that is none',
    ['--report', 'junit,xml'],
    /^email-leads: there is no report "xml"; there are console, /,
  ],
  ['no name', ['--report', ''], /--report/],
])('%s is wrong usage', async (_, argv, message) => {
  expect(await contract(...argv)).toBe(2);
  expect(printed.join('\n')).toMatch(message);
});

test('reports that only an earlier run wrote are named as such', async () => {
  await contract('--report', 'junit,html,json');
  expect(printed.join('\n')).not.toContain('earlier run');
  printed = [];
  await contract('--report', 'junit');
  const [line] = printed.join('\n').match(/^Of an earlier run, not of this one: .*$/m) ?? [];
  expect(line).toMatch(/: \S+report\.json, \S+report\.html$/);
  printed = [];
  await contract('--report', 'console');
  expect(printed.join('\n')).not.toContain('earlier run');
});

test('a directory that cannot be written ends it before the run', async () => {
  writeFileSync(join(directory, 'out'), 'in the way');
  expect(await contract('--report', 'junit')).toBe(2);
  expect(printed).toHaveLength(1);
  expect(printed[0]).toMatch(/^email-leads: the reports cannot be written to .*out: EEXIST/);
});

test('wrong usage leaves the reports of the run before', async () => {
  await contract('--report', 'junit');
  const before = readFileSync(join(directory, 'out', 'junit.xml'), 'utf8');
  expect(await contract('--report', 'junit', '--url', 'http://127.0.0.1:9')).toBe(2);
  expect(await contract('--report', 'junit', '--only', 'no.such.check')).toBe(2);
  expect(await contract('--report', 'junit', '--waivers', join(directory, 'none'))).toBe(2);
  expect(readFileSync(join(directory, 'out', 'junit.xml'), 'utf8')).toBe(before);
});

test('a run that comes to nothing leaves reports that say so, not those of the run before', async () => {
  await contract('--report', 'junit');
  vi.stubEnv('EMAIL_LEADS_API_KEY', 'staging-key');
  expect(await contract('--url', 'http://127.0.0.1:9', '--report', 'console,junit,github')).toBe(3);
  const junit = readFileSync(join(directory, 'out', 'junit.xml'), 'utf8');
  expect(junit).toMatch(/<error message="could not test: /);
  expect(junit).not.toContain('staging-key');
  expect(printed.join('\n')).toMatch(/^::error title=email-leads contract::could not test: /m);
});
