import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  tuple,
} from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { seedTemplates } from '../../mail/seed-templates.ts';
import type { WorkspaceState } from '../../nouns/state.ts';
import { anyText } from '../../testing/any-text.ts';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const seeded = useMock({
  seed: {
    templates: [{ name: 'One', body: '{{a}}' }],
    leads: [{ name: 'Lena' }, { lead_id: 'lead_000007', name: 'Tom', source: 'web' }],
    outbox: [{ operation: 'sendEmail', to: 'b@example.com', html: '<p>1234</p>' }],
    faults: [{ operation: 'deleteLead', status: 503 }],
    clock: { now: '2026-03-02T10:15:30Z' },
    answers: { 'success.error-field': 'empty' },
  },
});
const state = async (key: string, from = mock) => {
  const { status, text } = await from.call('GET', '/__admin/state', { key });
  expect(status).toBe(200);
  return text;
};
const put = (key: string, body: object | string) => mock.call('PUT', '/__admin/state', { key, body });

/** Something of everything. */
const fill = async (key: string): Promise<void> => {
  await mock.lead(key, { name: 'one', note: '𝄞 __proto__' });
  const { lead_id } = await mock.lead(key);
  await mock.call('PUT', `/api/v1/leads/${lead_id}`, { key, body: { note: 'changed' } });
  await mock.call('DELETE', '/api/v1/leads/lead_000001', { key });
  await mock.call('POST', '/__admin/templates', { key, body: { name: 'Six', body: '{{x}} {{__proto__}}' } });
  const body = { template_id: '6', variables: { x: '1', ['__proto__']: '2' } };
  await mock.call('POST', '/api/v1/email/template', { key, body: JSON.stringify(body) });
  await mock.call('PATCH', '/__admin/answers', { key, body: { 'lead.id-format': 'uuid' } });
  await mock.call('PUT', '/__admin/faults', {
    key,
    body: { rules: [{ nth: 9, status: 500, body: { a: null } }] },
  });
  await mock.call('POST', '/api/v1/leads', { key, body: '{' });
  await mock.call('PUT', '/__admin/clock', { key, body: { advance_ms: 3_600_000 } });
};

