// Every check decides something when a run has no other: its scenarios provoke what it is about.
import { expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { runContract } from '../run-contract.ts';
import { createService } from '../server/server.ts';

/** They inspect whatever error responses a run gets, and no run of them alone gets one. */
const ofAnyRefusal: ReadonlySet<string> = new Set([
  'failures.error-text',
  'failures.message',
  'failures.no-success-claim',
]);

const alone = checks.filter(({ id }) => !ofAnyRefusal.has(id));

test.concurrent.each(alone.filter((_, at) => isWhole || at % 6 === 0))('$id', async (check) => {
  const service = await createService().start();
  const options = { permissions: everythingPermitted, checks: [check], thorough: check.thorough === true };
  const { verdicts } = await runContract({ ...service, ...options }).finally(service.close);
  expect(verdicts.map(({ status, reason }) => `${status} ${reason ?? ''}`)).toEqual(['pass ']);
});
