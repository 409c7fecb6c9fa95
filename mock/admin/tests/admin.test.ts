import { expect, test } from 'vitest';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();

test('the workspace is that of the header, else of ?key=, else of test_key', async () => {
  const other = mock.key();
  await mock.lead({ name: 'one' });
  await mock.lead({ name: 'two' }, other);
  await mock.lead({ name: 'of test_key' }, 'test_key');
  const leadsOf = async (key: string | null, query: string) =>
    (await mock.admin('GET', `/leads${query}`, { key })).body;
  expect(await leadsOf(mock.own, `?key=${other}`)).toMatchObject({ leads: [{ name: 'one' }] });
  expect(await leadsOf(null, `?key=${other}`)).toMatchObject({ leads: [{ name: 'two' }] });
  expect(await leadsOf(null, '')).toMatchObject({ leads: [{ name: 'of test_key' }] });
});

test.each(['?key=', '?key=secret', '?key=__proto__', '?key=test_%00'])('%s is refused', async (query) => {
  const refused = await mock.admin('GET', `/leads${query}`, { key: null });
  expect(refused).toMatchObject(rejectedWith(401, 'the key is not accepted'));
  // A malformed header too, even beside a good ?key=.
  const headers = { authorization: 'Basic x' };
  expect((await mock.admin('GET', '/leads?key=test_key', { key: null, headers })).status).toBe(401);
});

test('leads are listed in pages, and found by their ids', async () => {
  for (const name of ['a', 'b', 'c']) await mock.lead({ name });
  const leads = [{ lead_id: 'lead_000002', name: 'b' }];
  expect(await mock.read('/leads?start=1&limit=1')).toMatchObject({ leads, total: 3 });
  for (const id of ['nobody', '__proto__', '%2e%2e'])
    expect((await mock.admin('GET', `/leads/${id}`)).status).toBe(404);
});

const fields = { name: 'Hello', body: '<p>{{a}} {{b}} {{a}}</p>' };
const post = (body: object | string, key = mock.own) => mock.admin('POST', '/templates', { key, body });

test('a new template is listed by the service, with the variables of its body; an id may be chosen, once', async () => {
  const made = await post(fields);
  expect(made).toMatchObject({ status: 201, body: { id: '6', ...fields, variables: ['a', 'b'] } });
  const { body } = await mock.call('GET', '/api/v1/email/templates');
  expect((body as { data: unknown[] }).data.at(-1)).toEqual(made.body);
  const chosen = { ...fields, id: 'welcome back' };
  expect([(await post(chosen)).status, (await post(chosen)).status]).toEqual([201, 409]);
  expect(await mock.read('/templates/welcome%20back')).toMatchObject(chosen);
});

test('a template that GET returned can be put, in another workspace too', async () => {
  const body = await mock.read<{ created_at: string }>('/templates/1');
  expect(await mock.admin('PUT', '/templates/1', { body })).toMatchObject({ status: 200, body });
  const changed = await mock.admin('PUT', '/templates/1', { body: fields });
  expect(changed.body).toMatchObject({ id: '1', ...fields, created_at: body.created_at });
  const copy = { ...body, id: 'copy' };
  expect(await post(copy, mock.key())).toMatchObject({ status: 201, body: copy });
});

test('a deleted template is gone, and its id is not given out again, nor after the state went round', async () => {
  const other = mock.key();
  expect((await mock.admin('DELETE', '/templates/5')).body).toEqual({ deleted: '5' });
  for (const method of ['GET', 'DELETE']) expect((await mock.admin(method, '/templates/5')).status).toBe(404);
  const body = { template_id: '5', variables: {} };
  expect((await mock.call('POST', '/api/v1/email/template', { body })).status).toBe(404);
  expect((await post(fields)).body).toMatchObject({ id: '6' });
  await mock.admin('DELETE', '/templates/6');
  await mock.admin('PUT', '/state', { key: other, body: await mock.read<object>('/state') });
  for (const one of [mock.own, other]) expect((await post(fields, one)).body).toMatchObject({ id: '7' });
  await mock.admin('POST', '/reset');
  expect((await post(fields)).body).toMatchObject({ id: '6' });
});

test('an email that is too long to be rendered is refused', async () => {
  await post({ name: 'Echo', id: 'echo', body: '{{a}}'.repeat(20_000) });
  const mail = { template_id: 'echo', variables: { a: 'x'.repeat(1_000_000) } };
  expect((await mock.call('POST', '/api/v1/email/template', { body: mail })).status).toBe(413);
});

test.each([
  ['HEAD', '/events', 405, 'GET'],
  ['OPTIONS', '/outbox/wait', 405, 'GET'],
  ['GET', '/requests/count', 405, 'POST'],
  ['PATCH', '/requests/latest', 405, 'GET, HEAD'],
  ['PATCH', '/outbox', 405, 'GET, HEAD, DELETE'],
  ['HEAD', '/outbox', 200, undefined],
  ['GET', '', 404, undefined],
  ['PROPFIND', '/reset', 405, 'POST'],
])('%s %s is %d, allowed are %j', async (method, path, status, allow) => {
  const reply = await mock.admin(method, path);
  expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
});

test.each([
  ['GET', '/outbox/latest/', 'Did you mean GET /__admin/outbox/latest?'],
  ['GET', '/outbox//html', 'Did you mean GET /__admin/outbox/{id}/html?'],
  ['POST', '/fault', 'Did you mean PUT /__admin/faults?'],
  ['GET', '/request/req_000001', 'Did you mean GET /__admin/requests?'],
])('where there is no %s %s, it says: %s', async (method, path, hint) => {
  const message = `${hint} All routes are at /__admin/openapi.json.`;
  const body = { error: `there is no /__admin${path}`, message };
  expect(await mock.admin(method, path)).toMatchObject({ status: 404, body });
});

test('a path that cannot be decoded is refused', async () => {
  const refused = await mock.admin('GET', '/leads/%zz?key=secret');
  expect(refused).toMatchObject(rejectedWith(400, 'the path cannot be decoded'));
  expect(refused.headers['cache-control']).toBe('no-store');
});

test('the clock stamps leads, templates, messages and the journal', async () => {
  const put = (body: object) => mock.admin('PUT', '/clock', { body });
  await put({ now: '2030-05-06T08:08:09.0+01:00' });
  const now = '2030-05-06T07:08:09.000Z';
  expect((await mock.lead()).created_at).toBe(now);
  const template = await mock.admin('POST', '/templates', { body: { name: 'x', body: 'y' } });
  expect(template.body).toMatchObject({ created_at: now });
  await mock.mail();
  for (const path of ['/outbox/latest', '/requests/latest'])
    expect(await mock.read(path)).toMatchObject({ created_at: now });
  const later = '2030-05-07T07:08:09.000Z';
  expect((await put({ advance_ms: 86_400_000 })).body).toEqual({ now: later, frozen: true });
  const updated = await mock.call('PUT', '/api/v1/leads/lead_000001', { body: { note: 'x' } });
  expect(updated.body).toMatchObject({ data: { updated_at: later } });
});
