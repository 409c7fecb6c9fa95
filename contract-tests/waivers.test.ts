import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from './checks/index.ts';
import type { Status, Verdict } from './engine.ts';
import { summarise } from './verdict.ts';
import { applyWaivers, readWaivers } from './waivers.ts';

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
  summarise({ verdicts, survey: new Map(), leftovers: [], interrupted: false }, false, unused);

describe('a file of waivers', () => {
  test('is a list of checks and reasons, in YAML or JSON', () => {
    const expected = [{ check: 'leads.add.message', reason: 'mended in March' }];
    expect(reading('- check: leads.add.message\n  reason: mended in March\n')()).toEqual(expected);
    expect(reading(JSON.stringify(expected))()).toEqual(expected);
  });

  test.each([
    ['check: leads.add.message', /must hold a list/],
    ['- reason: why', /waiver 1: "check" must be the id/],
    ['- check: leads.add.massage\n  reason: why', /no check is called "leads.add.massage"/],
    ['- check: leads.add.message', /needs a "reason"/],
    ['- check: leads.add.message\n  reason: " "', /needs a "reason"/],
    ['- check: leads.add.message\n  reason: why\n  until: May', /there is no field "until"/],
    ['- [', /cannot be read/],
  ])('is refused with the place: %j', (text, message) => {
    expect(reading(text)).toThrow(message);
  });
});

describe('a waiver', () => {
  const waivers = [{ check: 'leads.add.message', reason: 'known' }];

  test('keeps a finding from failing the run, and shows it', () => {
    const { verdicts, unused } = applyWaivers([verdict('leads.add.message', 'fail')], waivers);
    expect(verdicts[0]).toMatchObject({ status: 'fail', waived: 'known' });
    expect(concluded(verdicts, unused)).toMatchObject({ exitCode: 0, counts: { waived: 1, fail: 0 } });
  });

  test('that is no longer needed fails the run', () => {
    const { verdicts, unused } = applyWaivers([verdict('leads.add.message', 'pass')], waivers);
    expect(unused).toEqual(['leads.add.message']);
    expect(concluded(verdicts, unused).exitCode).toBe(1);
  });

  test('of a check that did not run is neither used nor unused', () => {
    expect(applyWaivers([verdict('leads.add.message', 'skipped')], waivers).unused).toEqual([]);
    expect(applyWaivers([verdict('leads.add.name', 'pass')], waivers).unused).toEqual([]);
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
    const run = {
      verdicts: [verdict('leads.add.keeps-quotes', 'warn')],
      survey: new Map(),
      leftovers: [],
      interrupted: false,
    };
    expect(summarise(run, true).exitCode).toBe(1);
  });
});
