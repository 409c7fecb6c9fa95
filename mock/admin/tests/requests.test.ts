import { expect, test } from 'vitest';
import { startMock, version } from '../../index.ts';
import type { JournalEntry } from '../../nouns/journal.ts';
import { exchange, type Received, type Sent, useMock } from '../../testing/mock-server.ts';
import { rawExchange } from '../../testing/raw-http.ts';

const mock = useMock();
type Page = { readonly requests: JournalEntry[]; readonly total: number; readonly cursor: string };
const requests = (query = '', key?: string) => mock.read<Page>(`/requests${query}`, key);
const latest = () => mock.read<JournalEntry>('/requests/latest');
const count = (filter?: object) => mock.admin('POST', '/requests/count', filter ? { body: filter } : {});
const post = (body: object | string, headers = {}) => mock.call('POST', '/api/v1/leads', { body, headers });

// Without those that Node.js adds when it writes them.
const given = ({ date, connection, 'keep-alive': _, 'content-length': __, ...rest }: Received['headers']) =>
  rest;

test('the journal has the headers of each request, without the key', async () => {
  for (const own of ['other', 'yes']) await post({ name: 'Lena' }, { 'x-own': own });
  const headers = { 'x-own': 'yes', authorization: 'Bearer REDACTED' };
  expect(await latest()).toMatchObject({ request: { headers } });
});

test('the journal says why a request was refused, and by which answer', async () => {
  await mock.admin('PATCH', '/answers', { body: { 'failure.validation-status': 422 } });
  await post({ source: 'x' });
  const why = { code: 'validation_failed', what: 'body/name is required' };
  const answer = { question: 'failure.validation-status', answer: 422 };
  expect((await latest()).why).toMatchObject({ ...why, ...answer });
  await post({ name: 'x' }, { prefer: 'code=503' });
  const asked = { code: 'asked_for', what: expect.stringContaining('503') };
  expect(await latest()).toMatchObject({ why: asked, request: { body: '{"name":"x"}' } });
});

test.each<[string, string, Sent]>([
  ['POST', '/api/v1/leads', { body: {} }],
  ['GET', '/api/v1/email/templates', { headers: { prefer: 'delay=1', origin: 'null' } }],
  ['HEAD', '/api/v1/email/templates', {}],
  ['OPTIONS', '/api/v1/leads', {}],
  ['GET', '/api/v1/%zz', { headers: { origin: 'http://localhost:5173' } }],
])('the journal has the headers of the reply to %s %s %j', async (method, path, sent) => {
  for (const body of [{}, { 'limits.rate-headers': 'present' }]) {
    await mock.admin('PATCH', '/answers', { body });
    const { headers } = await mock.call(method, path, sent);
    expect(given((await latest()).response.headers)).toEqual(given(headers));
  }
});

test('the journal has a body that nests deeply as its text, and a long one cut', async () => {
  const body = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  await post(body);
  expect((await latest()).request).toMatchObject({ body, body_cut: false });
  await post({ name: 'x'.repeat(200_000) });
  const { request, response } = await latest();
  expect(request.body).toHaveLength(65_536);
  expect([request.body_cut, response.body_cut]).toEqual([true, true]);
});

test('the journal has a body that is not UTF-8, and a path that cannot be decoded', async () => {
  const head = `HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${mock.own}\r\n`;
  const type = 'Content-Type: application/json\r\nContent-Length: 3\r\n';
  await rawExchange(mock.port, Buffer.from(`POST /api/v1/leads ${head}${type}\r\n\xff{"`, 'latin1'));
  expect((await latest()).request.body).toBe('\ufffd{"');
  await rawExchange(mock.port, `GET /api/v1/%zz ${head}\r\n`);
  expect(await latest()).toMatchObject({ path: '/api/v1/%zz', status: 400, operation: null });
});

