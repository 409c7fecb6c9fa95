// The suite's own proof: every conforming server passes, every broken one is caught, every check catches something.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { catchersOf } from './catchers.ts';
import { broken, conforming } from './index.ts';
import { isCaught, judge, proofSentence, type Row } from './matrix.ts';

const killers = new Set<string>();

const account = ({ findings, headline, undecided }: Row): string =>
  [
    headline,
    ...findings.map(({ check, level, reason }) => `${level} ${check}: ${reason}`),
    ...undecided,
  ].join('\n');

describe.concurrent('conforming deployments pass, strictly too', () => {
  test.each(conforming)('$id: $title', { timeout: 60_000 }, async (deployment) => {
    const row = await judge(deployment, checks);
    expect(row.strictExitCode, account(row)).toBe(0);
    expect(row.left, 'leads left behind').toBe(0);
  });
});

describe.concurrent('broken deployments are caught', () => {
  test.each(broken)('$id: $title', { timeout: 60_000 }, async (deployment) => {
    const row = await judge(deployment, catchersOf(deployment));
    for (const { check } of row.findings) killers.add(check);
    expect(isCaught(deployment, row), account(row)).toBe(true);
  });
});

describe('the matrix', () => {
  afterAll(() => killers.clear());

  test('the README says how it stands', () => {
    const sentence = proofSentence({ good: conforming.length, alarms: 0, bad: broken.length, missed: 0 });
    expect(readFileSync('README.md', 'utf8'), 'run npm run kill-matrix and commit the README').toContain(
      sentence,
    );
  });

  test('every check catches at least one broken deployment', () => {
    expect(checks.filter(({ id }) => !killers.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
