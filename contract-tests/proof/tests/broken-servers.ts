// The other half of the suite's proof: the suite finds every broken server, and every check finds one.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks, usualChecks } from '../../checks/index.ts';
import type { BrokenDeployment } from '../broken/mutation.ts';
import { describeResult, isFound, recordingOf, runSuite, type SuiteResult } from '../suite-result.ts';
import { judgeRecording } from '../traffic/traffic.ts';
import { expectReplay } from './replay.ts';
import { brokenInTest, chooseCover, findable } from './sample.ts';

/** The run compares two requests that differ in one thing, or in nothing; no other request shows which two these are. */
const comparisons =
  /^email\.\w+\.(repeatable|together|every-time)$|\.(documented-headers|any-json-form|free-(note|source)|as-documented|any-listed|letters)$|refused-stores-nothing$|auth\.(reading|stores-nothing)$|^templates\.list\.success$/;

const isDocumented = ({ level }: SuiteResult['findings'][number]): boolean => level === 'documented';

/** `check` on the recording of a run ends with its exit code, strictly too, unless only a comparison has found something. */
const expectSameFromRecording = ({ findings, run, url }: SuiteResult): void => {
  const comparable = findings.filter(({ check }) => !comparisons.test(check));
  const again = judgeRecording(run ? recordingOf(run, url) : '').findings;
  if (comparable.length > 0) expect(again.length).toBeGreaterThan(0);
  if (comparable.some(isDocumented)) expect(again.some(isDocumented)).toBe(true);
};

/** Only sporadic refusals show them, which a run meets by chance; the traffic of an app shows them too. */
const byChance: ReadonlySet<string> = new Set(['templates.list.every-time', 'email.send.every-time']);

/**
 * Tests for the broken servers of some checks: a run finds what is broken, its recording shows the same, and the script of the
 * finding shows the wrong response again. Several files have a part each, to run beside one another.
 */
export const proveBrokenServers = (title: string, isOwn: (check: string) => boolean): void => {
  const isOwnServer = ({ breaks }: BrokenDeployment): boolean => isOwn(breaks[0] ?? '');
  const found = new Set<string>();
  const runOn = async (deployment: BrokenDeployment, thorough: boolean): Promise<SuiteResult> => {
    const result = await runSuite(deployment, thorough ? checks : usualChecks, thorough);
    for (const { check } of result.findings) found.add(check);
    return result;
  };

  describe.concurrent(`broken servers are found by a whole run: ${title}`, () => {
    test.each(brokenInTest.filter(isOwnServer))('$title', async (deployment) => {
      let result = await runOn(deployment, false);
      // Some defects show only to a run that asks for everything.
      if (!isFound(deployment, result)) result = await runOn(deployment, true);
      expect(isFound(deployment, result), describeResult(result)).toBe(true);
      expectSameFromRecording(result);
      await expectReplay(deployment, result);
    });
  });

  test.runIf(isWhole)('every check finds at least one of them', async () => {
    const missing = (): string[] =>
      checks.map(({ id }) => id).filter((id) => isOwn(id) && !found.has(id) && !byChance.has(id));
    const breaksMissing = ({ breaks }: BrokenDeployment): string[] =>
      breaks.filter((id) => missing().includes(id));
    await Promise.all(chooseCover(findable, breaksMissing).map((server) => runOn(server, true)));
    for (const server of findable) if (breaksMissing(server).length > 0) await runOn(server, true);
    expect(missing()).toEqual([]);
  });
};
