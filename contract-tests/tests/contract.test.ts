// Every check of the suite as a test: against the mock, or against EMAIL_LEADS_URL, which is then only read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import { type Run, runContract } from '../runner/run.ts';
import { deploymentTarget, embeddedTarget, type Target } from '../session/target.ts';

const readOnly: Permissions = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 0 };

let target: Target;
let run: Run;

beforeAll(async () => {
  const { EMAIL_LEADS_URL: url, EMAIL_LEADS_API_KEY: key } = process.env;
  target = url ? deploymentTarget(url, key) : await embeddedTarget();
  const permissions = target.kind === 'deployment' ? readOnly : everythingPermitted;
  run = await runContract({ ...target, permissions, checks });
});

afterAll(() => target?.close());

describe('contract', () => {
  test.for(checks.map((check) => [check.id, check.title, check.section] as const))(
    '%s: %s (§%s)',
    ([id], { skip }) => {
      const verdict = run.verdicts.find(({ check }) => check.id === id);
      if (verdict?.status === 'skipped') skip(verdict.reason);
      expect(verdict?.status, verdict?.reason).toBe('pass');
    },
  );
});
