// The suite's own proof, one half: every broken server is caught, every check catches something.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { catchersOf } from './catchers.ts';
import { broken, conforming } from './index.ts';
import { accountOf, isCaught, judge, proofSentence } from './matrix.ts';

const killers = new Set<string>();

describe.concurrent('broken deployments are caught', () => {
  test.each(broken)('$id: $title', { timeout: 60_000 }, async (deployment) => {
    const row = await judge(deployment, catchersOf(deployment));
    for (const { check } of row.findings) killers.add(check);
    expect(isCaught(deployment, row), accountOf(row)).toBe(true);
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