describe('the state', () => {
  test('is the same after every GET and HEAD', async () => {
    await fill(key);
    const before = await state(key);
    const ids = ['/outbox/latest', '/templates/1', '/leads/lead_000001', '/requests/latest'];
    for (const path of ['/reset', '/outbox', '/requests', '/leads', '/clock', '/faults', '/answers', ...ids])
      for (const method of ['GET', 'HEAD']) await mock.call(method, `/__admin${path}`, { key });
    expect(await state(key)).toBe(before);
  });

  test('put into another workspace is equal there, and goes on alike', async () => {
    const [one, two] = [mock.key(), mock.key()];
    await fill(one);
    const text = await state(one);
    expect((await put(two, text)).status).toBe(200);
    expect(await state(two)).toBe(text);
    await mock.call('PATCH', '/__admin/answers', { key: two, body: { 'lead.id-format': 'prefixed' } });
    expect((await mock.lead(two)).lead_id).toBe('lead_000003');
  });

  test('goes round whatever was put, if it was taken', async () => {
    const [key, other] = [mock.key(), mock.key()];
    const number = oneof(
      nat(3),
      constantFrom(999_999_999_998, 1_735_689_600_000, 99_999_999_999_999, 2 ** 53),
    );
    const digits = tuple(constantFrom('', 'lead_', 'msg_', 'req_', 'x'), number).map((parts) =>
      parts.join(''),
    );
    const id = oneof(digits, anyText(), constantFrom('wait', 'latest', 'x'.repeat(1000)));
    const time = constantFrom(
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59-23:00',
      '2026-03-02T10:15:30.5+01:00',
    );
    const content = anyText();
    const document = record(
      {
        leads: array(record({ lead_id: id, name: content, note: content }, { requiredKeys: ['name'] })),
        templates: array(record({ id, name: content, body: content }, { requiredKeys: ['name', 'body'] })),
        outbox: array(
          record(
            { id, operation: constantFrom('sendEmail', 'sendTemplateEmail'), html: content },
            { requiredKeys: ['operation'] },
          ),
        ),
        clock: oneof(record({ now: time }), record({ offset_ms: oneof(number, integer()) })),
        answers: constantFrom({}, { 'lead.id-format': 'integer' }, { 'lead.id-format': 'uuid' }),
        counters: record(
          { leads: number, templates: number, messages: number, requests: number },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const running = { now: '9999-12-31T23:59:59.999Z', frozen: false };
    let taken = 0;
    await assert(
      asyncProperty(document, boolean(), async (given, runs) => {
        const { status } = await put(key, given);
        expect([200, 400]).toContain(status);
        if (status === 400) return;
        taken += 1;
        await mock.lead(key);
        await mock.call('POST', '/__admin/templates', { key, body: { name: 'x', body: 'y' } });
        if (runs) await mock.call('PUT', '/__admin/clock', { key, body: running });
        const text = await state(key);
        expect((await put(other, text)).status).toBe(200);
        expect(await state(other)).toBe(text);
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(taken).toBeGreaterThan(10);
  });

  test('with nothing in it is an untouched workspace', async () => {
    const untouched = await state(key);
    await fill(key);
    await put(key, {});
    expect(await state(key)).toBe(untouched);
    expect(JSON.parse(untouched)).toEqual({
      leads: [],
      templates: seedTemplates,
      outbox: [],
      requests: [],
      faults: [],
      clock: { frozen: false, offset_ms: 0 },
      answers: {},
      counters: { leads: 0, templates: 5, messages: 0, requests: 0 },
    });
  });

  test.each<[object | string, string]>([
    [{ lead: [] }, 'body/lead is not known here; did you mean leads?'],
    [{ leads: [{ name: 'x' }, { nam: 'x' }] }, 'body/leads/1/nam is not known here; did you mean name?'],
    [{ leads: [{ name: 7 }] }, 'body/leads/0/name must be string'],
    [
      {
        leads: [
          { lead_id: 'a', name: 'x' },
          { lead_id: 'a', name: 'y' },
        ],
      },
      'body/leads/1/lead_id is there twice',
    ],
    [
      { leads: [{ name: 'x', created_at: '2026-02-30T00:00:00Z' }] },
      'body/leads/0/created_at must match format',
    ],
    [{ leads: [{ name: 'x', created_at: '2026-02-03T00:00:00+01:00' }] }, 'must be in UTC'],
    [
      { templates: [{ name: 'x', body: '{{a}}', variables: ['b'] }] },
      'body/templates/0/variables must be the placeholders',
    ],
    [
      { outbox: [{ id: 'latest', operation: 'sendEmail' }] },
      'body/outbox/0/id must not be "latest" or "wait": ',
    ],
    [{ outbox: [{ operation: 'send' }] }, 'body/outbox/0/operation must be one of sendEmail'],
    [
      { answers: { 'send.too': 'x' } },
      'body/answers/send.too is not an open question; did you mean send.to?',
    ],
    [{ answers: { 'send.to': 'maybe' } }, 'body/answers/send.to cannot be "maybe": the answers are optional'],
    [{ answers: { 'auth.missing-status': 403 } }, "body/answers/auth.missing-status is the server's"],
    [{ faults: [{}] }, 'body/faults/0 does nothing'],
    [{ clock: { frozen: true } }, 'body/clock is frozen, but at no time'],
    [{ clock: { now: 'noon' } }, 'body/clock/now must be an ISO 8601 time'],
    [{ clock: { offset_ms: 1e300 } }, 'body/clock/offset_ms'],
    [{ clock: { offset_ms: -200_000_000_000_000 } }, 'body/clock/offset_ms must lead to a time from year 1'],
    [{ clock: { now: '0000-01-01T00:00:00Z' } }, 'body/clock/now must lead to a time from year 1'],
    [{ clock: { now: '9999-12-31T23:59:59-23:00' } }, 'body/clock/now must lead to a time from year 1'],
    [{ clock: { now: '2026-03-02T10:15:30Z', offset_ms: 5 } }, 'body/clock has both a now'],
    ['[]', 'body must be a JSON object'],
    ['{', 'body is not JSON'],
  ])('%j is refused whole', async (body, error) => {
    await mock.lead(key);
    const before = await state(key);
    expect(await put(key, body)).toMatchObject(rejectedWith(400, error));
    expect(await state(key)).toBe(before);
  });

  test.each<[string, object, string[]]>([
    ['1735689600000', {}, ['lead_1735689600001', 'lead_1735689600002']],
    ['lead_9007199254740993', {}, ['lead_000001', 'lead_000002']],
    ['x', { leads: 999_999_999 }, ['lead_1000000000', 'lead_1000000001']],
    ['lead_000002', { leads: 1 }, ['lead_000003', 'lead_000004']],
  ])('goes on after lead %s and counters %j', async (lead_id, counters, ids) => {
    const [key, other] = [mock.key(), mock.key()];
    expect((await put(key, { leads: [{ name: 'x', lead_id }], counters })).status).toBe(200);
    expect([(await mock.lead(key)).lead_id, (await mock.lead(key)).lead_id]).toEqual(ids);
    const text = await state(key);
    expect((await put(other, text)).status).toBe(200);
    expect(await state(other)).toBe(text);
  });

  test('gives no lead the id of another, though a uuid does not tell its number', async () => {
    await mock.call('PATCH', '/__admin/answers', { key, body: { 'lead.id-format': 'uuid' } });
    const { lead_id } = await mock.lead(key);
    const answers = { 'lead.id-format': 'uuid' };
    await put(key, { answers, leads: [{ lead_id, name: 'x' }, { name: 'y' }] });
    await mock.lead(key);
    const { leads } = JSON.parse(await state(key)) as WorkspaceState;
    expect(new Set(leads.map((lead) => lead.lead_id)).size).toBe(3);
    await put(key, { answers, leads: [{ lead_id, name: 'x' }] });
    expect((await mock.lead(key)).lead_id).not.toBe(lead_id);
  });

  test('may be larger than other bodies', async () => {
    const leads = Array.from({ length: 30_000 }, (_, number) => ({
      name: `n${number}`,
      note: 'x'.repeat(60),
    }));
    expect((await put(key, { leads })).status).toBe(200);
    expect((await mock.call('GET', '/__admin/leads?limit=0', { key })).body).toMatchObject({ total: 30_000 });
    expect((await mock.call('PUT', '/__admin/faults', { key, body: { leads } })).status).toBe(413);
  });
});

describe('a workspace nobody changed', () => {
  const plain = useMock({
    seed: { leads: [{ name: 'Lena' }], outbox: [{ operation: 'sendEmail', to: 'b@example.com' }] },
  });

  test('reads the same every time, and after it is made', async () => {
    const [key, other] = [plain.key(), plain.key()];
    const before = await state(key, plain);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await state(key, plain)).toBe(before);
    expect(await state(other, plain)).toBe(before);
    await plain.call('POST', '/__admin/reset', { key });
    expect(await state(key, plain)).toBe(before);
  });

  test('has cursors that are good when it is made', async () => {
    const key = plain.key();
    const page = async (query = '') =>
      (await plain.call('GET', `/__admin/outbox${query}`, { key })).body as {
        cursor: string;
        total: number;
      };
    const { cursor, total } = await page();
    expect([total, (await page(`?since=${cursor}`)).total]).toEqual([1, 0]);
    const early = await plain.call('GET', `/__admin/outbox/wait?since=${cursor}&timeout_ms=1`, { key });
    expect(early.status).toBe(404);
    await plain.mail(key);
    expect((await page(`?since=${cursor}`)).total).toBe(1);
    const requests = (query: string) => plain.call('GET', `/__admin/requests${query}`, { key });
    expect((await requests('')).body).toMatchObject({ total: 1 });
  });
});

describe('a seed', () => {
  test('is what every workspace starts from and resets to', async () => {
    const key = seeded.key();
    const before = await state(key, seeded);
    expect(JSON.parse(before)).toMatchObject({
      templates: [{ id: '1', name: 'One', variables: ['a'], created_at: '2026-03-02T10:15:30.000Z' }],
      leads: [
        { lead_id: 'lead_000008', name: 'Lena', source: '', created_at: '2026-03-02T10:15:30.000Z' },
        { lead_id: 'lead_000007', name: 'Tom' },
      ],
      outbox: [{ id: 'msg_000001', to: 'b@example.com', subject: null }],
      clock: { frozen: true },
      counters: { leads: 8, messages: 1 },
    });
    const lead = await seeded.lead(key);
    expect(lead).toMatchObject({ lead_id: 'lead_000009', created_at: '2026-03-02T10:15:30.000Z' });
    const refused = await seeded.call('DELETE', '/api/v1/leads/lead_000007', { key });
    expect(refused.status).toBe(503);
    await seeded.call('POST', '/__admin/reset', { key });
    expect(await state(key, seeded)).toBe(before);
  });
});

test('the answers of a seed hold from the first request on', async () => {
  const { body } = await seeded.call('POST', '/api/v1/leads', { key: seeded.key(), body: { name: 'x' } });
  expect(body).toMatchObject({ success: true, error: '' });
});
