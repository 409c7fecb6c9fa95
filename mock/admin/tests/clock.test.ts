import { expect, test } from 'vitest';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
const put = (key: string, body: object) => mock.call('PUT', '/__admin/clock', { key, body });

test('stamps leads, templates, messages and the journal', async () => {
  const key = mock.key();
  await put(key, { now: '2030-05-06T07:08:09Z' });
  const now = '2030-05-06T07:08:09.000Z';
  expect((await mock.lead(key)).created_at).toBe(now);
  const template = await mock.call('POST', '/__admin/templates', { key, body: { name: 'x', body: 'y' } });
  expect(template.body).toMatchObject({ created_at: now });
  await mock.call('POST', '/api/v1/email/template', { key, body: { template_id: '5', variables: {} } });
  for (const path of ['/outbox/latest', '/requests/latest'])
    expect((await mock.call('GET', `/__admin${path}`, { key })).body).toMatchObject({ created_at: now });
  expect((await put(key, { advance_ms: 86_400_000 })).body).toEqual({
    now: '2030-05-07T07:08:09.000Z',
    frozen: true,
  });
  const updated = await mock.call('PUT', '/api/v1/leads/lead_000001', { key, body: { note: 'x' } });
  expect(updated.body).toMatchObject({ data: { updated_at: '2030-05-07T07:08:09.000Z' } });
});

test.each<[object, string]>([
  [{}, 'body changes nothing'],
  [{ now: 'noon' }, 'body/now must be an ISO 8601 time'],
  [{ now: 5 }, 'body/now must be string'],
  [{ advance_ms: 1.5 }, 'body/advance_ms must be integer'],
  [{ advance_ms: Number.MAX_SAFE_INTEGER }, 'body/advance_ms must lead to a time from year 1'],
  [{ advance_ms: 1e15 }, 'body/advance_ms must lead to a time from year 1 to year 9999'],
  [{ now: '0001-01-01T00:00:00Z', advance_ms: -1 }, 'body/advance_ms must lead to a time from year 1'],
  [{ now: '9999-12-31T23:59:59Z', advance_ms: 1000 }, 'body/advance_ms must lead to a time from year 1'],
  [{ now: '0001-01-01T00:00:00+01:00' }, 'body/now must lead to a time from year 1'],
  [{ now: '9999-12-31T23:59:59-23:00' }, 'body/now must lead to a time from year 1'],
  [{ now: '0000-12-31T23:59:59Z', advance_ms: 1e9 }, 'body/now must lead to a time from year 1'],
  [{ frozen: 'yes' }, 'body/frozen must be boolean'],
  [{ advance: 5 }, 'body/advance is not known here; did you mean advance_ms?'],
  [[], 'body must be a JSON object'],
])('%j is refused, and the clock stays', async (body, error) => {
  const key = mock.key();
  await put(key, { now: '2030-05-06T07:08:09Z' });
  expect(await put(key, body)).toMatchObject(rejectedWith(400, error));
  expect((await mock.call('GET', '/__admin/clock', { key })).body).toEqual({
    now: '2030-05-06T07:08:09.000Z',
    frozen: true,
  });
});
