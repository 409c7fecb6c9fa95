import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { checks } from '../checks/index.ts';
import { emptyResult, summarise } from '../runner/summary.ts';
import type { Status, Verdict } from '../runner/verdict.ts';
import { applyWaivers, fingerprintOf, readWaivers, type Waiver } from './waivers.ts';

const directory = temporaryDirectory();

const reading = (text: string): (() => unknown) => {
  const file = join(directory, 'waivers.yaml');
  writeFileSync(file, text);
  return () => readWaivers(file);
};

const verdict = (id: string, status: Status): Verdict => {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return { check, status };
};

describe('a file of waivers', () => {
  test('is a list of checks and reasons, in YAML or JSON', () => {
    const expected = [{ check: 'leads.add.message', reason: 'mended', intermittent: true }];
    const text = '- check: leads.add.message\n  reason: mended\n  intermittent: true\n';
    expect(reading(text)()).toEqual(expected);
    expect(reading(JSON.stringify(expected))()).toEqual(expected);
    expect(reading('# the last one is mended\n')()).toEqual([]);
  });

  test.each([
    ['check: leads.add.message', /must contain a list/],
    ['- reason: why', /waiver 1: "check" must be the id/],
    [
      '- check: leads.add.massage\n  reason: why',
      /no check or .* "leads.add.massage"; did you mean leads.add.message\?/,
    ],
    ['- check: leads.add.message\n  reason: " "', /"reason" must be a text/],
    ['- check: leads.add.message\n  reason: why\n  until: 2026-02-30', /"until" must be a day/],
    ['- check: leads.add.message\n  reason: why\n  by: me', /"by" is not a field/],
    ['- [', /waivers.*cannot be read: /],
  ])('is refused with the place: %j', (text, message) => {
    expect(reading(text)).toThrow(message);
  });
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

test.each<[Status, Status, exitCode: number, RegExp]>([
  ['fail', 'pass', 0, /^conforms, with 1 waived finding$/],
  [
    'pass',
    'fail',
    1,
    /^does not conform: 1 claim is broken; 1 waiver is no longer needed: leads\.add\.message$/,
  ],
  [
    'pass',
    'inconclusive',
    1,
    /^1 waiver is no longer needed: leads\.add\.message; 1 of 2 checks undecided, /,
  ],
])(
  'where a check with a waiver ends with %s, and another with %s, the exit code is %d',
  (first, other, exitCode, headline) => {
    const all = [verdict(waiver.check, first), verdict('leads.add.name', other)];
    const { verdicts, unused } = applyWaivers(all, [waiver], until);
    const summary = summarise({ ...emptyResult, verdicts }, false, unused);
    expect(summary).toMatchObject({ exitCode, headline: expect.stringMatching(headline) });
  },
);

test('the same change of a field that another check finds is waived too, and another change is not', () => {
  const failing = (id: string, expected: string, actual: string): Verdict => ({
    ...verdict(id, 'fail'),
    failure: { expected, actual },
  });
  const source = (text: string): string => `data.source unchanged: "${text}"`;
  const fingerprint = fingerprintOf(
    { id: 'leads.update.lasts-a-second' },
    { expected: source('z'), actual: '""' },
  );
  const { verdicts, unused } = applyWaivers(
    [
      failing('leads.update.keeps-other-fields', source('a'), '""'),
      failing('leads.update.own-reply', source('b'), '""'),
      failing('leads.update.lasts', 'data.note unchanged: "b"', '""'),
      failing('leads.delete.keeps-notes', source('c'), '7'),
      verdict('leads.update.lasts-a-second', 'pass'),
    ],
    [{ check: 'leads.update.lasts-a-second', fingerprint, reason: 'known' }],
    '2026-03-31',
  );
  expect(verdicts.map(({ waived }) => waived)).toEqual(['known', 'known', undefined, undefined, undefined]);
  expect(unused).toEqual([]);
});

describe('a fingerprint', () => {
  const check = { id: 'leads.update.lasts' };
  const of = (actual: string, expected = 'data.note unchanged: "a"', pointer?: string): string =>
    fingerprintOf(check, { expected, actual, ...(pointer === undefined ? {} : { pointer }) });

  test.each([
    ['"Contract test 1a2b-3c note"', '"Contract test 9f8e-7d note"'],
    ['"cut here', '"and \\" there"'],
    ['a different text of 27 characters', '"shown"'],
    ['refused: 422 lead 4711 is locked', 'refused: 422 lead 4712 is locked'],
  ])('is the same for %j and %j', (left, right) => expect(of(left)).toBe(of(right)));

  test.each([
    ['"text"', 'null'],
    ['"text"', 'gone: 404 not found'],
    ['7', '[7]'],
    ['refused: 422 locked', 'refused: 422 too long'],
  ])('is another one for %j and %j', (left, right) => expect(of(left)).not.toBe(of(right)));

  test('depends on the field, and not on the place in a list', () => {
    expect(of('"x"')).not.toBe(of('"x"', 'data.name unchanged: "a"'));
    expect(of('"x"', 'a', '/data/3/id')).toBe(of('"x"', 'a', '/data/12/id'));
    expect(of('"x"', 'a', '/data/3/id')).not.toBe(of('"x"', 'a', '/data/3/name'));
  });
});
