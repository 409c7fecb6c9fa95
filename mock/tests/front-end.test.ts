// What front-end developers ran into.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockWorkspace } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { exchange } from '../testing/mock-server.ts';

let mock: Mock;
let own: MockWorkspace;
beforeAll(async () => {
  mock = await startCheckedMock();
});
afterAll(() => mock.close());
const add = (headers: Record<string, string> = {}, key: string | null = own.apiKey) =>
  exchange(`${mock.url}/api/v1/leads`, 'POST', { key, headers, body: { name: 'Lena' } });

describe('the journal', () => {
  test.each<[string, () => Promise<unknown>]>([
    [
      'a fault',
      async () => {
        own.faults.set({ status: 503 });
        await add();
      },
    ],
    [
      'the nth request',
      async () => {
        own.faults.set({ nth: 1, status: 503 });
        await add();
      },
    ],
    ['a preference', () => add({ prefer: 'code=503' })],
  ])('keeps the body under %s', async (_what, send) => {
    own = mock.workspace();
    await send();
    expect(own.requests.latest()).toMatchObject({ status: 503, request: { json: { name: 'Lena' } } });
  });

  test('has a request whose response is delayed', async () => {
    own = mock.workspace();
    own.faults.set({ delay_ms: 60_000 });
    const controller = new AbortController();
    const sent = fetch(`${mock.url}/api/v1/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.apiKey}`, 'content-type': 'application/json' },
      body: '{"name":"Lena"}',
      signal: controller.signal,
    }).catch((error: Error) => error.name);
    expect(await own.requests.waitFor({ operation: 'addLead' })).toMatchObject([
      { id: 'req_000001', status: 200 },
    ]);
    controller.abort();
    expect(await sent).toBe('AbortError');
    await expect.poll(() => own.requests.latest()?.why?.code).toBe('client_gone');
  });

  test('lists requests that reached no operation', async () => {
    own = mock.workspace();
    await add();
    await exchange(`${mock.url}/api/v1/lead`, 'POST', { key: own.apiKey });
    const paths = own.requests.list({ unmatched: true }).map(({ path }) => path);
    expect(paths).toContain('/api/v1/lead');
    expect(paths).not.toContain('/api/v1/leads');
  });

  test('names the request of a message', async () => {
    own = mock.workspace();
    await exchange(`${mock.url}/api/v1/email/send`, 'POST', {
      key: own.apiKey,
      body: { from: 'a@example.com', subject: 'Hi', html: '' },
    });
    expect(own.outbox.latest()?.request_id).toBe(own.requests.latest()?.id);
  });
});

test('a fault of 401 refuses a key as one that has expired', async () => {
  own = mock.workspace();
  own.faults.set({ status: 401 });
  const refused = await exchange(`${mock.url}/api/v1/leads`, 'POST', {
    key: 'sk_unknown',
    body: { name: 'x' },
  });
  const expired = await add();
  expect([expired.status, expired.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect((expired.body as { error: string }).error).toBe((refused.body as { error: string }).error);
});

test.each([
  ['templates.order', 'unspecified'],
  ['templates.write', 'present'],
  ['events', 'webhooks'],
  ['key-scope', 'scoped'],
])('%s cannot be %s, which would change nothing', (id, answer) => {
  own = mock.workspace();
  const message = `${id} cannot be ${answer} in the mock, which does not imitate it`;
  expect(() => own.answers.set({ [id]: answer })).toThrow(message);
  expect(() => createMock({ answers: { [id]: answer } })).toThrow(message);
});

test.each<[() => unknown, string]>([
  [() => createMock({ seed: 'leads.yaml' as never }), 'must be a state, not the path of a file'],
  [() => own.faults.set({ operation: 'createLead' as never, status: 500 }), 'did you mean addLead?'],
  [() => own.requests.list({ operation: 'createLead' }), 'Did you mean addLead?'],
])('%s says what is meant', (use, message) => {
  expect(use).toThrow(message);
});

test('Bearer twice is said so', async () => {
  const { body } = await add({ authorization: 'Bearer Bearer test_key' }, null);
  expect(body).toMatchObject({
    message: expect.stringContaining(
      'The word Bearer is there twice. Write "Authorization: Bearer test_key".',
    ),
  });
});
