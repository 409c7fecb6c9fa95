// What is kept is limited: of a store, of a log, of a workspace, and of all workspaces together.
import { expect, test } from 'vitest';
import { assumedAnswers } from '../contract/questions.ts';
import { startMock } from '../index.ts';
import { messageInTest } from '../testing/message.ts';
import { rejectedWith, useMock } from '../testing/mock-server.ts';
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from '../workspace/registry.ts';

// Without a look at every reply, which takes long where it is large.
const mock = useMock({}, startMock);

test('what is changed and deleted again is counted no longer', async () => {
  const heldAfterwards = async () => {
    await mock.admin('DELETE', '/faults');
    await mock.admin('DELETE', '/requests', { body: { all: true } });
    return (await mock.read<{ held_characters: number }>('/health')).held_characters;
  };
  await mock.mail();
  const before = await heldAfterwards();
  const { lead_id } = await mock.lead();
  await mock.call('PUT', `/api/v1/leads/${lead_id}`, { body: { note: 'longer' } });
  await mock.call('DELETE', `/api/v1/leads/${lead_id}`);
  const body = { name: 'Hello', body: 'Hi' };
  await mock.admin('POST', '/templates', { body: { id: 'own', ...body } });
  await mock.admin('PUT', '/templates/own', { body: { ...body, name: 'Longer' } });
  await mock.admin('DELETE', '/templates/own');
  await mock.admin('PUT', '/faults', { body: { rules: [{ status: 503, nth: 9 }] } });
  await mock.mail();
  await mock.admin('DELETE', '/outbox/msg_000002');
  expect(await heldAfterwards()).toBe(before);
});

test.each<[string, () => string]>([
  ['there is no room for these leads', () => `{"leads":[${'{"name":"x"},'.repeat(20_000)}{"name":"x"}]}`],
  ['no room for these templates', () => `{"templates":[{"name":"x","body":"${'x'.repeat(8_500_000)}"}]}`],
  ['body has more than 200000 values', () => `{"leads":[${'0,'.repeat(200_001)}0]}`],
  ['body is larger than 16777216 bytes', () => JSON.stringify({ leads: [{ name: 'x'.repeat(17_000_000) }] })],
])('PUT /state is refused where %s, and replaces nothing', async (error, body) => {
  await mock.lead();
  const before = await mock.read('/state');
  expect(await mock.admin('PUT', '/state', { body: body() })).toMatchObject(rejectedWith(413, error));
  expect(await mock.read('/state')).toEqual(before);
});

const megabyte = 'x'.repeat(1_000_000);
const leads = Array(16).fill({ name: megabyte });
const templates = Array(8).fill({ name: 'x', body: megabyte });
const full = useMock({ seed: { leads, templates } });

test('a state that PUT would refuse cannot be read', async () => {
  const error = 'the state cannot be read, as PUT would reject it';
  expect(await full.admin('GET', '/state')).toMatchObject(rejectedWith(413, error));
});

test('a store that is full refuses leads and templates with 507, and names the limit', async () => {
  const { status, body: refused } = await full.call('POST', '/api/v1/leads', { body: { name: megabyte } });
  const error = 'there is no room for these leads: a workspace has at most 20000, of 16777216 characters';
  const message = 'Nothing was stored. Delete some of them, or reset the workspace.';
  expect([status, refused]).toEqual([507, { success: false, error, message }]);
  const body = { name: 'x', body: megabyte };
  expect((await full.admin('POST', '/templates', { body })).status).toBe(507);
  await mock.admin('PUT', '/state', { body: { leads: Array(20_000).fill({ name: 'x' }) } });
  expect((await mock.call('POST', '/api/v1/leads', { body: { name: 'x' } })).status).toBe(507);
});

/** Workspaces without a server. */
const createTestWorkspaces = (options: Partial<WorkspacesOptions> = {}): Workspaces =>
  createWorkspaces({
    acceptKeys: [],
    answers: assumedAnswers(),
    outboxLimit: 1000,
    version: '0.0.0',
    redact: String,
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

test('a missing message may have been in one that was dropped, whose cursor leaves out nothing of the next', () => {
  const workspaces = createTestWorkspaces({ limit: 2 });
  const explain = () => workspaces.peek('test_1').explain('message');
  const page = (since?: string) => workspaces.peek('test_1').outbox.page([], { since });
  for (const _ of [1, 2, 3]) workspaces.getOrCreate('test_1').outbox.capture(mailOf(10));
  const { cursor } = page();
  for (const key of ['test_2', 'test_3']) workspaces.getOrCreate(key);
  expect(explain()).toEqual(['the mock was full and dropped the least recently used: 1 workspace']);
  workspaces.getOrCreate('test_1').outbox.capture(mailOf(10));
  expect(explain()).toEqual([]);
  expect([page(cursor).total, page(page().cursor).total]).toEqual([1, 0]);
});

test('the outbox drops its oldest messages', () => {
  const workspaces = createTestWorkspaces();
  const { outbox } = workspaces.getOrCreate('test_full');
  for (let sent = 0; sent < 35; sent += 1) outbox.capture(mailOf(1_000_000));
  expect(outbox.page()).toMatchObject({ total: 33, dropped: 2 });
  expect(workspaces.status.health().held_characters).toBeLessThan(34_000_000);
});
