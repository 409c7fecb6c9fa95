import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formerIds } from '../checks/former-ids.ts';
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
  ['leads.add.keeps-*', 'leads.add.keeps-texts', true],
  ['leads.*.keeps-texts', 'leads.update.keeps-texts', true],
  ['*.auth', 'leads.add.auth.no-key', false],
  ['*.*.auth', 'leads.add.auth.no-key', true],
  ['leads.add.*-*-texts', 'leads.add.keeps-long-texts', true],
  ['leads.add.keeps-*', 'leads.add.echoes-fields', false],
  ['lead*', 'lead.name', true],
  ['l..d', 'lead', false],
  ['leads.add.keeps-quotes', 'leads.add.keeps-texts', true],
  ['leads.add.keeps-accents', 'leads.add.keeps-letters', true],
  ['leads.add.keeps-quotes', 'leads.update.keeps-texts', false],
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

describe('a former id', () => {
  test('is the id of no check, and stands for checks that exist', () => {
    const ids = new Set(checks.map(({ id }) => id));
    const known = Object.keys(formerIds);
    expect(known.filter((id) => ids.has(id))).toEqual([]);
    expect(known.flatMap((id) => formerIds[id]).filter((id) => id === undefined || !ids.has(id))).toEqual([]);
  });

  test('selects, skips and waives', () => {
    const idsOf = (only: string[], skip: string[]) => selectChecks(checks, only, skip).map(({ id }) => id);
    expect(idsOf(['leads.add.keeps-astral'], [])).toEqual([
      'leads.add.keeps-letters',
      'leads.add.keeps-texts',
    ]);
    expect(idsOf(['leads.delete.removes', 'leads.delete.every-time'], ['leads.delete.all-gone'])).toEqual([
      'leads.delete.every-time',
    ]);
    const waivers = [{ check: 'leads.update.keeps-signs', reason: 'known' }];
    expect(reading(JSON.stringify(waivers))()).toEqual(waivers);
    const { verdicts } = applyWaivers([verdict('leads.update.keeps-texts', 'warn')], waivers, '2026-03-31');
    expect(verdicts).toMatchObject([{ status: 'warn', waived: 'known' }]);
  });
});

test('a pattern selects, skips and waives', () => {
  const ids = selectChecks(checks, ['leads.*.keeps-*'], ['leads.*.*-texts', 'leads.*.*-letters']);
  expect(ids.map(({ id }) => id)).toEqual([
    'leads.add.keeps-words-as-text',
    'leads.update.keeps-words-as-text',
    'leads.update.keeps-other-fields',
    'leads.delete.keeps-notes',
  ]);
  expect(() => selectChecks(checks, [], ['leads.*.kept-*'])).toThrow('"leads.*.kept-*"');
  const waivers = [{ check: 'leads.add.keeps-*', reason: 'known' }];
  expect(reading(JSON.stringify(waivers))()).toEqual(waivers);
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

  test('are repeated with the scenario that showed the failure, and under their present ids', () => {
    const finding = { exchanges: [{ request: { check: 'leads.later' } }] };
    expect(repeated(report({ id: 'replies.encoding', status: 'fail', finding }))).toEqual([
      'leads.update.lasts-a-second',
      'replies.encoding',
    ]);
    expect(repeated(report({ id: 'leads.delete.lasts-a-second', status: 'fail', finding }))).toEqual([
      'leads.delete.lasts-a-second',
    ]);
    expect(repeated(report({ id: 'leads.add.keeps-quotes', status: 'warn' }))).toEqual([
      'leads.add.keeps-texts',
    ]);
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
    ['a broken derived fact', 'leads.add.keeps-texts', 'warn', 0],
    ['a check that failed in the suite', 'leads.add.message', 'error', 3],
    ['nothing that could be run', 'leads.add.message', 'skipped', 3],
    ['everything in order', 'leads.add.message', 'pass', 0],
  ] as const)('with %s ends with its exit code', (_what, id, status, code) => {
    expect(concluded([verdict(id, status)]).exitCode).toBe(code);
  });

  test('is broken by a derived fact when strict', () => {
    const run = { ...emptyResult, verdicts: [verdict('leads.add.keeps-texts', 'warn')] };
    expect(summarise(run, true).exitCode).toBe(1);
  });
});
