import { describe, expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { conforming } from '../conforming/index.ts';
import { dependOnChance, finders, unfound } from '../finders.ts';
import { shortWalk } from '../reference-client.ts';
import sampled from '../sample.json' with { type: 'json' };
import { brokenSample } from '../sample.ts';
import type { Deployment, RunningDeployment } from '../server/types.ts';
import { broken } from '../servers.ts';
import { conformingInTest } from './scale.ts';

const all = [...conforming, ...broken];

const using = async <T>(
  start: () => Promise<RunningDeployment>,
  use: (running: RunningDeployment) => Promise<T>,
) => {
  const running = await start();
  try {
    return await use(running);
  } finally {
    await running.close();
  }
};

test('ids are unique, in kebab case, and the plain deployment comes first', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  expect(conforming[0]?.id).toBe('plain');
});

test('the corpus is large, and the broken ones stand on many bases', () => {
  expect(conforming.length).toBeGreaterThanOrEqual(50);
  expect(broken.length).toBeGreaterThanOrEqual(150);
  expect(new Set(broken.map(({ base }) => base)).size).toBeGreaterThanOrEqual(6);
});

test('the sample of broken ones names known ones, of every group', () => {
  expect(brokenSample.map(({ id }) => id)).toEqual(sampled);
  const groups = (servers: readonly Deployment[]): string[] => [
    ...new Set(servers.map(({ group }) => group)),
  ];
  expect(groups(brokenSample).sort()).toEqual(
    groups(broken.filter(({ id }) => !unfound.has(id) && !dependOnChance.has(id))).sort(),
  );
});

test('every check has a broken server that shows it', () => {
  expect(checks.filter(({ id }) => (finders.get(id) ?? []).length === 0).map(({ id }) => id)).toEqual([]);
});

test('a broken deployment names a section, a conforming one violates nothing', () => {
  for (const { violates } of broken) expect(violates.section).toMatch(/^[1-9](\.\d)?$/);
  for (const deployment of conforming) expect(deployment.violates).toBeUndefined();
});

test('every operation and every part of the document is broken somewhere', () => {
  const sections = new Set(broken.map(({ violates }) => `${violates.level} ${violates.section}`));
  for (const section of ['1', '2.2', '2.3', '4', '4.1', '4.2', '4.3', '4.5', '4.6', '4.7', '5', '7'])
    expect(sections).toContain(`documented ${section}`);
  for (const section of ['1', '2.2', '2.3', '4.3', '4.4', '4.5', '4.6', '5', '7'])
    expect(sections).toContain(`derived ${section}`);
});

describe.concurrent('each conforming deployment accepts what the document shows', () => {
  test.for(conformingInTest.map((deployment) => [deployment.id, deployment] as const))(
    '%s',
    async ([, { start, requirements }]) => {
      await using(start, (running) => shortWalk(running, requirements));
    },
  );
});

// `broken-servers.ts` proves that each mutation shows in responses: the suite finds it there.
