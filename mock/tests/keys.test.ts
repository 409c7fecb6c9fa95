import { describe, expect, test } from 'vitest';
import { rejectedWith, useMock } from '../testing/mock-server.ts';

const templates = '/api/v1/email/templates';

describe('without --accept-key', () => {
  const mock = useMock();

  test.each(['test_', 'test_A-z_9', `test_${'a'.repeat(120)}`])('accepts %s', async (key) => {
    expect((await mock.call('GET', templates, { key })).status).toBe(200);
  });

  test.each(['tset_key', 'TEST_key', 'test_ä', 'test_a.b', `test_${'a'.repeat(121)}`, '__proto__'])(
    'refuses %s, and does not show it',
    async (key) => {
      const refused = await mock.call('GET', templates, { key });
      expect(refused.status).toBe(401);
      expect(refused.text).not.toContain(key);
    },
  );

  test.each(['Bearer ', 'bearer test_key', 'Basic dGVzdF9rZXk=', 'Bearer test_a test_b'])(
    'refuses the header "%s"',
    async (authorization) => {
      const refused = await mock.call('GET', templates, { key: null, headers: { authorization } });
      expect(refused).toMatchObject(rejectedWith(401, 'header/Authorization'));
    },
  );

  test.each(['missing', 'malformed', 'unknown'])('names the scheme where a key is %s', async (problem) => {
    const headers = { ...(problem === 'malformed' && { authorization: 'Bearer ' }) };
    const sent = { key: problem === 'unknown' ? 'sk_unknown' : null, headers };
    expect((await mock.call('GET', templates, sent)).headers['www-authenticate']).toBe('Bearer');
  });

  test('does not show a key of 7,000 characters anywhere, which stops no list', async () => {
    const long = `sk_${'a'.repeat(7000)}b`;
    const reply = await mock.call('GET', '/api/v1/x%20y', { key: long });
    expect(reply.status).toBe(404);
    const list = await mock.admin('GET', '/requests?unmatched=true&full=true&limit=1');
    expect(list).toMatchObject({ status: 200, body: { requests: [{ path: '/api/v1/x%20y', status: 404 }] } });
    for (const { text } of [reply, list]) expect(text).not.toContain('aaaa');
  });
});

describe('with --accept-key', () => {
  const secret = 'sk_live_4f9a';
  const mock = useMock({ acceptKeys: [secret, 'test_shared'] });

  test('accepts the keys listed and no other', async () => {
    const statusOf = async (key: string) => (await mock.call('GET', templates, { key })).status;
    expect(await Promise.all([secret, 'test_shared', 'test_key', `${secret}~`].map(statusOf))).toEqual([
      200, 200, 401, 401,
    ]);
  });

  test('the admin API takes such a key, and falls back to one that begins test_', async () => {
    await mock.lead({ name: 'of the secret' }, secret);
    await mock.lead({ name: 'of the shared' }, 'test_shared');
    const leadsAt = async (key: string | null, query = '') =>
      (await mock.admin('GET', `/leads${query}`, { key })).body;
    expect(await leadsAt(secret)).toMatchObject({ leads: [{ name: 'of the secret' }] });
    expect(await leadsAt(null, `?key=${secret}`)).toMatchObject({ leads: [{ name: 'of the secret' }] });
    expect(await leadsAt(null)).toMatchObject({ leads: [{ name: 'of the shared' }] });
  });
});

describe('with real keys only', () => {
  const mock = useMock({ acceptKeys: ['sk_live_4f9a'] });

  test('the admin API guesses none, and none are handed out', async () => {
    const refused = await mock.admin('GET', '/outbox', { key: null });
    const error = 'the request names no workspace, and no accepted key begins with test_';
    expect(refused).toMatchObject(rejectedWith(401, error));
    expect(refused.text).not.toContain('sk_live');
    expect(() => mock.key()).toThrow('use one of them');
  });
});
