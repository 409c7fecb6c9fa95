import { expect, test } from 'vitest';
import type { WorkspaceState } from '../nouns/state.ts';
import { rejectedWith, useMock } from '../testing/mock-server.ts';

const templates = '/api/v1/email/templates';

const mock = useMock();
const real = useMock({ acceptKeys: ['sk_live_4f9a'] });

test.each(['test_', 'test_A-z_9', `test_${'a'.repeat(120)}`])('by default %s is accepted', async (key) => {
  expect((await mock.call('GET', templates, { key })).status).toBe(200);
});

const noKeys = ['TEST_key', 'test_ä', 'test_a.b', `test_${'a'.repeat(121)}`, '__proto__'];

test.each(noKeys)('by default %s is refused, and not shown', async (key) => {
  const refused = await mock.call('GET', templates, { key });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(refused.text).not.toContain(key);
});

test('with real keys only, the admin API guesses none, and none are handed out', async () => {
  const refused = await real.admin('GET', '/outbox', { key: null });
  const error = 'the request names no workspace, and no accepted key begins with test_';
  expect(refused).toMatchObject(rejectedWith(401, error));
  expect(refused.text).not.toContain('sk_live');
  expect(() => real.key()).toThrow('use one of them');
});

test('nothing of one workspace is ever seen in another, whatever they do at once', async () => {
  const [one, other, idle] = [mock.key(), mock.key(), mock.key()];
  const untouched = await mock.read('/state', idle);
  /** All that a workspace says of itself holds its own name. */
  const fill = (key: string) => {
    const rules = [{ nth: 9, status: 500, body: key }];
    return Promise.all([
      mock.lead({ name: key }, key),
      mock.mail({ subject: key }, key),
      mock.call('GET', `/api/v1/${key}`, { key }),
      mock.admin('POST', '/templates', { key, body: { name: key, body: key } }),
      mock.admin('PUT', '/faults', { key, body: { rules } }),
      mock.admin('PATCH', '/answers', { key, body: { 'lead.id-format': 'uuid' } }),
      mock.admin('PUT', '/clock', { key, body: { now: '2030-01-01T00:00:00Z' } }),
    ]);
  };
  await Promise.all([one, other].map(fill));
  for (const [key, foreign] of [[one, other] as const, [other, one] as const]) {
    const { leads, outbox, requests, faults, clock } = await mock.read<WorkspaceState>('/state', key);
    expect([leads, outbox, requests, faults].map(({ length }) => length)).toEqual([1, 1, 3, 1]);
    expect(clock.frozen).toBe(true);
    expect(JSON.stringify(await mock.read('/state', key))).not.toContain(foreign);
  }
  const before = await mock.read('/state', one);
  await mock.admin('POST', '/reset', { key: other });
  expect(await mock.read('/state', one)).toEqual(before);
  for (const key of [other, idle]) expect(await mock.read('/state', key)).toEqual(untouched);
});
