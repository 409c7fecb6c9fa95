// One half of the suite's proof: every conforming server passes. A file of its own, to run beside the other half.
import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { describeResult, runSuite } from '../suite-result.ts';
import { conformingInTest } from './scale.ts';

describe.concurrent('conforming servers pass, strictly too', () => {
  test.each(conformingInTest)('$id: $title', async (deployment) => {
    const result = await runSuite(deployment, checks);
    expect(result.strictExitCode, describeResult(result)).toBe(0);
    expect(result.left, 'leads left behind').toBe(0);
  });
});
