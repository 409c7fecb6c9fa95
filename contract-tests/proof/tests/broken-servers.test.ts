// The other half of the suite's proof: the suite finds every broken server, and every check finds one.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { checkIdsOf, killSetOf } from '../kill-set.ts';
import { createService } from '../server/server.ts';
import type { Mutation } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { broken, conforming } from '../servers.ts';
import { describeResult, isKilled, proofSentence, runSuite } from '../suite-result.ts';
import { brokenInTest } from './scale.ts';

describe('broken servers are found', () => {
  const killers = new Set<string>();

  describe.concurrent('each by its kill set', () => {
    test.each(brokenInTest)('$id: $title', async (deployment) => {
      const first = await runSuite(deployment, killSetOf(deployment));
      // Some faults count requests, and on a busy machine their order is another one: then all checks decide.
      const result = isKilled(deployment, first) ? first : await runSuite(deployment, checks);
      for (const { check } of result.findings) killers.add(check);
      expect(isKilled(deployment, result), describeResult(result)).toBe(true);
    });
  });

  test('every group of broken servers is among them', () => {
    const groups = new Set(brokenInTest.map(({ group }) => group));
    expect(broken.filter(({ group }) => !groups.has(group))).toEqual([]);
  });

  test('every check finds at least one of them', async () => {
    const missing = (): string[] => checks.map(({ id }) => id).filter((id) => !killers.has(id));
    // Which of several checks finds a server may be chance: then one counts that this check finds, with the fewest others.
    const findAgain = async (id: string): Promise<void> => {
      const servers = broken.filter((deployment) => checkIdsOf(deployment).includes(id));
      servers.sort((left, right) => checkIdsOf(left).length - checkIdsOf(right).length);
      for (const deployment of servers.slice(0, 2))
        for (const { check } of (await runSuite(deployment, killSetOf(deployment))).findings)
          killers.add(check);
    };
    await Promise.all(missing().map(findAgain));
    expect(missing()).toEqual([]);
  });
});

test('an update that is refused because it changes nothing breaks no documented claim', async () => {
  const servers = broken.filter(({ id }) => id === 'same-note-409');
  const updates = checks.filter(({ id }) => id.startsWith('leads.update.'));
  for (const deployment of servers) {
    const result = await runSuite(deployment, updates);
    expect([result.exitCode, result.strictExitCode], describeResult(result)).toEqual([0, 1]);
  }
  expect(servers).toHaveLength(1);
});

/** Sources of a list break §2.3. The error for a wrong key contains one of them, and leads can be read. */
const sourcesOfList: Mutation = {
  handle: (call, next) => {
    const { source } = isObject(call.body) ? call.body : {};
    const isListed = source === undefined || source === 'web' || source === '';
    const reply = next(isListed ? call : { ...call, operation: undefined });
    if (reply.refused === 'key')
      return { ...reply, body: { ...reply.body, error: 'get a key on our website' } };
    if (isListed) return reply;
    return { status: 422, refused: 'fields', body: { success: false, error: 'unknown source' } };
  },
};

test('a source that every lead must have is not taken for data of one lead', async () => {
  const start = createService({ leadReading: 'present' }, sourcesOfList).start;
  const leadChecks = checks.filter(({ id }) => /^leads\..*(auth|stores-nothing|free-source)/.test(id));
  const { findings } = await runSuite({ id: 'sources', title: '', group: '', start }, leadChecks);
  expect(findings.map(({ check }) => check)).toEqual(['leads.add.free-source']);
});

test('the README states the result', () => {
  const sentence = proofSentence({ good: conforming.length, alarms: 0, bad: broken.length, missed: 0 });
  expect(readFileSync('README.md', 'utf8'), 'run npm run kill-matrix and commit the README').toContain(
    sentence,
  );
});
