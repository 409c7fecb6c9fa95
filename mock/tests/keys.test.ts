import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
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

  test.each([
    [null, {}],
    [null, { authorization: 'Bearer ' }],
    [null, { authorization: 'bearer test_key' }],
    [null, { authorization: 'Basic dGVzdF9rZXk=' }],
    [null, { authorization: 'Bearer test_a test_b' }],
    ['sk_unknown', {}],
  ])('refuses the key %j with %j, and names the scheme', async (key, headers) => {
    const refused = await mock.call('GET', templates, { key, headers });
    expect(refused).toMatchObject(rejectedWith(401, 'header/Authorization'));
    expect(refused.headers['www-authenticate']).toBe('Bearer');
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

const mock = useMock();

type Step = readonly [workspace: number, what: string];

/** What a workspace does; all that it says of itself holds its own name. */
const actions: Readonly<Record<string, (key: string, name: string) => Promise<unknown>>> = {
  lead: (key, name) => mock.lead({ name, source: name }, key),
  mail: (key, name) => mock.mail({ subject: name, to: `${name}@example.com`, html: name }, key),
  template: (key, name) => mock.admin('POST', '/templates', { key, body: { name, body: name } }),
  fault: (key, name) =>
    mock.admin('PUT', '/faults', {
      key,
      body: { rules: [{ operation: 'listTemplates', status: 500, body: name }] },
    }),
  answer: (key) => mock.admin('PATCH', '/answers', { key, body: { 'lead.id-format': 'uuid' } }),
  clock: (key) => mock.admin('PUT', '/clock', { key, body: { now: '2030-01-01T00:00:00Z' } }),
  refused: (key, name) => mock.call('POST', '/api/v1/leads', { key, body: { [name]: name } }),
  lost: (key, name) => mock.call('GET', `/api/v1/${name}`, { key }),
  reset: (key) => mock.admin('POST', '/reset', { key }),
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
          const { text } = await mock.admin('GET', path, { key });
          for (const other of others)
            expect(text.includes(other), `${other} in ${path} of ${key}`).toBe(false);
        }
        const did = plan.filter(([workspace]) => workspace === index).map(([, what]) => what);
        const since = did.slice(did.lastIndexOf('reset') + 1);
        const state = JSON.parse((await mock.admin('GET', '/state', { key })).text);
        const count = (what: string) => since.filter((done) => done === what).length;
        expect(state.leads).toHaveLength(count('lead'));
        expect(state.outbox).toHaveLength(count('mail'));
        expect(state.requests).toHaveLength(
          ['lead', 'mail', 'refused', 'lost'].reduce((sum, what) => sum + count(what), 0),
        );
        expect(state.clock.frozen).toBe(count('clock') > 0);
        const { status } = await mock.call('GET', '/api/v1/email/templates', { key });
        expect(status).toBe(count('fault') > 0 ? 500 : 200);
      }
    }),
    { numRuns: 5 },
  );
});
