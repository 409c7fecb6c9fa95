import { describe, expect, test } from 'vitest';
import { type Sent, useMock } from '../../testing/mock-server.ts';

const mock = useMock({ answers: { 'lead.source': 'required', 'auth.missing-status': 403 } });
const lead = { name: 'Lena', source: 'web', note: 'x' };

const patch = (key: string | null, body: object) => mock.call('PATCH', '/__admin/answers', { key, body });
const get = async (key: string) => (await mock.call('GET', '/__admin/answers', { key })).body;
const add = (key: string, body: object | string = lead, sent: Sent = {}) =>
  mock.call('POST', '/api/v1/leads', { key, body, ...sent });

test('the answers of a workspace are the server’s until it has its own, change it alone, and are put back by a reset', async () => {
  const [one, other] = [mock.key(), mock.key()];
  expect(await get(one)).toMatchObject({ 'lead.source': 'required', 'send.to': 'optional' });
  expect(await patch(one, { 'lead.id-format': 'integer', 'lead.source': 'optional' })).toMatchObject({
    status: 200,
    body: { 'lead.id-format': 'integer', 'lead.source': 'optional', 'send.to': 'optional' },
  });
  expect((await add(one, { name: 'Lena' })).body).toMatchObject({ data: { lead_id: '1', source: '' } });
  expect((await add(other)).body).toMatchObject({ data: { lead_id: 'lead_000001' } });
  expect((await add(other, { name: 'Lena' })).status).toBe(400);
  await mock.call('POST', '/__admin/reset', { key: one });
  expect(await get(one)).toMatchObject({ 'lead.id-format': 'prefixed', 'lead.source': 'required' });
});

describe('what cannot be answered changes nothing', () => {
  test.each<[object, string]>([
    [
      { 'send.too': 'required' },
      'there is no open question "send.too"; did you mean send.to? Its answers are optional, required',
    ],
    [{ 'send.too': null }, 'there is no open question "send.too"; did you mean send.to?'],
    [{ 'send.to': 'maybe' }, 'send.to cannot be "maybe": the answers are optional, required'],
    [{ 'send.to': { required: true } }, 'body/send.to must be string or integer or null'],
    [
      { 'auth.missing-status': 400 },
      "auth.missing-status is the server's: a request without an accepted key",
    ],
    [{ 'auth.missing-status': null }, "auth.missing-status is the server's"],
    ...[
      ['templates.order', 'unspecified'],
      ['templates.write', 'present'],
      ['events', 'webhooks'],
      ['key-scope', 'scoped'],
    ].map(([id = '', answer = '']): [object, string] => [
      { [id]: answer },
      `${id} cannot be ${answer} in the mock, which does not imitate it`,
    ]),
    [{ constructor: 'x' }, 'there is no open question "constructor"'],
  ])('%j', async (body, said) => {
    const key = mock.key();
    const refused = await patch(key, { 'lead.note': 'required', ...body });
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(said) } });
    expect(await get(key)).toMatchObject({ 'lead.note': 'optional' });
  });

  test('a list', async () => {
    expect(await patch(mock.key(), [])).toMatchObject({
      status: 400,
      body: { error: 'body must be a JSON object, not a list' },
    });
  });
});

describe('judged by the workspace of the header', () => {
  test('paths and methods', async () => {
    const [key, other] = [mock.key(), mock.key()];
    const statuses = (who: string | null) =>
      Promise.all(
        ['/api/v1/email/template', '/api/v1/leads', '/api/v1/email/templates'].map(
          async (path) => (await mock.call('GET', path, { key: who })).status,
        ),
      );
    await patch(key, { 'templates.list-path': 'plural', 'lead.list': 'present' });
    expect(await statuses(key)).toEqual([405, 200, 200]);
    expect(await statuses(other)).toEqual([200, 405, 200]);
    expect(await statuses(null)).toEqual([403, 405, 403]);
    const { headers } = await mock.call('PUT', '/api/v1/leads', { key, body: {} });
    expect(headers.allow).toBe('GET, POST, HEAD, OPTIONS');
  });

  test('statuses, shapes and headers', async () => {
    const key = mock.key();
    await patch(key, {
      'failure.validation-status': 422,
      'failure.unknown-route-status': 410,
      'failure.message-field': 'absent',
      'limits.rate-headers': 'present',
    });
    const refused = await add(key, {});
    expect(refused).toMatchObject({ status: 422, headers: { 'ratelimit-limit': '100' } });
    expect(refused.body).toEqual({ success: false, error: 'body/name and body/source are required' });
    expect((await mock.call('GET', '/api/v1/nothing', { key })).status).toBe(410);
    expect((await mock.call('GET', '/api/v1/%zz', { key })).body).not.toHaveProperty('message');
    expect((await add(mock.key(), {})).headers).not.toHaveProperty('ratelimit-limit');
  });

  test('how large a body may be', async () => {
    const [small, large] = [mock.key(), mock.key()];
    await patch(small, { 'limits.body-size': '64KiB' });
    await patch(large, { 'limits.body-size': 'above-1MiB' });
    const status = async (key: string, length: number) =>
      (await add(key, { ...lead, x: 'x'.repeat(length) })).status;
    expect(await status(small, 60_000)).toBe(200);
    expect(await status(small, 70_000)).toBe(413);
    expect(await status(large, 1_250_000)).toBe(200);
    expect(await status(mock.key(), 1_250_000)).toBe(413);
  });
});

test('many workspaces with answers of their own keep them, each other’s never', async () => {
  const keys = Array.from({ length: 40 }, () => mock.key());
  const limit = (index: number) => 64 + index;
  for (const [index, key] of keys.entries()) await patch(key, { 'lead.name-limit': limit(index) });
  for (const [index, key] of keys.entries()) {
    const name = (length: number) => ({ ...lead, name: 'x'.repeat(length) });
    expect([
      (await add(key, name(limit(index)))).status,
      (await add(key, name(limit(index) + 1))).status,
    ]).toEqual([200, 400]);
  }
});
