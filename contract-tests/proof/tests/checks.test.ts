// Every check has a broken server, and decides something when a run has no other: its scenarios provoke what it is about.
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks, usualChecks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { costOf, entryIds, entryOf } from '../../cost/cost.ts';
import costs from '../../cost/costs.json' with { type: 'json' };
import { broken, dependOnChance, unfound } from '../broken.ts';
import { conforming } from '../conforming/index.ts';
import { costDeployments, totalCost } from '../costs.ts';
import { createService } from '../server/server.ts';
import { runContract, targetOf } from '../suite-result.ts';
import { findable } from './sample.ts';

const all = [...conforming, ...broken];

test('ids are unique, those of conforming servers in kebab case, and the plain deployment comes first', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(conforming.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(conforming[0]?.id).toBe('plain');
});

test('the corpus is large, and the broken ones stand on many bases', () => {
  expect(conforming.length).toBeGreaterThanOrEqual(50);
  expect(broken.length).toBeGreaterThanOrEqual(150);
  expect(new Set(broken.map(({ base }) => base)).size).toBeGreaterThanOrEqual(6);
});

test('every check has a broken server, and every broken server names checks', () => {
  const ids = checks.map(({ id }) => id).sort();
  expect([...new Set(findable.flatMap(({ breaks }) => breaks))].sort()).toEqual(ids);
  for (const { id, breaks } of broken) expect(ids, id).toEqual(expect.arrayContaining([...breaks]));
  expect(broken.filter(({ breaks }) => breaks.length === 0)).toEqual([]);
});

test('the lists of exceptions name servers that there are', () => {
  const ids = new Set(broken.map(({ id }) => id));
  expect([...unfound, ...dependOnChance].filter((id) => !ids.has(id))).toEqual([]);
});

/** They inspect whatever error responses a run gets, and no run of them alone gets one. */
const ofAnyRefusal: ReadonlySet<string> = new Set([
  'failures.error-text',
  'failures.message',
  'failures.no-success-claim',
]);

const alone = checks.filter(({ id }) => !ofAnyRefusal.has(id));

test.concurrent.each(alone.filter((_, at) => isWhole || at % 6 === 0))('alone: $id', async (check) => {
  const service = await createService().start();
  const options = { permissions: everythingPermitted, checks: [check], thorough: check.thorough === true };
  const { verdicts } = await runContract({ ...service, ...options }).finally(service.close);
  expect(verdicts.map(({ status, reason }) => `${status} ${reason ?? ''}`)).toEqual(['pass ']);
});

// The notice before a run: a run that finds nothing costs no more than it says.
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
    const [requests, leads, wrongKeys] = totalCost(run.exchanges);
    expect(requests).toBeLessThanOrEqual(cost.requests);
    expect(leads).toBeLessThanOrEqual(cost.leads);
    expect(run.mailsRequested).toBeLessThanOrEqual(cost.mails);
    expect(wrongKeys).toBeLessThanOrEqual(cost.wrongKeys);
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
