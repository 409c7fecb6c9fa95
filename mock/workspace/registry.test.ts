import { expect, test } from 'vitest';
import { assumedAnswers } from '../contract/questions.ts';
import { createKeyRedactor } from '../contract/redaction.ts';
import { messageInTest } from '../testing/message.ts';
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from './registry.ts';

/** Workspaces without a server. */
const createTestWorkspaces = (options: Partial<WorkspacesOptions> = {}): Workspaces =>
  createWorkspaces({
    acceptKeys: [],
    answers: assumedAnswers(),
    outboxLimit: 1000,
    version: '0.0.0',
    redact: createKeyRedactor(options.acceptKeys ?? []),
    ...options,
  });

/** A message with a text of some length. */
const mailOf = (length: number) => ({ ...messageInTest, html: 'x'.repeat(length) });

test('beyond the total, they are dropped whole, and no other loses anything', async () => {
  const workspaces = createTestWorkspaces({ maxLength: 250_000 });
  for (const key of ['test_idle', 'test_used']) workspaces.getOrCreate(key).outbox.capture(mailOf(1000));
  const waited = workspaces.getOrCreate('test_idle').outbox.wait([['subject', () => false]]);
  const sent: string[] = [];
  for (let number = 0; number < 100; number += 1) {
    workspaces.getOrCreate(`test_${number}`).outbox.capture(mailOf(5000));
    const { outbox } = workspaces.getOrCreate('test_used');
    if (number < 5) sent.push(outbox.capture(mailOf(5000)).id);
    expect(workspaces.status.health().held_characters).toBeLessThanOrEqual(250_000);
  }
  const { outbox } = workspaces.peek('test_used');
  expect(outbox.all().map(({ id }) => id)).toEqual(['msg_000001', ...sent]);
  expect(workspaces.status.health().workspaces_dropped).toBe(102 - workspaces.status.health().workspaces);
  expect(await waited).toBe('dropped');
  expect(workspaces.status.health().waiting).toBe(0);
});

test('what one of them gave up is free for the others', () => {
  const workspaces = createTestWorkspaces();
  const workspace = workspaces.getOrCreate('test_1');
  const before = workspaces.status.health().held_characters;
  const stop = workspace.events.watch({ send: () => undefined, end: () => undefined });
  for (let sent = 0; sent < 8; sent++) workspace.outbox.capture(mailOf(10_000));
  workspace.whole.reset();
  stop();
  expect(workspaces.status.health().held_characters).toBe(before);
});

test('a missing message may have been in one that was dropped', () => {
  const workspaces = createTestWorkspaces({ limit: 2 });
  const explain = () => workspaces.peek('test_1').explain('message');
  for (const key of ['test_1', 'test_2', 'test_3']) workspaces.getOrCreate(key);
  expect(explain()).toEqual(['the mock was full and dropped the least recently used: 1 workspace']);
  workspaces.getOrCreate('test_1').outbox.capture(mailOf(10));
  expect(explain()).toEqual([]);
});

test('no more wait than there is room for', async () => {
  const workspaces = createTestWorkspaces();
  const { outbox } = workspaces.getOrCreate('test_1');
  const waited = Array.from({ length: 1000 }, () => outbox.wait([]));
  expect(await outbox.wait([])).toBe('limit-reached');
  expect(workspaces.close()).toBe(1000);
  expect(new Set(await Promise.all(waited))).toEqual(new Set(['stopping']));
});

test('beyond the limit the least recently used is dropped, and counted; looking makes none and drops none', () => {
  const workspaces = createTestWorkspaces({ limit: 2 });
  const first = workspaces.getOrCreate('test_1');
  const second = workspaces.getOrCreate('test_2');
  for (let number = 3; number < 10; number += 1) workspaces.peek(`test_${number}`);
  expect([workspaces.peek('test_1'), workspaces.peek('test_2')]).toEqual([first, second]);
  workspaces.getOrCreate('test_1');
  workspaces.getOrCreate('test_3');
  expect(workspaces.getOrCreate('test_1')).toBe(first);
  expect(workspaces.getOrCreate('test_2')).not.toBe(second);
  expect(workspaces.status.health()).toMatchObject({ workspaces: 2, workspaces_dropped: 2 });
});

test('a cursor of one that was dropped leaves out nothing of the next', () => {
  const workspaces = createTestWorkspaces({ limit: 2 });
  const page = (since?: string) => workspaces.peek('test_1').outbox.page([], { since });
  for (const _ of [1, 2, 3]) workspaces.getOrCreate('test_1').outbox.capture(mailOf(10));
  const { cursor } = page();
  for (const key of ['test_2', 'test_3']) workspaces.getOrCreate(key);
  workspaces.getOrCreate('test_1').outbox.capture(mailOf(10));
  expect([page(cursor).total, page(page().cursor).total]).toEqual([1, 0]);
});

test.each(['', 'a b', 'ä'])('a key that no header can carry is rejected without showing it: %j', (key) => {
  expect(() => createTestWorkspaces({ acceptKeys: ['sk_live_1', key] })).toThrow(
    'key 2 of those to accept is not 1 to 1000 visible ASCII characters without spaces',
  );
});

test('the outbox drops its oldest messages', () => {
  const { outbox } = createTestWorkspaces().getOrCreate('test_full');
  for (let sent = 0; sent < 35; sent += 1) outbox.capture(mailOf(1_000_000));
  expect(outbox.page()).toMatchObject({ total: 33, dropped: 2 });
});
