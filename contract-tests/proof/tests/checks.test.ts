// Every check has a broken server, and decides something when a run has no other: its scenarios provoke what it is about.
import { expect, test } from 'vitest';
import { isWhole } from '../../../mock/testing/scale.ts';
import { checks } from '../../checks/index.ts';
import { everythingPermitted } from '../../client/permissions.ts';
import { broken, dependOnChance, unfound } from '../broken.ts';
import { conforming } from '../conforming/index.ts';
import { createService } from '../server/server.ts';
import { runContract } from '../suite-result.ts';
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
