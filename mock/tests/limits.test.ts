import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { exchange, useMock } from '../testing/mock-server.ts';

// Without a look at every reply, which takes long where it is large.
const mock = useMock({}, startMock);

test.each<[string, () => string]>([
  [
    'leads that a workspace has no room for',
    () => `{"leads":[${'{"name":"x"},'.repeat(60_000)}{"name":"x"}]}`,
  ],
  [
    'templates that it has none for',
    () => JSON.stringify({ templates: [{ name: 'x', body: 'x'.repeat(9_000_000) }] }),
  ],
  ['a state of too many values', () => `{"leads":[${'{"name":""},'.repeat(600_000)}{"name":""}]}`],
  ['a state of too many bytes', () => JSON.stringify({ leads: [{ name: 'x'.repeat(17_000_000) }] })],
])('PUT /state refuses %s, and replaces nothing', async (_what, body) => {
  const key = mock.key();
  await mock.lead(key);
  const state = async () => (await mock.call('GET', '/__admin/state', { key })).text;
  const before = await state();
  expect((await mock.call('PUT', '/__admin/state', { key, body: body() })).status).toBe(413);
  expect(await state()).toBe(before);
});

test('a state that PUT would refuse cannot be read', async () => {
  const key = mock.key();
  for (let sent = 0; sent < 17; sent += 1) await mock.mail(key, { subject: 'x'.repeat(1_000_000) });
  expect(await mock.call('GET', '/__admin/state', { key })).toMatchObject({
    status: 413,
    body: { error: expect.stringMatching(/^the state cannot be read, as PUT would reject it/) },
  });
});

test('a store that is full refuses leads and templates with 507, and names the limit', async () => {
  const key = mock.key();
  const large = { name: 'n'.repeat(1_000_000) };
  const statuses: number[] = [];
  for (let sent = 0; sent < 17; sent += 1)
    statuses.push((await mock.call('POST', '/api/v1/leads', { key, body: large })).status);
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]));
  expect((await mock.call('POST', '/api/v1/leads', { key, body: large })).body).toMatchObject({
    success: false,
    error: 'there is no room for these leads: a workspace has at most 40000, of 16777216 characters',
    message: 'Nothing was stored. Delete some of them, or reset the workspace.',
  });
  const template = { name: 'x', body: 'y'.repeat(1_000_000) };
  const added: number[] = [];
  for (let sent = 0; sent < 9; sent += 1)
    added.push((await mock.call('POST', '/__admin/templates', { key, body: template })).status);
  expect(added).toEqual([...Array(8).fill(201), 507]);
});

test('the outbox drops its oldest messages', async () => {
  await using small = await startMock({ outboxBytes: 8 * 1024 * 1024 });
  for (let sent = 0; sent < 10; sent += 1) {
    const body = { subject: String(sent), from: 'a@example.com', html: 'я'.repeat(500_000) };
    expect((await exchange(`${small.url}/api/v1/email/send`, 'POST', { body })).status).toBe(200);
  }
  expect(small.state().outbox.length).toBe(8);
  expect((await exchange(`${small.url}/__admin/health`, 'GET')).body).toMatchObject({
    limits: { outbox_characters: 4_194_304 },
    dropped: { messages: 2 },
  });
});