test('a recording has the parameters of a query', async () => {
  await mock.call('GET', '/api/v1/email/templates?limit=2&q=a%20b%26&limit=');
  type Har = { log: { creator: object; entries: { request: object }[] } };
  const { log } = await mock.read<Har>('/requests.har');
  expect(log.creator).toEqual({ name: 'email-leads mock', version });
  expect(log.entries[0]?.request).toMatchObject({
    url: `${mock.url}/api/v1/email/templates?limit=2&q=a%20b%26&limit=`,
    queryString: [
      { name: 'limit', value: '2' },
      { name: 'q', value: 'a b&' },
      { name: 'limit', value: '' },
    ],
  });
});

test('a request without an accepted key is nobody’s', async () => {
  await mock.call('POST', '/api/v1/leads', { key: 'unheard_of_key', body: { name: 'secret' } });
  await mock.call('GET', '/api/v1/nothing', { key: null });
  expect((await requests()).total).toBe(0);
  const found = await requests('?unmatched=true&limit=2');
  expect(await requests(`?unmatched=true&since=${found.cursor}`)).toMatchObject({ total: 0 });
  expect(found.requests.map(({ id, status, why }) => [id.slice(0, -6), status, why?.code])).toEqual([
    ['unclaimed_', 404, 'route_not_found'],
    ['unclaimed_', 401, 'key_unknown'],
  ]);
  const entry = await mock.read<JournalEntry>(`/requests/${found.requests[1]?.id}`);
  expect(entry.request.body).toBe('{"name":"secret"}');
  expect(JSON.stringify(entry)).not.toContain('unheard_of_key');
  const { unclaimed } = await mock.read<{ unclaimed: number }>('/workspaces');
  expect(Number(found.requests[0]?.id.slice(-6))).toBe(unclaimed);
});

test.each([
  ['?operation=addLead', ['req_000004', 'req_000002', 'req_000001']],
  ['?operation=listTemplates', ['req_000003']],
  ['?status=4XX', ['req_000004', 'req_000002']],
  ['?method=get', ['req_000003']],
  ['?path=/api/v1/leads&limit=1', ['req_000004']],
  ['?start=3', ['req_000001']],
  ['?q=GET%20template', ['req_000003']],
  ['?q=name%20required', ['req_000002']],
  ['?path=/nope', []],
])('the list: %s finds %j, and counts as many', async (query, ids) => {
  await post({ name: 'x' });
  await post({});
  await mock.call('GET', '/api/v1/email/template');
  await post('{');
  const found = await requests(query);
  expect(found.requests.map(({ id }) => id)).toEqual(ids);
  expect(found.requests[0] ?? {}).not.toHaveProperty('request');
  const { start, limit, ...filter } = Object.fromEntries(new URLSearchParams(query));
  if (start ?? limit) return;
  expect(await count(filter)).toMatchObject({ body: { count: ids.length } });
});

test('the list goes on from a cursor, and forgets all only where that is said', async () => {
  await post({});
  const { cursor: since } = await requests();
  await post({ name: 'x' });
  expect((await requests(`?since=${since}`)).requests.map(({ id }) => id)).toEqual(['req_000002']);
  const counted = [await count(), await count({ since })].map(({ body }) => body);
  expect(counted).toEqual([{ count: 2 }, { count: 1 }]);
  expect((await mock.admin('DELETE', '/requests', { body: { all: true } })).body).toEqual({ deleted: 2 });
  expect((await requests()).total).toBe(0);
});

test('the list keeps a thousand and counts the others', async () => {
  await using own = await startMock();
  const headers = { authorization: `Bearer ${own.apiKey}` };
  for (let sent = 0; sent < 1050; sent += 1) await own.fetch(`${own.url}/api/v1/x`, { headers });
  const { body } = await exchange(`${own.url}/__admin/requests?limit=1`, 'GET');
  expect(body).toMatchObject({ total: 1000, dropped: 50, requests: [{ id: 'req_001050' }] });
});
