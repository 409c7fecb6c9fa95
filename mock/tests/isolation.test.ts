import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { useMock } from '../testing/mock-server.ts';

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
