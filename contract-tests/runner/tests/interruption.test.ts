// An interrupted run says what it has found and decided until then.
import { expect, test } from 'vitest';
import type { Mutation } from '../../proof/server/types.ts';
import { runOn } from '../../testing/run-on.ts';
import { exitCodes, summarise } from '../summary.ts';
import { notReached } from '../verdict.ts';

test('a run that is interrupted keeps its findings, and the checks that were decided', async () => {
  const controller = new AbortController();
  const mutation: Mutation = {
    handle: async (call, next) => {
      if (call.operation === 'sendEmail' && call.nth === 3) controller.abort();
      const reply = await next(call);
      return call.operation === 'addLead' && !reply.refused ? { ...reply, status: 201 } : reply;
    },
  };
  const ids = ['leads.*.success', 'leads.delete.refuses-update', 'leads.add.auth', 'email'];
  const run = await runOn(ids, { mutation, signal: controller.signal });
  const statusOf = (id: string) => run.verdicts.find(({ check }) => check.id === id)?.status;
  expect(statusOf('leads.add.success')).toBe('fail');
  expect(statusOf('leads.delete.refuses-update')).toBe('pass');
  expect(statusOf('leads.add.auth.missing-key')).toBe('skipped');
  const left = run.verdicts.filter(({ reason }) => reason === notReached).length;
  const { exitCode, headline } = summarise(run, false);
  expect(exitCode).toBe(exitCodes.interrupted);
  expect(headline).toBe(`interrupted: ${left} of ${run.verdicts.length} checks not reached`);
});
