import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { escapeInvisible } from '../../../mock/contract/shown-text.ts';
import { UsageError } from '../../../mock/contract/system-errors.ts';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { useDirectory } from '../../../mock/testing/temporary.ts';
import { runContractCommand } from '../../cli/contract.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { consoleReport } from '../console.ts';
import { githubReport, markdownReport } from '../github.ts';
import { htmlReport } from '../html.ts';
import { prepareReports } from '../index.ts';
import { junitReport } from '../junit.ts';
import type { Report } from '../report.ts';

// What the reports for people have in common, and those on a terminal and in Markdown.

const onConsole = (report: Report, isColoured = true): string =>
  consoleReport(report, new Map(), { isQuiet: false, isColoured });

const forPeople = { console: onConsole, github: githubReport, html: htmlReport, markdown: markdownReport };

test.each(Object.entries({ ...forPeople, junit: junitReport }))(
  'drift has answers and evidence: %s',
  (_, render) => {
    const text = render(hostileReport);
    for (const part of [/pinned\W.*accepted/is, /now\W.*merged/is, /evidence\W/i, /curl -X POST/])
      expect(text).toMatch(part);
  },
);

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

test.each(Object.entries(forPeople))('of two pinned answers that changed, each is shown: %s', (_, render) => {
  const [drift] = hostileReport.answers;
  const answers = ['lead.email', 'lead.list'].map((question) => ({ ...drift, question, evidence: question }));
  const text = render({ ...calmReport, answers } as Report).replace(/<table[\s\S]*/, '');
  for (const { evidence } of answers)
    expect(text).toMatch(new RegExp(`evidence\\W[^]{0,40}${evidence}`, 'i'));
  expect(text).not.toMatch(/same cause|1 changed/);
});

test.each(Object.entries(forPeople))('checks with one reason are shown together: %s', (_, render) => {
  const [undecided] = hostileReport.checks.filter(({ status }) => status === 'inconclusive');
  const checks = ['a.b', 'a.c', 'a.d'].map((id) => ({ ...undecided, id, reason: 'gateway: 503' }));
  const text = render({ ...calmReport, checks, groups: [] } as Report);
  const reasons = text.replace(/<table[\s\S]*/, '').match(/gateway: 503/g);
  expect(reasons).toHaveLength(1);
  for (const { id } of checks) expect(text).toContain(id);
});

test('on a terminal the first lines of findings have colours, and what a deployment says has none', () => {
  const coloured = onConsole(hostileReport);
  for (const line of [
    '\u001b[1m\u001b[31mFAIL leads.add.name\u001b[39m\u001b[22m  §4.5, documented',
    '\u001b[1m\u001b[33mWARN leads.add.keeps-texts\u001b[39m\u001b[22m  §4.5, derived',
    '\u001b[90mWAIVED leads.add.note\u001b[39m  §4.5, documented',
    '\u001b[1m\u001b[33mUNSTABLE leads.add.created-at\u001b[39m\u001b[22m  §4.5, documented',
    '\u001b[1m\u001b[35mDRIFT lead.duplicate\u001b[39m\u001b[22m  §2.3, pinned',
    '\u001b[1m\u001b[31m  ✗\u001b[39m\u001b[22m Add lead',
  ])
    expect(`\n${coloured}`).toContain(`\n${line}`);
  expect(stripVTControlCharacters(coloured)).toBe(onConsole(hostileReport, false));
  const evidence = coloured.split('\n').filter((line) => / (expected|actual|replay): /.test(line));
  expect(evidence.filter((line) => line.includes('\u001b'))).toEqual([]);
});

test('--quiet has one line for a waived finding, and the others in full', () => {
  const all = consoleReport(hostileReport, new Map(), { isQuiet: true, isColoured: false });
  expect(all).toMatch(/\nWAIVED leads\.add\.note {2}§4\.5, documented\n(?! )/);
  expect(all).toMatch(/\nWARN leads\.add\.keeps-texts .*\n {2}leads\.add\.keeps-texts holds\n/);
});

test('of many leads that are left the first ones are named', () => {
  const leftovers = Array.from({ length: 57 }, (_, at) => ({ lead_id: `L${at}`, curl: `curl /L${at}` }));
  const text = onConsole({ ...calmReport, leftovers }, false);
  expect(text).toMatch(/57 leads of this run may be left\. .*\n {2}curl \/L0\n/);
  expect(text).toContain('\n  curl /L9\n  … and 47 more\n');
});

