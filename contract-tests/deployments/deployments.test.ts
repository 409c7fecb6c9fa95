import { describe, expect, test } from 'vitest';
import { broken } from './broken.ts';
import { conforming } from './conforming.ts';
import type { RunningDeployment } from './deployment.ts';
import { shortWalk } from './short-walk.ts';

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

test('a broken deployment names a section, a conforming one breaks nothing', () => {
  for (const { breaks } of broken) expect(breaks.section).toMatch(/^[1-9](\.\d)?$/);
  for (const deployment of conforming) expect(deployment.breaks).toBeUndefined();
});

test('every operation and every part of the document is broken somewhere', () => {
  const sections = new Set(broken.map(({ breaks }) => `${breaks.level} ${breaks.section}`));
  for (const section of ['1', '2.2', '2.3', '4', '4.1', '4.2', '4.3', '4.5', '4.6', '4.7', '5', '7'])
    expect(sections).toContain(`documented ${section}`);
  for (const section of ['1', '2.2', '2.3', '4.3', '4.4', '4.5', '4.6', '5', '7'])
    expect(sections).toContain(`derived ${section}`);
});

describe('each conforming deployment takes what the document shows', () => {
  test.for(conforming.map((one) => [one.id, one] as const))('%s', async ([, { start, demands }]) => {
    await using(start, (running) => shortWalk(running, demands));
  });
});

// That each broken one shows its fault on the wire is what `kill-matrix.test.ts` proves: the suite finds it there.
