import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { hostileReport } from '../../testing/hostile-report.ts';
import { consoleReport } from '../console.ts';
import type { Report } from '../report.ts';

const written = (report: Report, isColoured: boolean): string =>
  consoleReport(report, new Map(), { isQuiet: false, isColoured });

test.each([
  ['a documented fact', '\u001b[1m\u001b[31mFAIL leads.add.name\u001b[39m\u001b[22m  §4.5, documented'],
  ['a derived fact', '\u001b[1m\u001b[33mWARN leads.add.keeps-texts\u001b[39m\u001b[22m  §4.5, derived'],
  ['a known finding', '\u001b[90mWAIVED leads.add.note\u001b[39m  §4.5, documented'],
  [
    'an unstable check',
    '\u001b[1m\u001b[33mUNSTABLE leads.add.created-at\u001b[39m\u001b[22m  §4.5, documented',
  ],
  ['drift', '\u001b[1m\u001b[35mDRIFT lead.duplicate\u001b[39m\u001b[22m  §2.3, pinned'],
  ['an operation', '\u001b[31m  ✗\u001b[39m Add lead'],
])('the first line of %s has its colour', (_, line) => {
  expect(`\n${written(hostileReport, true)}`).toContain(`\n${line}`);
});

test('nothing else has one: what a deployment says is the same without colours', () => {
  const coloured = written(hostileReport, true);
  expect(stripVTControlCharacters(coloured)).toBe(written(hostileReport, false));
  const evidence = coloured.split('\n').filter((line) => / (expected|actual|replay): /.test(line));
  expect(evidence.filter((line) => line.includes('\u001b'))).toEqual([]);
});
