import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calmReport, hostileReport } from './hostile.ts';
import { parseKinds, prepareDirectory, reportKinds, writeReports } from './index.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'email-leads-reports-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

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

test.each([['xml'], ['json,'], ['constructor'], ['JSON']])('there is no report "%s"', (list) => {
  expect(() => parseKinds([list])).toThrow(
    /^there is no report ".*"; there are console, json, junit, html, markdown, github$/,
  );
});

test('every kind is written where it belongs', async () => {
  const target = join(directory, 'deep/er');
  prepareDirectory(reportKinds, target);
  const { output, files } = await writeReports(hostileReport, reportKinds, target);
  expect(readdirSync(target).sort()).toEqual([
    'junit.xml',
    'report.html',
    'report.json',
    'report.schema.json',
    'summary.md',
  ]);
  expect(files.map((file) => existsSync(file))).toEqual([true, true, true, true, true]);
  expect(output).toContain('Verdict: ');
  expect(output).toMatch(/^::error file=openapi\.yaml,line=\d+,/m);
});

test('without files there is no directory', async () => {
  const target = join(directory, 'none');
  prepareDirectory(['console', 'github'], target);
  expect(await writeReports(calmReport, ['console', 'github'], target)).toMatchObject({ files: [] });
  expect(existsSync(target)).toBe(false);
});

test('a report of an earlier run is taken away, and only that', () => {
  writeFileSync(join(directory, 'junit.xml'), 'old');
  writeFileSync(join(directory, 'mine.txt'), 'mine');
  prepareDirectory(['junit'], directory);
  expect(readdirSync(directory)).toEqual(['mine.txt']);
});

test.each([
  ['the directory is a file', (place: string) => writeFileSync(place, '')],
  ['the report is a directory', (place: string) => mkdirSync(join(place, 'junit.xml'), { recursive: true })],
])('it is said before the run that %s', (_, spoil) => {
  const place = join(directory, 'reports');
  spoil(place);
  expect(() => prepareDirectory(['junit'], place)).toThrow(/^the reports cannot be written to .*reports: /);
});

test('the key that no report may hold is in none', async () => {
  await writeReports(hostileReport, reportKinds, directory);
  for (const file of readdirSync(directory)) {
    expect(readFileSync(join(directory, file), 'utf8'), file).not.toMatch(
      /Bearer (?!\$EMAIL_LEADS_API_KEY)\S/,
    );
  }
});