test('Markdown names the replay scripts that were written, and contains the others', () => {
  const scripts = new Map([['leads.add.name', 'reports/replay/leads.add.name.sh']]);
  const summary = markdownReport(hostileReport, scripts);
  expect(summary).toContain('\n```sh\nsh reports/replay/leads.add.name.sh\n```\n');
  const scriptsIn = (text: string): number => text.match(/^#!\/bin\/sh$/gm)?.length ?? 0;
  expect(scriptsIn(summary)).toBe(scriptsIn(markdownReport(hostileReport)) - 1);
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
  expect(markdownReport(calmReport)).not.toMatch(/Findings|details|deleted/);
});

test('Markdown fits into a job summary', () => {
  const [, finding] = hostileReport.checks;
  const checks = Array.from({ length: 100 }, (_, at) => ({ ...finding, id: `leads.add.x-${at}` }));
  const groups = checks.map(({ id }) => ({ ...hostileReport.groups[0], checks: [id] }));
  const long = markdownReport({ ...hostileReport, checks, groups } as Report);
  expect(Buffer.byteLength(long)).toBeLessThan(500_000);
  expect(long).toContain('and 70 more');
});

// The reports as one asks for them on the command line.

const fileOf = useDirectory();

const run = (argv: readonly string[], environment = {}) =>
  runInProcess(runContractCommand, ['--report-dir', fileOf('out'), ...argv], environment);

const only = ['--only', 'templates.list.success'];
const contract = (...argv: string[]) => run([...only, ...argv]);

const written = (name: string): string => readFileSync(fileOf('out', name), 'utf8');

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

const output = { isQuiet: false, isColoured: false, note: () => undefined, write: () => undefined };

test('a link in the place of a report or of the scripts is replaced, and what it leads to stays', () => {
  const [own, foreign] = [fileOf('reports'), fileOf('foreign')];
  for (const name of [own, foreign]) mkdirSync(name);
  const others = ['report.json', 'leads.add.name.sh'].map((name) => join(foreign, name));
  for (const file of others) writeFileSync(file, 'foreign');
  const link = (): void => {
    for (const name of ['report.json', 'replay']) {
      rmSync(join(own, name), { force: true, recursive: true });
      symlinkSync(join(foreign, name === 'replay' ? '.' : name), join(own, name));
    }
  };
  link();
  const reports = prepareReports(['json'], own, output);
  reports.begin();
  expect(readdirSync(own)).toEqual([]);
  link();
  reports.deliver(hostileReport);
  expect(others.map((file) => readFileSync(file, 'utf8'))).toEqual(['foreign', 'foreign']);
  expect(readdirSync(foreign)).toHaveLength(2);
});

test('the verdict is printed even where the files cannot be written', () => {
  const printed: string[] = [];
  const write = (text: string): void => void printed.push(text);
  const reports = prepareReports(['console', 'json'], fileOf('none'), { ...output, write });
  rmSync(fileOf(), { recursive: true });
  writeFileSync(fileOf(), '');
  expect(() => reports.deliver(calmReport)).toThrow(UsageError);
  expect(printed.join('')).toContain('Verdict: conforms');
});

test('what failed is repeated, and a report without a failure is wrong usage', async () => {
  await contract('--report', 'json');
  const report = fileOf('report.json');
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

test('reports of an earlier run stay where the usage is wrong, and are replaced by a run that comes to nothing', async () => {
  await contract('--report', 'junit');
  const before = written('junit.xml');
  for (const wrong of ['--url=http://127.0.0.1:9', `--waivers=${fileOf('none')}`])
    expect((await contract('--report', 'junit', wrong)).code).toBe(2);
  expect(written('junit.xml')).toBe(before);
  const argv = ['--url', 'http://127.0.0.1:9', '--report', 'console,junit,github'];
  const { code, text } = await run(argv, { EMAIL_LEADS_API_KEY: 'staging-key' });
  expect(code).toBe(3);
  expect(written('junit.xml')).toMatch(/<error message="could not test: /);
  expect(written('junit.xml')).not.toContain('staging-key');
  expect(text).toMatch(/^::error title=email-leads contract::could not test: /m);
});
