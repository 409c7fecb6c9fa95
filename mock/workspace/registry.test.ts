import { describe, expect, test, vi } from 'vitest';
import { createWorkspaces } from './registry.ts';

const create = (options: object) =>
  createWorkspaces({ acceptKeys: [], seed: {}, templates: [], outboxLimit: 1000, ...options });

const mail = (length: number) =>
  ({
    operation: 'sendEmail',
    to: null,
    from: null,
    subject: null,
    template_id: null,
    variables: null,
    html: 'x'.repeat(length),
  }) as const;

describe('many workspaces', () => {
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

describe('a workspace that is dropped while uploads to it are in flight', () => {
  test('gives back all that it held, and what arrives later is not counted', () => {
    const workspaces = create({ limit: 1, maxBytes: 400_000 });
    const dropped = workspaces.getOrCreate('test_1');
    dropped.capture(mail(10_000));
    const other = workspaces.getOrCreate('test_2');
    for (let sent = 0; sent < 20; sent += 1) dropped.capture(mail(50_000));
    dropped.addLead({ name: 'x'.repeat(100_000), source: '', note: '' }, 'prefixed');
    for (let sent = 0; sent < 5; sent += 1) other.capture(mail(1000));
    expect([other.outbox.size(), other.outbox.dropped()]).toEqual([5, 0]);
    expect(workspaces.heldBytes()).toBe(other.heldBytes() + workspaces.unclaimed.heldBytes());
  });
});

describe('a workspace', () => {
  test('remembers no event from before a reset', async () => {
    const workspaces = create({});
    const workspace = workspaces.getOrCreate('test_1');
    workspace.events.watch({ send: () => undefined, end: () => undefined });
    const before = workspace.heldBytes();
    for (let sent = 0; sent < 50; sent += 1)
      workspace.addLead({ name: 'x', source: '', note: '' }, 'prefixed');
    workspace.reset();
    expect(workspace.heldBytes() - before).toBeLessThan(1000);
  });

  test('finds a duplicate and does not look at every lead', () => {
    const workspaces = create({});
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
});
