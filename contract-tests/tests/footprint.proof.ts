// What a run leaves behind, and how much of it is there at a time.
import { afterEach, describe, expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { scenarios } from '../checks/scenarios.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { controlCheck } from '../exchange/exchange.ts';
import { runContract } from '../proof/run-contract.ts';
import { isKeyRefused, refuse, withData } from '../proof/server/mutation.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import { createService } from '../proof/server/server.ts';
import type { Mutation, RunningDeployment } from '../proof/server/types.ts';
import { isObject } from '../proof/server/validation.ts';
import { observe } from '../questions/observe.ts';
import { probes } from '../questions/probes/index.ts';
import { inRun, type Run } from '../runner/run.ts';
import { selectChecks } from '../runner/selection.ts';

let deployment: RunningDeployment | undefined;
afterEach(() => deployment?.close());

const run = async (behaviour: BehaviourOverrides, mutation: Mutation, ...only: string[]): Promise<Run> => {
  deployment = await createService(behaviour, mutation).start();
  return runContract({
    ...deployment,
    permissions: everythingPermitted,
    checks: selectChecks(checks, only, []),
  });
};

/** An update of a lead that is not there creates it. */
const upsert = (behaviour: { readonly canDelete: boolean }): Mutation => ({
  handle: (call, next, { store }) => {
    if (isKeyRefused(call, next)) return next(call);
    const known = store.find(call.id);
    if (call.operation === 'updateLead' && known === undefined && isObject(call.body))
      store.leads.push({ id: call.id, name: '', source: '', note: '', created: new Date() });
    const isKept = call.operation === 'deleteLead' && known?.name === '' && !behaviour.canDelete;
    return isKept ? refuse(409, 'locked', 'lead') : next(call);
  },
});

test('a lead that an update created is deleted', async () => {
  const { leftoverLeads } = await run({}, upsert({ canDelete: true }), 'leads.update', 'leads.delete');
  expect(deployment?.leads()).toBe(0);
  expect(leftoverLeads).toEqual([]);
});

test('a lead that an update created is listed where it cannot be deleted', async () => {
  const { leftoverLeads } = await run({}, upsert({ canDelete: false }), 'leads.update.refuses-unknown');
  expect(deployment?.leads()).toBeGreaterThan(0);
  expect(leftoverLeads).toHaveLength(deployment?.leads() ?? 0);
});

test('a lead that was refused and stored all the same is deleted', async () => {
  let refused = 0;
  const storing: Mutation = {
    handle: (call, next, { store }) => {
      const reply = next(call);
      if (call.operation !== 'addLead' || reply.refused !== 'fields') return reply;
      refused += 1;
      return withData(reply, { lead_id: store.add({ name: 'x', source: 'x', note: 'x' }).id });
    },
  };
  await run({}, storing, 'leads.add.survives-bad-input');
  expect(refused).toBeGreaterThan(3);
  expect(deployment?.leads()).toBe(0);
});

describe('at most a dozen leads of a run exist at a time', () => {
  /** Counts the leads that each check has on the deployment, by what the requests say of themselves. */
  const counting = () => {
    const ownerOf = new Map<string, string>();
    const most = new Map<string, number>();
    let inAll = 0;
    const mutation: Mutation = {
      handle: (call, next, { store }) => {
        const reply = next(call);
        const [, check = ''] = / check\/(\S+)$/.exec(String(call.headers['user-agent'])) ?? [];
        const living = store.living();
        for (const { id } of living) if (!ownerOf.has(id)) ownerOf.set(id, check);
        inAll = Math.max(inAll, living.length);
        const own = living.filter(({ id }) => ownerOf.get(id) === check).length;
        most.set(check, Math.max(most.get(check) ?? 0, own));
        return reply;
      },
    };
    return { mutation, most, inAll: () => inAll };
  };

  const taking: BehaviourOverrides = { emptyName: 'accepted', leadRequires: [], wrongType: 'as-text' };

  test.each<[string, BehaviourOverrides, number]>([
    ['on a usual deployment', {}, 12],
    ['on a deployment that takes every request', taking, 12],
    // Scenarios run at the same time there, each with control requests of its own.
    ['on one where new leads show late', { newLeadHiddenMs: 60 }, 18],
  ])('%s', async (_, behaviour, limit) => {
    const { mutation, most, inAll } = counting();
    await run(behaviour, mutation);
    expect(inAll()).toBeLessThanOrEqual(limit);
    const allowed = new Map<string, number>([
      ...scenarios.map(({ id, leads }) => [id, leads] as const),
      // One of a control request, and the lead that no check uses.
      [controlCheck, 2],
    ]);
    // One more is the lead that stays, which belongs to the check that needed it first.
    const greedy = [...most].filter(([check, count]) => count > (allowed.get(check) ?? 1) + 1);
    expect(greedy).toEqual([]);
  });

  test('when questions are asked', async () => {
    const { mutation, inAll } = counting();
    deployment = await createService({}, mutation).start();
    await inRun({ ...deployment, permissions: everythingPermitted }, 'observe', (shared) =>
      observe(shared, probes),
    );
    expect(inAll()).toBeLessThanOrEqual(12);
  });
});
