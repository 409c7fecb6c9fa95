import { describe, expect, test } from 'vitest';
import { rejectedWith, useMock } from '../testing/mock-server.ts';

const templates = '/api/v1/email/templates';

describe('without --accept-key', () => {
  const mock = useMock();

  test.each(['test_', 'test_key', 'test_A-z_9', `test_${'a'.repeat(120)}`])('accepts %s', async (key) => {
    expect((await mock.call('GET', templates, { key })).status).toBe(200);
  });

  test.each([
    'tset_key',
    'TEST_key',
    'sk_live_1',
    'test_ä',
    'test_a.b',
    `test_${'a'.repeat(121)}`,
    '__proto__',
  ])('refuses %s', async (key) => {
    const refused = await mock.call('GET', templates, { key });
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain(key);
  });

  test.each([
    'Bearer',
    'Bearer ',
    'bearer test_key',
    'Basic dGVzdF9rZXk=',
    'test_key',
    'Bearer test_a test_b',
  ])('refuses the header "%s"', async (authorization) => {
    const refused = await mock.call('GET', templates, { key: null, headers: { authorization } });
    expect(refused).toMatchObject(rejectedWith(401, 'header/Authorization'));
  });

  test('gives each key a workspace of its own', async () => {
    const [one, other] = [mock.key(), mock.key()];
    const { lead_id } = await mock.lead(one);
    expect((await mock.call('PUT', `/api/v1/leads/${lead_id}`, { key: other, body: {} })).status).toBe(404);
    expect((await mock.call('DELETE', `/api/v1/leads/${lead_id}`, { key: other })).status).toBe(404);
    expect((await mock.call('PUT', `/api/v1/leads/${lead_id}`, { key: one, body: {} })).status).toBe(200);
  });
});

describe('with --accept-key', () => {
  const secret = 'sk_live_4f9a';
  const mock = useMock({ acceptKeys: [secret, 'test_shared'] });

  test('accepts the keys listed and no other', async () => {
    expect((await mock.call('GET', templates, { key: secret })).status).toBe(200);
    expect((await mock.call('GET', templates, { key: 'test_shared' })).status).toBe(200);
    expect((await mock.call('GET', templates, { key: 'test_key' })).status).toBe(401);
    expect((await mock.call('GET', templates, { key: `${secret}~` })).status).toBe(401);
  });

  test('the admin API takes such a key, and falls back to one that begins test_', async () => {
    await mock.lead(secret, { name: 'of the secret' });
    await mock.lead('test_shared', { name: 'of the shared' });
    const nameAt = async (key: string | null, query = '') =>
      ((await mock.call('GET', `/__admin/leads${query}`, { key })).body as { leads: { name: string }[] })
        .leads[0]?.name;
    expect(await nameAt(secret)).toBe('of the secret');
    expect(await nameAt(null, `?key=${secret}`)).toBe('of the secret');
    expect(await nameAt(null)).toBe('of the shared');
  });
});

describe('with real keys only', () => {
  const mock = useMock({ acceptKeys: ['sk_live_4f9a'] });

  test('the admin API guesses none', async () => {
    const refused = await mock.call('GET', '/__admin/outbox', { key: null });
    expect(refused).toMatchObject({
      status: 401,
      body: { error: 'the request names no workspace, and no accepted key begins with test_' },
    });
    expect(refused.text).not.toContain('sk_live');
  });

  test('hands out no keys of its own', () => {
    expect(() => mock.key()).toThrow('use one of them');
  });
});

describe('a key of 7,000 characters', () => {
  const mock = useMock();

  test('is not shown anywhere, and stops no list', async () => {
    const long = `sk_${'a'.repeat(7000)}b`;
    const reply = await mock.call('GET', '/api/v1/x%20y', { key: long });
    expect(reply.status).toBe(404);
    const list = await mock.call('GET', '/__admin/requests?unclaimed=true');
    expect(list).toMatchObject({ status: 200, body: { requests: [{ path: '/api/v1/x%20y', status: 404 }] } });
    const entry = await mock.call('GET', '/__admin/requests/latest?unclaimed=true');
    for (const { text } of [reply, list, entry]) expect(text).not.toContain('aaaa');
  });
});
