import { describe, expect, test } from 'vitest';
import { listOperations } from '../../contract/document.ts';
import { type Sent, useMock } from '../../testing/mock-server.ts';

const mock = useMock({ answers: { 'lead.source': 'required', 'auth.missing-status': 403 } });
const lead = { name: 'Lena', source: 'web', note: 'x' };

const patch = (key: string | null, body: object) => mock.call('PATCH', '/__admin/answers', { key, body });
const get = async (key: string) => (await mock.call('GET', '/__admin/answers', { key })).body;
const add = (key: string, body: object | string = lead, sent: Sent = {}) =>
  mock.call('POST', '/api/v1/leads', { key, body, ...sent });

describe('answers of a workspace', () => {
  test('are the server’s until it has its own', async () => {
    expect(await get(mock.key())).toMatchObject({ 'lead.source': 'required', 'send.to': 'optional' });
  });

  test('change it at once, and it alone', async () => {
    const [one, other] = [mock.key(), mock.key()];
    expect(await patch(one, { 'lead.id-format': 'integer', 'lead.source': 'optional' })).toMatchObject({
      status: 200,
      body: { 'lead.id-format': 'integer', 'lead.source': 'optional', 'send.to': 'optional' },
    });
    expect((await add(one, { name: 'Lena' })).body).toMatchObject({ data: { lead_id: '1', source: '' } });
    expect((await add(other)).body).toMatchObject({ data: { lead_id: 'lead_000001' } });
    expect((await add(other, { name: 'Lena' })).status).toBe(400);
  });

  test('add up; null puts one back', async () => {
    const key = mock.key();
    await patch(key, { 'send.to': 'required', 'lead.source': 'optional' });
    const { body } = await patch(key, { 'lead.source': null, 'lead.note': 'required' });
    expect(body).toMatchObject({ 'send.to': 'required', 'lead.source': 'required', 'lead.note': 'required' });
  });

  test('are put back by a reset', async () => {
    const key = mock.key();
    await patch(key, { 'send.to': 'required' });
    await mock.call('POST', '/__admin/reset', { key });
    expect(await get(key)).toMatchObject({ 'send.to': 'optional', 'lead.source': 'required' });
  });

  test('are read without making a workspace', async () => {
    const size = async () =>
      ((await mock.call('GET', '/__admin/health')).body as { workspaces: number }).workspaces;
    const before = await size();
    await get(mock.key());
    await add(mock.key(), lead, { headers: { authorization: 'Bearer nobody' } });
    expect(await size()).toBe(before);
  });
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

  test.each(['with a length', 'in chunks'])('how large a body may be, %s', async (how) => {
    const [small, large] = [mock.key(), mock.key()];
    await patch(small, { 'limits.body-size': '64KiB' });
    await patch(large, { 'limits.body-size': 'above-1MiB' });
    const status = async (key: string, length: number): Promise<number> => {
      const text = JSON.stringify({ ...lead, x: 'x'.repeat(length) });
      const chunks = new ReadableStream({
        start: (controller) => {
          for (const part of text.match(/.{1,20000}/g) ?? []) controller.enqueue(Buffer.from(part));
          controller.close();
        },
      });
      const reply = await fetch(`${mock.url}/api/v1/leads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: how === 'in chunks' ? chunks : text,
        duplex: 'half',
      } as RequestInit);
      await reply.arrayBuffer();
      return reply.status;
    };
    expect(await status(small, 60_000)).toBe(200);
    expect(await status(small, 70_000)).toBe(413);
    expect(await status(large, 1_250_000)).toBe(200);
    expect(await status(mock.key(), 1_250_000)).toBe(413);
  });

  test('the published contract, as JSON and as YAML', async () => {
    const key = mock.key();
    await patch(key, { 'lead.list': 'present', 'failure.validation-status': 422 });
    const paths = async (sent: Sent) => {
      const { body } = await mock.call('GET', '/openapi.json', sent);
      return listOperations(body as never).map(({ route }) => route);
    };
    expect(await paths({ key })).toContain('get /api/v1/leads');
    for (const who of [null, mock.key(), 'unknown'])
      expect(await paths({ key: who })).not.toContain('get /api/v1/leads');
    const text = async (who: string) => (await mock.call('GET', '/openapi.yaml', { key: who })).text;
    expect(await text(key)).toContain('"422"');
    expect(await text(mock.key())).not.toContain('"422"');
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
