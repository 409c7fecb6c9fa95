// The notice before a run: a run that finds nothing costs no more than it says.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { usualChecks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { costOf, entryIds, entryOf } from '../../cost/cost.ts';
import costs from '../../cost/costs.json' with { type: 'json' };
import { costDeployments } from '../costs.ts';
import { runContract, targetOf } from '../suite-result.ts';

const kinds = [
  ['everything', everythingPermitted],
  ['reading', { writes: false, sendTo: undefined, unaddressed: false, maxSends: 12 }],
  ['no mail', { ...everythingPermitted, sendTo: undefined }],
  ['few mails', { ...everythingPermitted, maxSends: 12 }],
] as const;

const deployments = isWhole ? costDeployments : costDeployments.slice(0, 3);

describe.concurrent.each(deployments)('a run on $id costs no more than it says', (deployment) => {
  test.each(isWhole ? kinds : kinds.slice(0, 2))('with %s permitted', async (_, permissions) => {
    const running = await deployment.start();
    const run = await runContract({ ...targetOf(running), permissions, checks: usualChecks }).finally(
      running.close,
    );
    const cost = costOf(usualChecks, permissions);
    const added = run.exchanges.filter(
      ({ operation, outcome }) => operation === 'addLead' && (outcome === 'success' || outcome === 'broken'),
    );
    expect(run.exchanges.length).toBeLessThanOrEqual(cost.requests);
    expect(added.length).toBeLessThanOrEqual(cost.leads);
    expect(run.mailsRequested).toBeLessThanOrEqual(cost.mails);
    expect(run.exchanges.filter(({ credentials }) => credentials !== 'key').length).toBeLessThanOrEqual(
      cost.wrongKeys,
    );
    const entries = new Set(run.exchanges.map(entryOf));
    for (const entry of entries) expect(Object.keys(costs.usual), 'run npm run costs').toContain(entry);
  });
});

test('every scenario that sends something has its cost in the table', () => {
  const known: ReadonlySet<string> = new Set(Object.keys(costs.thorough));
  // They repeat what discovery had to change, which these servers do not need.
  const unsent = ['email.send.as-documented', 'email.template.any-listed'];
  expect(entryIds.filter((id) => !known.has(id))).toEqual(unsent);
});
