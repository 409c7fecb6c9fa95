// The other half of the suite's proof: the suite finds every broken server, and every check finds one.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks, usualChecks } from '../../checks/index.ts';
import { dependOnChance, finders, unfound } from '../finders.ts';
import { createService } from '../server/server.ts';
import type { Mutation } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { broken, conforming } from '../servers.ts';
import { describeResult, isKilled, proofSentence, runSuite, type SuiteResult } from '../suite-result.ts';
import { judgeRecording } from '../traffic/result.ts';
import { brokenInTest } from './scale.ts';

/** Their scenarios compare two requests that differ in one thing; no other request shows which two these are. */
const comparisons =
  /^email\.\w+\.(repeatable|together)$|\.(documented-headers|any-json-form|free-(note|source)|as-documented|any-listed|letters)$|refused-stores-nothing$|auth\.(reading|stores-nothing)$|^templates\.list\.success$/;

const isDocumented = ({ level }: SuiteResult['findings'][number]): boolean => level === 'documented';

/** `check` on the recording of a run ends with its exit code, strictly too, unless only a comparison has found something. */
const expectSameFromRecording = ({ findings, recording }: SuiteResult): void => {
  const comparable = findings.filter(({ check }) => !comparisons.test(check));
  const again = judgeRecording(recording?.() ?? '').findings;
  if (comparable.length > 0) expect(again.length).toBeGreaterThan(0);
  if (comparable.some(isDocumented)) expect(again.some(isDocumented)).toBe(true);
};

describe('broken servers are found', () => {
  const found = new Set<string>();

  describe.concurrent('each by a whole run', () => {
    test.each(brokenInTest)('$id: $title', async (deployment) => {
      let result = await runSuite(deployment, usualChecks);
      // Some defects show only to a run that asks for everything.
      for (
        let tries = dependOnChance.has(deployment.id) ? 3 : 1;
        tries > 0 && !isKilled(deployment, result);
        tries -= 1
      ) {
        for (const { check } of result.findings) found.add(check);
        result = await runSuite(deployment, checks, true);
      }
      for (const { check } of result.findings) found.add(check);
      expect(isKilled(deployment, result), describeResult(result)).toBe(true);
      // Which of two requests at the same time took effect first is not recorded.
      if (!dependOnChance.has(deployment.id)) expectSameFromRecording(result);
    });
  });

  /** Only sporadic refusals show them, which a run meets by chance; the traffic of an app shows them too. */
  const byChance: ReadonlySet<string> = new Set(['templates.list.every-time', 'email.send.every-time']);

  test.runIf(isWhole)('every check finds at least one of them', async () => {
    const missing = (): string[] =>
      checks.map(({ id }) => id).filter((id) => !found.has(id) && !byChance.has(id));
    const findAgain = async (id: string): Promise<void> => {
      for (const server of finders.get(id) ?? []) {
        if (found.has(id)) return;
        const deployment = broken.find((candidate) => candidate.id === server);
        if (deployment)
          for (const { check } of (await runSuite(deployment, checks, true)).findings) found.add(check);
      }
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

test('the page of the suite states the result', () => {
  const sentence = proofSentence({
    good: conforming.length,
    alarms: 0,
    bad: broken.length,
    missed: unfound.size,
  });
  const page = readFileSync('contract-tests/README.md', 'utf8');
  expect(page, 'run npm run kill-matrix and commit the page').toContain(sentence);
});
