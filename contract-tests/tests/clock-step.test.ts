// The clock of the machine may be set back while the suite works.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Mutation } from '../proof/server/types.ts';
import { runOn } from '../testing/run-on.ts';

const time = Date.parse('2026-03-02T10:15:30Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: time }));
afterEach(() => void vi.useRealTimers());

test('a run has the time of its start, and no negative duration', async () => {
  const mutation: Mutation = {
    handle: (call, next) => {
      vi.setSystemTime(time - 3_600_000);
      return next(call);
    },
  };
  const run = await runOn(['leads.add.echoes-fields'], { mutation });
  expect(Date.now()).toBe(time - 3_600_000);
  expect(run.startedAt).toBe('2026-03-02T10:15:30.000Z');
  expect(run.durationMs).toBeGreaterThanOrEqual(0);
  expect(run.verdicts.map(({ status }) => status)).toEqual(['pass']);
});
