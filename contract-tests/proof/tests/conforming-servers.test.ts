// One half of the suite's proof: every conforming server passes. A file of its own, to run beside the other half.
import { describe, expect, test } from 'vitest';
import { usualChecks } from '../../checks/index.ts';
import { describeResult, exitCodeOf, recordingOf, runSuite } from '../suite-result.ts';
import { judgeRecording } from '../traffic/traffic.ts';
import { conformingInTest } from './sample.ts';

describe.concurrent('conforming servers pass, strictly too', () => {
  test.each(conformingInTest)('$id: $title', async (deployment) => {
    const result = await runSuite(deployment, usualChecks);
    expect(result.strictExitCode, describeResult(result)).toBe(exitCodeOf(deployment));
    expect(result.left, 'leads left behind').toBe(0);
    const recording = result.run ? recordingOf(result.run, result.url) : '';
    expect(judgeRecording(recording).findings).toEqual([]);
  });
});
