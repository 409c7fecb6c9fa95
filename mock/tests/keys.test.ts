import { expect, test } from 'vitest';
import type { WorkspaceState } from '../nouns/state.ts';
import { rejectedWith, useMock } from '../testing/mock-server.ts';

const templates = '/api/v1/email/templates';

const secret = 'sk_live_4f9a';
const mock = useMock();
const real = useMock({ acceptKeys: [secret] });

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

/** What a workspace does; all that it says of itself holds its own name. */
const actions: readonly ((key: string, name: string) => Promise<unknown>)[] = [
  (key, name) => mock.lead({ name, source: name }, key),
  (key, name) => mock.mail({ subject: name, to: `${name}@example.com`, html: name }, key),
  (key, name) => mock.admin('POST', '/templates', { key, body: { name, body: name } }),
  (key, name) =>
    mock.admin('PUT', '/faults', { key, body: { rules: [{ nth: 9, status: 500, body: name }] } }),
  (key) => mock.admin('PATCH', '/answers', { key, body: { 'lead.id-format': 'uuid' } }),
  (key) => mock.admin('PUT', '/clock', { key, body: { now: '2030-01-01T00:00:00Z' } }),
  (key, name) => mock.call('POST', '/api/v1/leads', { key, body: { [name]: name } }),
  (key, name) => mock.call('GET', `/api/v1/${name}`, { key }),
];

test('nothing of one workspace is ever seen in another, whatever they do at once', async () => {
  const names = ['anna', 'berta', 'clara', 'dora'];
  const untouched = await mock.read('/state', 'test_idle');
  /** All that there is to do, beginning with another action each; one of them is reset in the middle. */
  const act = async (name: string, turn: number): Promise<void> => {
    for (const [at] of actions.entries()) {
      if (turn === 0 && at === 6) await mock.admin('POST', '/reset', { key: `test_${name}` });
      await actions[(at + 2 * turn) % actions.length]?.(`test_${name}`, name);
    }
  };
  await Promise.all(names.map(act));
  for (const [turn, name] of names.entries()) {
    const state = await mock.read<WorkspaceState>('/state', `test_${name}`);
    const shown = JSON.stringify(state);
    for (const other of names) expect(shown.includes(other), `${other} in ${name}`).toBe(other === name);
    const { leads, outbox, requests, faults, clock } = state;
    expect([leads.length, outbox.length, faults.length, clock.frozen]).toEqual(
      turn === 0 ? [0, 0, 0, false] : [1, 1, 1, true],
    );
    expect(requests).toHaveLength(turn === 0 ? 2 : 4);
  }
  expect(await mock.read('/state', 'test_idle')).toEqual(untouched);
});
