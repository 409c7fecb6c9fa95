// The suite's own proof, the other half: every conforming server passes. A file of its own, to run beside the first.
import { describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { conforming } from './index.ts';
import { accountOf, judge } from './matrix.ts';

describe.concurrent('conforming deployments pass, strictly too', () => {
  test.each(conforming)('$id: $title', { timeout: 60_000 }, async (deployment) => {
    const row = await judge(deployment, checks);
    expect(row.strictExitCode, accountOf(row)).toBe(0);
    expect(row.left, 'leads left behind').toBe(0);
  });
});
