// A kill set is a part of the suite. Here the whole suite runs, as users run it, since checks affect each other.
import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { broken } from '../servers.ts';
import { describeResult, runSuite } from '../suite-result.ts';

/** Servers on which much else cannot be tested, and every twentieth of the others. */
const limiting = new Set(['status', 'absent', 'constant-500', 'undocumented-demands']);
const inWholeRuns = broken.filter(({ group }, index) => limiting.has(group) || index % 20 === 5);

describe.concurrent('a whole run finds a broken server as its kill set does', () => {
  test.each(inWholeRuns)('$id: $title', async (deployment) => {
    const result = await runSuite(deployment, checks);
    expect(result.strictExitCode, describeResult(result)).toBe(1);
  });
});

test('a deployment that gives the ids of deleted leads again breaks nothing documented', async () => {
  const deployment = broken.find(({ id }) => id === 'ids-given-again');
  if (!deployment) throw new Error('there is no such server');
  const { findings, exitCode } = await runSuite(deployment, checks);
  expect(findings.map(({ check }) => check)).toEqual(['leads.add.new-ids']);
  expect(exitCode).toBe(0);
});
