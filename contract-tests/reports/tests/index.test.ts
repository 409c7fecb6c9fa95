import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../mock/testing/temporary-directory.ts';
import { ConfigurationError } from '../../client/errors.ts';
import { calmReport, hostileReport } from '../../testing/hostile-report.ts';
import { expectReportsWritable, parseKinds, removeReports, reportKinds, writeReports } from '../index.ts';

let directory = '';
beforeEach(() => {
  directory = temporaryDirectory();
});

test.each([
  [[], ['console']],
  [['json'], ['json']],
  [
    ['html, json', 'console'],
    ['console', 'json', 'html'],
  ],
  [['junit,junit'], ['junit']],
])('%j names %j', (lists, kinds) => {
  expect(parseKinds(lists)).toEqual(kinds);
});

test.each([['xml'], ['json,'], [''], ['constructor'], ['JSON']])('there is no report "%s"', (list) => {
  expect(() => parseKinds([list])).toThrow(
    /^there is no report ".*"; there are console, json, junit, html, markdown, github$/,
  );
});

const plain = { isQuiet: false, isColoured: false };

test('every kind is written where it belongs', async () => {
  const target = join(directory, 'deep/er');
  expectReportsWritable(reportKinds, target);
  const printed: string[] = [];
  const stepSummary = join(directory, 'step');
  writeFileSync(stepSummary, 'before\n');
  const places = {
    ...plain,
    directory: target,
    stepSummary,
    write: (text: string) => void printed.push(text),
  };
  const files = await writeReports(hostileReport, reportKinds, places);
  const output = printed.join('');
  const names = ['junit.xml', 'report.html', 'report.json', 'report.schema.json', 'summary.md'];
  expect(readdirSync(target).sort()).toEqual(['replay', ...names].toSorted());
  expect(files.toSorted()).toEqual(names.map((name) => join(target, name)));
  expect(output).toContain('Verdict: ');
  expect(output).toMatch(/^::error title=fail leads\.add\.name \(section 4\.5 of /m);
  expect(readFileSync(stepSummary, 'utf8')).toBe(
    `before\n${readFileSync(join(target, 'summary.md'), 'utf8')}`,
  );
});

test('a link in the place of a report or of the scripts is replaced, and what it leads to stays', async () => {
  const [own, foreign] = ['reports', 'foreign'].map((name) => join(directory, name)) as [string, string];
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
  removeReports(['json'], own);
  expect(readdirSync(own)).toEqual([]);
  link();
  await writeReports(hostileReport, ['json'], { ...plain, directory: own, write: () => undefined });
  expect(others.map((file) => readFileSync(file, 'utf8'))).toEqual(['foreign', 'foreign']);
  expect(readdirSync(foreign)).toHaveLength(2);
});

test('a report of an earlier run is taken away, and only that', () => {
  writeFileSync(join(directory, 'junit.xml'), 'old');
  writeFileSync(join(directory, 'mine.txt'), 'mine');
  expectReportsWritable(['junit'], directory);
  expect(readdirSync(directory)).toEqual(['junit.xml', 'mine.txt']);
  removeReports(['junit'], directory);
  expect(readdirSync(directory)).toEqual(['mine.txt']);
});

test('the verdict is printed even where the files cannot be written', async () => {
  const printed: string[] = [];
  const write = (text: string): void => void printed.push(text);
  const places = { ...plain, directory: join(directory, 'none'), write };
  await expect(writeReports(calmReport, ['console', 'json'], places)).rejects.toThrow(ConfigurationError);
  expect(printed.join('')).toContain('Verdict: conforms');
});
