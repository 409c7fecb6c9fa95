import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { checks } from '../checks/index.ts';
import { emptyResult, summarise } from '../runner/summary.ts';
import type { Status, Verdict } from '../runner/verdict.ts';
import { fingerprintOf } from './fingerprint.ts';
import { applyWaivers, readWaivers } from './waivers.ts';
import { addWaivers } from './waivers-file.ts';

const directory = temporaryDirectory();

const reading = (text: string): (() => unknown) => {
  const file = join(directory, 'waivers.yaml');
  writeFileSync(file, text);
  return () => readWaivers(file, checks);
};

const verdict = (id: string, status: Status): Verdict => {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return { check, status };
};

const concluded = (verdicts: readonly Verdict[], unused: readonly string[] = []) =>
  summarise({ ...emptyResult, verdicts }, false, unused);

describe('a file of waivers', () => {
  test('is a list of checks and reasons, in YAML or JSON', () => {
    const expected = [{ check: 'leads.add.message', reason: 'mended in March' }];
    expect(reading('- check: leads.add.message\n  reason: mended in March\n')()).toEqual(expected);
    expect(reading(JSON.stringify(expected))()).toEqual(expected);
  });

  test.each(['', '# the last one is mended\n', '[]'])('may be empty: %j', (text) => {
    expect(reading(text)()).toEqual([]);
  });

  test.each([
    ['check: leads.add.message', /must contain a list/],
    ['- reason: why', /waiver 1: "check" must be the id/],
    [
      '- check: leads.add.massage\n  reason: why',
      /there is no check or group of checks "leads.add.massage"; did you mean leads.add.message\?/,
    ],
    ['- check: leads.add.message', /needs a "reason"/],
    ['- check: leads.add.message\n  reason: " "', /needs a "reason"/],
    ['- check: leads.add.message\n  reason: why\n  until: May', /"until" must be a day/],
    ['- check: leads.add.message\n  reason: why\n  until: 2026-02-30', /"until" must be a day/],
    ['- check: leads.add.message\n  reason: why\n  by: me', /"by" is not a field/],
    [
      '- check: leads.add.message\n  reason: why\n  intermittent: often',
      /"intermittent" must be true or false/,
    ],
    ['- [', /waivers.*cannot be read: /],
  ])('is refused with the place: %j', (text, message) => {
    expect(reading(text)).toThrow(message);
  });
});

describe('a waiver', () => {
  const waivers = [{ check: 'leads.add.message', reason: 'known' }];

  test('keeps a finding from failing the run, and shows it', () => {
    const { verdicts, unused } = applyWaivers([verdict('leads.add.message', 'fail')], waivers, '2026-03-31');
    expect(verdicts[0]).toMatchObject({ status: 'fail', waived: 'known' });
    expect(concluded(verdicts, unused)).toMatchObject({ exitCode: 0, counts: { waived: 1, fail: 0 } });
  });

  test('that is no longer needed fails the run', () => {
    const { verdicts, unused } = applyWaivers([verdict('leads.add.message', 'pass')], waivers, '2026-03-31');
    expect(unused).toEqual(['leads.add.message']);
    expect(concluded(verdicts, unused).exitCode).toBe(1);
  });

  test('of a check that passes only after a retry is needed', () => {
    const { verdicts, unused } = applyWaivers(
      [verdict('leads.add.message', 'unstable')],
      waivers,
      '2026-03-31',
    );
    expect(unused).toEqual([]);
    expect(verdicts[0]).toMatchObject({ status: 'unstable', waived: 'known' });
    expect(concluded([...verdicts, verdict('leads.add.name', 'pass')], unused)).toMatchObject({
      exitCode: 0,
      headline: 'conforms, with 1 waived finding',
    });
  });

  test('of an intermittent finding stays where a run does not see it', () => {
    const intermittent = waivers.map((waiver) => ({ ...waiver, intermittent: true }));
    const passed = [verdict('leads.add.message', 'pass')];
    expect(applyWaivers(passed, intermittent, '2026-03-31').unused).toEqual([]);
    expect(reading('- check: leads.add.message\n  reason: why\n  intermittent: true')()).toEqual([
      { check: 'leads.add.message', reason: 'why', intermittent: true },
    ]);
  });

  test('that is no longer needed is named beside everything else', () => {
    for (const [status, headline] of [
      ['fail', /^does not conform: 1 claim is broken; 1 waiver is no longer needed: leads\.add\.message$/],
      ['inconclusive', /^1 waiver is no longer needed: leads\.add\.message; 1 of 2 checks undecided, /],
    ] as const) {
      const all = [verdict('leads.add.message', 'pass'), verdict('leads.add.name', status)];
      const { verdicts, unused } = applyWaivers(all, waivers, '2026-03-31');
      expect(concluded(verdicts, unused)).toMatchObject({
        exitCode: 1,
        headline: expect.stringMatching(headline),
      });
    }
  });

  test('of a check that did not run is neither used nor unused', () => {
    expect(applyWaivers([verdict('leads.add.message', 'skipped')], waivers, '2026-03-31').unused).toEqual([]);
    expect(applyWaivers([verdict('leads.add.name', 'pass')], waivers, '2026-03-31').unused).toEqual([]);
  });
});

