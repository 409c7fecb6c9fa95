import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { useMock } from '../testing/mock-server.ts';
import { createWorkspaces } from '../workspace/registry.ts';

const mock = useMock();

type Step = readonly [workspace: number, what: string];

/** What a workspace does; all that it says of itself holds its own name. */
const actions: Readonly<Record<string, (key: string, name: string) => Promise<unknown>>> = {
  lead: (key, name) => mock.lead(key, { name, source: name }),
  mail: (key, name) =>
    mock.call('POST', '/api/v1/email/send', {
      key,
      body: { subject: name, from: 'a@example.com', to: `${name}@example.com`, html: name },
    }),
  template: (key, name) => mock.call('POST', '/__admin/templates', { key, body: { name, body: name } }),
  fault: (key, name) =>
    mock.call('PUT', '/__admin/faults', {
      key,
      body: { rules: [{ path: `/${name}`, status: 500, body: name }] },
    }),
  answer: (key) => mock.call('PATCH', '/__admin/answers', { key, body: { 'lead.id-format': 'uuid' } }),
  clock: (key) => mock.call('PUT', '/__admin/clock', { key, body: { now: '2030-01-01T00:00:00Z' } }),
  refused: (key, name) => mock.call('POST', '/api/v1/leads', { key, body: { [name]: name } }),
  lost: (key, name) => mock.call('GET', `/api/v1/${name}`, { key }),
  reset: (key) => mock.call('POST', '/__admin/reset', { key }),
};

const reads = ['/outbox', '/requests', '/leads', '/templates', '/faults', '/clock', '/answers', '/state'];

test('nothing of one workspace is ever seen in another, whatever they do at once', async () => {
  let round = 0;
  const steps = array(tuple(nat(3), constantFrom(...Object.keys(actions))), { maxLength: 40 });
  await assert(
    asyncProperty(steps, async (plan: Step[]) => {
      round += 1;
      const names = ['anna', 'berta', 'clara', 'dora'].map((name) => `${name}${round}x`);
      const keys = names.map((name) => `test_${name}`);
      const untouched = keys.map(async (key, index) => {
        for (const [workspace, what] of plan)
          if (workspace === index) await actions[what]?.(key, names[index] ?? '');
      });
      await Promise.all(untouched);
      for (const [index, key] of keys.entries()) {
        const others = names.filter((_, other) => other !== index);
        for (const path of reads) {
          const { text } = await mock.call('GET', `/__admin${path}`, { key });
          for (const other of others)
            expect(text.includes(other), `${other} in ${path} of ${key}`).toBe(false);
        }
        const did = plan.filter(([workspace]) => workspace === index).map(([, what]) => what);
        const since = did.slice(did.lastIndexOf('reset') + 1);
        const state = JSON.parse((await mock.call('GET', '/__admin/state', { key })).text);
        const count = (what: string) => since.filter((done) => done === what).length;
        expect(state.leads).toHaveLength(count('lead'));
        expect(state.outbox).toHaveLength(count('mail'));
        expect(state.requests).toHaveLength(
          ['lead', 'mail', 'refused', 'lost'].reduce((sum, what) => sum + count(what), 0),
        );
        expect(state.clock.frozen).toBe(count('clock') > 0);
      }
    }),
    { numRuns: 8 },
  );
});

describe('many workspaces', () => {
  const create = (options: object) =>
    createWorkspaces({ acceptKeys: [], seed: {}, templates: [], outboxLimit: 1000, ...options });
  const message = {
    operation: 'sendEmail',
    to: null,
    from: null,
    subject: null,
    template_id: null,
    variables: null,
  } as const;
  const mail = (length: number) => ({ ...message, html: 'x'.repeat(length) });

  test('hundreds are kept, and beyond the limit the least recently used go', () => {
    const workspaces = create({ limit: 300 });
    for (let number = 0; number < 500; number++)
      workspaces.getOrCreate(`test_${number}`).addLead({ name: 'x', source: '', note: '' }, 'prefixed');
    expect([workspaces.size(), workspaces.dropped()]).toEqual([300, 200]);
    expect(workspaces.getExisting('test_199')).toBeUndefined();
    expect(workspaces.getExisting('test_200')?.leads.size).toBe(1);
  });

  test('all of them together hold so much and no more; the least recently used lose first', () => {
    const workspaces = create({ maxBytes: 340_000 + 2 * 12_288 });
    const [one, two] = [workspaces.getOrCreate('test_1'), workspaces.getOrCreate('test_2')];
    for (let sent = 0; sent < 5; sent++) one.capture(mail(10_000));
    workspaces.getOrCreate('test_2');
    for (let sent = 0; sent < 8; sent++) two.capture(mail(10_000));
    expect([one.outbox.size(), one.outbox.dropped()]).toEqual([1, 4]);
    expect([two.outbox.size(), two.outbox.dropped()]).toEqual([8, 0]);
  });

  test('what one of them gave up is free for the others', () => {
    const workspaces = create({ maxBytes: 340_000 + 2 * 12_288 });
    const [one, two] = [workspaces.getOrCreate('test_1'), workspaces.getOrCreate('test_2')];
    for (let sent = 0; sent < 8; sent++) one.capture(mail(10_000));
    one.reset();
    for (let sent = 0; sent < 8; sent++) two.capture(mail(10_000));
    expect([one.outbox.size(), two.outbox.size(), two.outbox.dropped()]).toEqual([0, 8, 0]);
  });

  test('who waits in one that is dropped is let go', async () => {
    const workspaces = create({ limit: 1 });
    const waited = workspaces.getOrCreate('test_1').outbox.wait({});
    workspaces.getOrCreate('test_2');
    expect(await waited).toBe('dropped');
    expect(workspaces.waiting()).toBe(0);
  });

  test('no more wait than there is room for', async () => {
    const workspaces = create({});
    const { outbox } = workspaces.getOrCreate('test_1');
    const waited = Array.from({ length: 1000 }, () => outbox.wait({}));
    expect(await outbox.wait({})).toBe('limit-reached');
    expect(workspaces.close()).toBe(1000);
    expect(new Set(await Promise.all(waited))).toEqual(new Set(['stopping']));
  });
});

test('finding a duplicate does not look at every lead', () => {
  const workspaces = createWorkspaces({ acceptKeys: [], seed: {}, templates: [], outboxLimit: 10 });
  const workspace = workspaces.getOrCreate('test_1');
  const fields = (number: number) => ({ name: `n${number}`, source: '', note: '' });
  for (let number = 0; number < 50_000; number++) workspace.addLead(fields(number), 'prefixed');
  expect(workspace.findDuplicate(fields(49_999))?.lead_id).toBe('lead_050000');
  const values = vi.spyOn(Map.prototype, 'values');
  for (let number = 0; number < 2000; number++) workspace.findDuplicate(fields(number));
  expect(values).not.toHaveBeenCalled();
  values.mockRestore();
  workspace.updateLead('lead_000001', { name: 'new', source: undefined, note: undefined });
  workspace.deleteLead('lead_000002');
  expect([workspace.findDuplicate(fields(0)), workspace.findDuplicate(fields(1))]).toEqual([
    undefined,
    undefined,
  ]);
  expect(workspace.findDuplicate({ ...fields(0), name: 'new' })?.lead_id).toBe('lead_000001');
});
