import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { applyWaivers, matchesId, readWaivers, selectChecks, selectFailed } from './selection.ts';
import { emptyResult, summarise } from './summary.ts';
import type { Status, Verdict } from './verdict.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'waivers-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

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

test.each([
  ['leads', 'leads.add.message', true],
  ['leads.', 'leads.add.message', true],
  ['leads.add.message', 'leads.add.message', true],
  ['lead', 'leads.add.message', false],
  ['lead.', 'lead.name', true],
  ['', 'lead.name', false],
])('%j names %s: %j', (pattern, id, isMatch) => {
  expect(matchesId(pattern, id)).toBe(isMatch);
});

test.each([
  ['leads.updaet', '; did you mean leads.update?'],
  ['leads.add.mesage', '; did you mean leads.add.message?'],
  ['lead', '; did you mean leads?'],
  ['nonsense', '; email-leads contract --list lists them all'],
])('a selection of %s, which names nothing, gets a hint', (pattern, hint) => {
  expect(() => selectChecks(checks, [pattern], [])).toThrow(
    new Error(`there is no check or group of checks "${pattern}"${hint}`),
  );
});

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
    expect(concluded([...verdicts, verdict('leads.add.name', 'pass')], unused)).toMatchObject({
      exitCode: 0,
      headline: 'conforms, with 1 check unstable (passed only after a retry)',
    });
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
    expect(verdicts[0]).toMatchObject({ expiredWaiver: 'expired after 2026-03-31: known' });
    expect(concluded(verdicts, unused).exitCode).toBe(1);
    expect(applied(waiver, 'pass', '2026-04-01').unused).toEqual([]);
  });
});

describe('--only-failed', () => {
  const repeated = (content: unknown): string[] => {
    const file = join(directory, 'report.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return selectFailed(checks, file).map(({ id }) => id);
  };
  const report = (...entries: object[]) => ({ report_version: 1, checks: entries });

  test('repeats what failed and what is undecided, with the checks that got the responses', () => {
    const exchanges = [
      { request: { check: 'leads.add.name' } },
      { request: { check: 'leads.update.lasts' } },
    ];
    expect(
      repeated(
        report(
          { id: 'leads.add.message', status: 'inconclusive' },
          { id: 'leads.add.echoes-fields', status: 'fail', waived: 'known' },
          { id: 'leads.delete.success', status: 'pass' },
          { id: 'replies.encoding', status: 'fail', finding: { exchanges } },
        ),
      ).sort(),
    ).toEqual(['leads.add.message', 'leads.update.lasts', 'replies.encoding']);
  });

  test.each([
    ['{', /report\.json cannot be read: /],
    [{}, /is not a report\.json of this suite \(--report json\)/],
    [report({ id: 'leads.add.message', status: 'pass' }), /nothing to repeat/],
  ])('%j is refused', (content, message) => {
    expect(() => repeated(content)).toThrow(message);
  });
});

describe('a run', () => {
  test.each([
    ['a broken documented fact', 'leads.add.message', 'fail', 1],
    ['a broken derived fact', 'leads.add.keeps-quotes', 'warn', 0],
    ['a check that failed in the suite', 'leads.add.message', 'error', 3],
    ['nothing that could be run', 'leads.add.message', 'skipped', 3],
    ['everything in order', 'leads.add.message', 'pass', 0],
  ] as const)('with %s ends with its exit code', (_what, id, status, code) => {
    expect(concluded([verdict(id, status)]).exitCode).toBe(code);
  });

  test('is broken by a derived fact when strict', () => {
    const run = { ...emptyResult, verdicts: [verdict('leads.add.keeps-quotes', 'warn')] };
    expect(summarise(run, true).exitCode).toBe(1);
  });
});
