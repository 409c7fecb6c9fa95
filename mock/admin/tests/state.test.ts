import { expect, test } from 'vitest';
import { startMock } from '../../index.ts';
import defaultSeed from '../../mail/default-seed.json' with { type: 'json' };
import type { WorkspaceState } from '../../nouns/state.ts';
import { useMock } from '../../testing/mock-server.ts';

const mock = useMock();
const mail = { operation: 'sendEmail', to: 'b@example.com' } as const;
const plain = useMock({ seed: { leads: [{ name: 'Lena' }], outbox: [mail] } }, startMock);
const state = async (key = mock.own, from = mock) => {
  const { status, text } = await from.admin('GET', '/state', { key });
  expect(status).toBe(200);
  return text;
};
const put = (body: object | string, key = mock.own) => mock.admin('PUT', '/state', { key, body });

/** Something of everything. */
const fill = async (): Promise<void> => {
  await mock.lead({ name: 'one', note: '𝄞 __proto__' });
  const { lead_id } = await mock.lead();
  await mock.call('PUT', `/api/v1/leads/${lead_id}`, { body: { note: 'changed' } });
  await mock.call('DELETE', '/api/v1/leads/lead_000001');
  await mock.admin('POST', '/templates', { body: { name: 'Six', body: '{{x}} {{__proto__}}' } });
  const variables = { x: '1', ['__proto__']: '2' };
  const body = JSON.stringify({ template_id: '6', variables });
  await mock.call('POST', '/api/v1/email/template', { body });
  await mock.admin('PATCH', '/answers', { body: { 'lead.id-format': 'uuid' } });
  await mock.admin('PUT', '/faults', { body: { rules: [{ nth: 9, status: 500, body: { a: null } }] } });
  await mock.call('POST', '/api/v1/leads', { body: '{' });
  await mock.admin('PUT', '/clock', { body: { advance_ms: 3_600_000 } });
};

test('the state is the same after every GET and HEAD', async () => {
  await fill();
  const before = await state();
  const ids = ['/outbox/latest', '/templates/1', '/leads/lead_000001', '/requests/latest'];
  for (const path of ['/reset', '/outbox', '/requests', '/leads', '/clock', '/faults', '/answers', ...ids])
    for (const method of ['GET', 'HEAD']) await mock.admin(method, path);
  expect(await state()).toBe(before);
});

test('a state put into another workspace is equal there, and goes on alike', async () => {
  const other = mock.key();
  await fill();
  const text = await state();
  expect((await put(text, other)).status).toBe(200);
  expect(await state(other)).toBe(text);
  await mock.admin('PATCH', '/answers', { key: other, body: { 'lead.id-format': 'prefixed' } });
  expect((await mock.lead(undefined, other)).lead_id).toBe('lead_000003');
});

test('a state with nothing in it is an untouched workspace, and that after a reset', async () => {
  const untouched = await state();
  for (const empty of [() => put({}), () => mock.admin('POST', '/reset')]) {
    await fill();
    expect(await empty()).toMatchObject({ status: 200 });
    expect(await state()).toBe(untouched);
  }
  expect(JSON.parse(untouched)).toEqual({
    leads: [],
    templates: defaultSeed.templates,
    outbox: [],
    requests: [],
    faults: [],
    answers: {},
    clock: { frozen: false, offset_ms: 0 },
    counters: { leads: 0, templates: 5, messages: 0, requests: 0 },
  });
});

test.each<[string, object, string[]]>([
  ['1735689600000', {}, ['lead_1735689600001', 'lead_1735689600002']],
  ['lead_9007199254740993', {}, ['lead_000001', 'lead_000002']],
  ['x', { leads: 999_999_999 }, ['lead_1000000000', 'lead_1000000001']],
  ['lead_000002', { leads: 1 }, ['lead_000003', 'lead_000004']],
])('the state goes on after lead %s and counters %j', async (lead_id, counters, ids) => {
  expect((await put({ leads: [{ name: 'x', lead_id }], counters })).status).toBe(200);
  expect([(await mock.lead()).lead_id, (await mock.lead()).lead_id]).toEqual(ids);
});

test('the state gives no lead the id of another, though a uuid does not tell its number', async () => {
  const answers = { 'lead.id-format': 'uuid' };
  await mock.admin('PATCH', '/answers', { body: answers });
  const { lead_id } = await mock.lead();
  await put({ answers, leads: [{ lead_id, name: 'x' }, { name: 'y' }] });
  await mock.lead();
  const { leads } = JSON.parse(await state()) as WorkspaceState;
  expect(new Set(leads.map((lead) => lead.lead_id)).size).toBe(3);
  await put({ answers, leads: [{ lead_id, name: 'x' }] });
  expect((await mock.lead()).lead_id).not.toBe(lead_id);
});

test('a workspace nobody changed reads the same every time and after it is made, and has cursors that are good then', async () => {
  const before = await state(plain.own, plain);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await state(plain.own, plain)).toBe(before);
  expect(await state(plain.key(), plain)).toBe(before);
  const page = (query = '') => plain.read<{ cursor: string; total: number }>(`/outbox${query}`);
  const { cursor, total } = await page();
  expect([total, (await page(`?since=${cursor}`)).total]).toEqual([1, 0]);
  expect((await plain.admin('GET', `/outbox/wait?since=${cursor}&timeout_ms=1`)).status).toBe(404);
  await plain.mail();
  expect((await page(`?since=${cursor}`)).total).toBe(1);
  await plain.admin('POST', '/reset');
  expect(await state(plain.own, plain)).toBe(before);
});