describe('a waiver with a beginning, or with a last day', () => {
  const applied = (
    waiver: { check: string; until?: string },
    status: 'fail' | 'pass',
    today = '2026-03-31',
  ) => applyWaivers([verdict('leads.add.message', status)], [{ reason: 'known', ...waiver }], today);

  test('of a group names all its checks', () => {
    expect(applied({ check: 'leads.add' }, 'fail').verdicts[0]).toMatchObject({ waived: 'known' });
    expect(applied({ check: 'leads.add' }, 'pass').unused).toEqual(['leads.add']);
    expect(applied({ check: 'leads.a' }, 'fail').verdicts[0]).not.toHaveProperty('waived');
  });

  test('applies on its last day, and not after it', () => {
    const waiver = { check: 'leads.add.message', until: '2026-03-31' };
    expect(applied(waiver, 'fail').verdicts[0]).toMatchObject({ waived: 'known' });
    const { verdicts, unused } = applied(waiver, 'fail', '2026-04-01');
    expect(verdicts[0]).toMatchObject({ waiverNote: 'expired after 2026-03-31: known' });
    expect(concluded(verdicts, unused).exitCode).toBe(1);
    expect(applied(waiver, 'pass', '2026-04-01').unused).toEqual([]);
  });
});

test('a former id and a pattern are those of checks that exist', () => {
  for (const check of ['leads.update.keeps-signs', 'leads.update.keeps-*']) {
    const waivers = [{ check, reason: 'known' }];
    expect(reading(JSON.stringify(waivers))()).toEqual(waivers);
    const { verdicts } = applyWaivers([verdict('leads.update.keeps-texts', 'warn')], waivers, '2026-03-31');
    expect(verdicts).toMatchObject([{ status: 'warn', waived: 'known' }]);
  }
});

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
    ['at 2026-11-25T14:57:54.254Z', 'at 2027-01-02T03:04:05Z'],
  ])('is the same for %j and %j', (left, right) => expect(of(left)).toBe(of(right)));

  test.each([
    ['"text"', 'null'],
    ['"text"', 'gone: 404 not found'],
    ['7', '{"code":7}'],
    ['7', '[7]'],
    ['refused: 422 locked', 'refused: 422 too long'],
  ])('is another one for %j and %j', (left, right) => expect(of(left)).not.toBe(of(right)));

  test('depends on the field, and not on the place in a list', () => {
    expect(of('"x"')).not.toBe(of('"x"', 'data.name unchanged: "a"'));
    expect(of('"x"', 'a', '/data/3/id')).toBe(of('"x"', 'a', '/data/12/id'));
    expect(of('"x"', 'a', '/data/3/id')).not.toBe(of('"x"', 'a', '/data/3/name'));
  });

  test('keeps a waiver to one difference', () => {
    const finding = (actual: string): Verdict => ({
      ...verdict('leads.add.message', 'fail'),
      failure: { expected: 'a text', actual },
    });
    const known = finding('7');
    const fingerprint = fingerprintOf(known.check, { expected: 'a text', actual: '7' });
    const waivers = [{ check: 'leads.add.message', fingerprint, reason: 'known' }];
    expect(applyWaivers([known], waivers, '2026-03-31').verdicts[0]).toMatchObject({ waived: 'known' });
    const other = applyWaivers([finding('null')], waivers, '2026-03-31');
    expect(other).toMatchObject({
      verdicts: [{ status: 'fail', waiverNote: `for another difference (${fingerprint}): known` }],
      unused: [],
    });
    expect(applyWaivers([verdict('leads.add.message', 'pass')], waivers, '2026-03-31').unused).toEqual([
      'leads.add.message',
    ]);
  });
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
    addWaivers(file, [one, other], checks);
    addWaivers(file, [{ ...one, reason: 'still known' }], checks);
    expect(readWaivers(file, checks)).toEqual([{ ...one, reason: 'still known' }, other]);
  });

  test('keeps the comments and the other waivers of a YAML file', () => {
    const file = fileWith(
      'old.yaml',
      '# agreed with the team\n- check: leads.update\n  reason: why # ask Ops\n',
    );
    addWaivers(file, [one], checks);
    expect(readFileSync(file, 'utf8')).toBe(
      '# agreed with the team\n- check: leads.update\n  reason: why # ask Ops\n- check: leads.add.message\n  fingerprint: abc\n  reason: known\n  until: 2027-01-31\n',
    );
  });

  test('leaves a file that is no list of waivers as it is', () => {
    const file = fileWith('notes.json', '{"my": "notes"}');
    expect(() => addWaivers(file, [one], checks)).toThrow('must contain a list of waivers');
    expect(readFileSync(file, 'utf8')).toBe('{"my": "notes"}');
  });
});
