// What a run leaves behind, and how much of it is there at a time.
import { expect, test } from 'vitest';
import { isKeyRefused, refuse } from '../proof/server/mutation.ts';
import { isObject } from '../proof/server/operations.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import type { Mutation } from '../proof/server/types.ts';
import { observeOn, runOn } from '../testing/run-on.ts';

test.each([
  ['deleted', undefined],
  ['listed where it cannot be deleted', refuse(409, 'locked', 'lead')],
])('a lead that an update created is %s', async (_, reply) => {
  const upsert: Mutation = {
    handle: (call, next, { store }) => {
      if (isKeyRefused(call, next)) return next(call);
      const known = store.find(call.id);
      if (call.operation === 'updateLead' && known === undefined && isObject(call.body))
        store.leads.push({ id: call.id, name: '', source: '', note: '', created: new Date() });
      return (call.operation === 'deleteLead' && known?.name === '' && reply) || next(call);
    },
  };
  const ids = ['leads.update.refuses-unknown', 'leads.delete'];
  const { leftoverLeads, service } = await runOn(ids, { mutation: upsert });
  expect(leftoverLeads).toHaveLength(service.leads());
  expect(leftoverLeads.length > 0).toBe(reply !== undefined);
});

const taking: BehaviourOverrides = { emptyName: 'accepted', leadRequires: [], wrongType: 'as-text' };

test.each<[string, typeof runOn | typeof observeOn, BehaviourOverrides, number]>([
  ['on a deployment that takes every request', runOn, taking, 12],
  // Scenarios run at the same time there, each with control requests of its own.
  ['on one where new leads show late', runOn, { newLeadHiddenMs: 60 }, 18],
  ['when questions are asked', observeOn, {}, 12],
])('at most a dozen leads of a run exist at a time: %s', async (_, run, behaviour, limit) => {
  let most = 0;
  const handle: Mutation['handle'] = (call, next, { store }) => {
    const reply = next(call);
    most = Math.max(most, store.living().length);
    return reply;
  };
  await run([], { behaviour, mutation: { handle } });
  expect(most).toBeLessThanOrEqual(limit);
});
