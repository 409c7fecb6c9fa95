import { expect, test } from 'vitest';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock({ answers: { 'lead.source': 'required', 'auth.missing-status': 403 } });
const lead = { name: 'Lena', source: 'web', note: 'x' };

const patch = (body: object, key = mock.own) => mock.admin('PATCH', '/answers', { key, body });
const add = (key: string, body: object = lead) => mock.call('POST', '/api/v1/leads', { key, body });

test('the answers of a workspace are the server’s until it has its own, change it alone, and are put back by a reset', async () => {
  const { own } = mock;
  const other = mock.key();
  expect(await mock.read('/answers')).toMatchObject({ 'lead.source': 'required', 'send.to': 'optional' });
  expect(await patch({ 'lead.id-format': 'integer', 'lead.source': 'optional' })).toMatchObject({
    status: 200,
    body: { 'lead.id-format': 'integer', 'lead.source': 'optional', 'send.to': 'optional' },
  });
  expect((await add(own, { name: 'Lena' })).body).toMatchObject({ data: { lead_id: '1', source: '' } });
  expect((await add(other)).body).toMatchObject({ data: { lead_id: 'lead_000001' } });
  expect((await add(other, { name: 'Lena' })).status).toBe(400);
  await mock.admin('POST', '/reset');
  expect(await mock.read('/answers')).toMatchObject({
    'lead.id-format': 'prefixed',
    'lead.source': 'required',
  });
});

test.each<[object, string]>([
  [
    { 'send.too': 'required' },
    'there is no open question "send.too"; did you mean send.to? Its answers are optional, required',
  ],
  [{ 'send.too': null }, 'there is no open question "send.too"; did you mean send.to?'],
  [{ 'send.to': { required: true } }, 'body/send.to must be string or integer or null'],
  [{ 'auth.missing-status': 400 }, "auth.missing-status is the server's: a request without an accepted key"],
  [{ 'auth.missing-status': null }, "auth.missing-status is the server's"],
  [{ events: 'webhooks' }, 'events cannot be webhooks in the mock, which does not imitate it'],
])('%j is no answer, and changes nothing', async (body, said) => {
  expect(await patch({ 'lead.note': 'required', ...body })).toMatchObject(rejectedWith(400, said));
  expect(await mock.read('/answers')).toMatchObject({ 'lead.note': 'optional' });
});

test('paths and methods are judged by the workspace of the header', async () => {
  const statuses = (key: string | null) =>
    Promise.all(
      ['email/template', 'leads', 'email/templates'].map(
        async (path) => (await mock.call('GET', `/api/v1/${path}`, { key })).status,
      ),
    );
  await patch({ 'templates.list-path': 'plural', 'lead.list': 'present' });
  expect(await statuses(mock.own)).toEqual([405, 200, 200]);
  expect(await statuses(mock.key())).toEqual([200, 405, 200]);
  expect(await statuses(null)).toEqual([403, 405, 403]);
  const { headers } = await mock.call('PUT', '/api/v1/leads', { body: {} });
  expect(headers.allow).toBe('GET, HEAD, POST, OPTIONS');
});
