import { beforeEach, describe, expect, test } from 'vitest';
import { startMock } from '../../index.ts';
import type { JournalEntry } from '../../nouns/journal.ts';
import { exchange, type Received, rejectedWith, type Sent, useMock } from '../../testing/mock-server.ts';
import { rawExchange } from '../../testing/raw-http.ts';

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const listed = useMock({ acceptKeys: ['sk_live_secret_1', 'sk_live_secret_2'] });
const requests = async (key: string, query = '') =>
  (await mock.call('GET', `/__admin/requests${query}`, { key })).body as {
    requests: JournalEntry[];
    total: number;
    cursor: string;
  };
const latest = async (key: string, { from = mock, query = '' } = {}) =>
  (await from.call('GET', `/__admin/requests/latest${query}`, { key })).body as JournalEntry;
const count = (key: string, filter?: object) =>
  mock.call('POST', '/__admin/requests/count', { key, ...(filter && { body: filter }) });
const post = (key: string, body: object | string, headers: Sent['headers'] = {}) =>
  mock.call('POST', '/api/v1/leads', { key, body, headers });

// Without those that Node.js adds when it writes them.
const given = ({ date, connection, 'keep-alive': _, 'content-length': __, ...rest }: Received['headers']) =>
  rest;

describe('what is taken down', () => {
  test('a success, with both sides', async () => {
    for (const own of ['other', 'yes']) await post(key, { name: 'Lena' }, { 'x-own': own });
    const entry = await latest(key);
    expect(entry).toMatchObject({
      id: 'req_000002',
      operation: 'addLead',
      method: 'POST',
      path: '/api/v1/leads',
      status: 200,
      why: null,
      request: { headers: { 'x-own': 'yes', authorization: 'Bearer REDACTED' }, body: '{"name":"Lena"}' },
      response: { headers: { 'content-type': 'application/json; charset=utf-8' }, body_cut: false },
    });
    expect(JSON.parse(entry.response.body ?? '')).toMatchObject({ success: true, data: { name: 'Lena' } });
    expect(entry.duration_ms).toBeLessThan(5000);
  });

  test('both path forms under the name of their operation', async () => {
    for (const path of ['template', 'templates']) await mock.call('GET', `/api/v1/email/${path}`, { key });
    expect((await requests(key)).requests.map(({ operation, path }) => [operation, path])).toEqual([
      ['listTemplates', '/api/v1/email/templates'],
      ['listTemplates', '/api/v1/email/template'],
    ]);
  });

  const setting = (key: string, path: string, method: string, body: object) =>
    mock.call(method, `/__admin/${path}`, { key, body });
  test.each<[string, (key: string) => Promise<unknown>, object]>([
    [
      'a validation error',
      (key) => post(key, { source: 'x' }),
      {
        ...{ code: 'validation_failed', what: 'body/name is required' },
        ...{ question: 'failure.validation-status', answer: 400 },
      },
    ],
    [
      'an answer of the workspace',
      async (key) => {
        await setting(key, 'answers', 'PATCH', { 'failure.validation-status': 422 });
        await post(key, {});
      },
      { code: 'validation_failed', question: 'failure.validation-status', answer: 422 },
    ],
    [
      'an unknown path',
      (key) => mock.call('GET', '/api/v1/nothing', { key }),
      { code: 'route_not_found', question: 'failure.unknown-route-status' },
    ],
    [
      'a preference',
      (key) => post(key, { name: 'x' }, { prefer: 'code=503' }),
      { code: 'asked_for', what: expect.stringContaining('503') },
    ],
    [
      'a fault',
      async (key) => {
        await setting(key, 'faults', 'PUT', { rules: [{ nth: 1, status: 503 }] });
        await post(key, { name: 'x' });
      },
      { code: 'fault' },
    ],
  ])('why: %s', async (_what, send, why) => {
    await send(key);
    const entry = await latest(key);
    expect(entry.why).toMatchObject(why);
    if (entry.status === 503) expect(entry.request.body).toBe('{"name":"x"}');
  });

  test.each<[string, string, Sent]>([
    ['POST', '/api/v1/leads', { body: { name: 'x' } }],
    ['POST', '/api/v1/leads', { body: { name: 'x' }, headers: { prefer: 'delay=1' } }],
    ['POST', '/api/v1/leads', { body: {} }],
    ['POST', '/api/v1/leads', { body: '{' }],
    ['GET', '/api/v1/email/templates', { headers: { prefer: 'delay=1', origin: 'null' } }],
    ['HEAD', '/api/v1/email/templates', {}],
    ['PATCH', '/api/v1/leads', {}],
    ['OPTIONS', '/api/v1/leads', {}],
    ['GET', '/api/v1/%zz', { headers: { origin: 'http://localhost:5173' } }],
  ])('the headers of the reply to %s %s %j', async (method, path, sent) => {
    for (const answers of [{}, { 'limits.rate-headers': 'present' }]) {
      await mock.call('PATCH', '/__admin/answers', { key, body: answers });
      const { headers } = await mock.call(method, path, { ...sent, key });
      expect(given((await latest(key)).response.headers)).toEqual(given(headers));
    }
  });

  test('a body that nests deeply, as its text', async () => {
    const body = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    await post(key, body);
    expect((await latest(key)).request).toMatchObject({ body, body_cut: false });
  });

  test('a long body, cut', async () => {
    await post(key, { name: 'x'.repeat(200_000) });
    const { request, response } = await latest(key);
    expect(request.body).toHaveLength(65_536);
    expect([request.body_cut, response.body_cut]).toEqual([true, true]);
  });

  test('a body that is not UTF-8, and one that is not JSON', async () => {
    const head = `POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    await rawExchange(mock.port, Buffer.from(`${head}Content-Length: 3\r\n\r\n\xff{"`, 'latin1'));
    expect((await latest(key)).request.body).toBe('\ufffd{"');
  });

  test('an undecodable path', async () => {
    await mock.call('DELETE', '/api/v1/leads/x', { key });
    await rawExchange(
      mock.port,
      `GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    expect(await latest(key)).toMatchObject({ path: '/api/v1/%zz', status: 400, operation: null });
  });
});

test('a recording has the parameters of a query', async () => {
  await mock.call('GET', '/api/v1/email/templates?limit=2&q=a%20b%26&limit=', { key });
  const { body } = await mock.call('GET', '/__admin/requests.har', { key });
  const { log } = body as { log: { entries: { request: { url: string; queryString: object[] } }[] } };
  expect(log.entries[0]?.request).toMatchObject({
    url: `${mock.url}/api/v1/email/templates?limit=2&q=a%20b%26&limit=`,
    queryString: [
      { name: 'limit', value: '2' },
      { name: 'q', value: 'a b&' },
      { name: 'limit', value: '' },
    ],
  });
});

describe('whose it is', () => {
  test('a request without an accepted key is nobody’s', async () => {
    const before = (await requests('test_key')).total;
    await mock.call('POST', '/api/v1/leads', { key: 'unheard_of_key', body: { name: 'secret' } });
    await mock.call('GET', '/api/v1/nothing', { key: null });
    expect((await requests('test_key')).total).toBe(before);
    const found = await requests('test_key', '?unclaimed=true&limit=2');
    expect(found.requests.map(({ status, why }) => [status, why?.code])).toEqual([
      [404, 'route_not_found'],
      [401, 'key_unknown'],
    ]);
    const { request } = await latest('test_key', { query: '?unclaimed=true' });
    expect(JSON.stringify(request)).not.toContain('unheard_of_key');
  });

  test('unclaimed requests are shown to accepted keys only', async () => {
    const refused = await listed.call('GET', '/__admin/requests?unclaimed=true', { key: 'test_key' });
    expect(refused.status).toBe(401);
  });

  test('a key is left out wherever the request repeats it', async () => {
    const key = 'sk_live_secret_1';
    await listed.call('POST', `/api/v1/leads?key=${key}&k%65y=other_secret`, {
      key,
      body: { name: key },
      headers: {
        'x-api-key': 'third_secret',
        cookie: 'session=fourth_secret',
        referer: `http://x/?a=${key}`,
      },
    });
    const text = JSON.stringify(await latest(key, { from: listed }));
    for (const secret of [key, 'other_secret', 'third_secret', 'fourth_secret'])
      expect(text).not.toContain(secret);
    expect((await listed.call('GET', '/__admin/requests', { key: 'sk_live_secret_2' })).body).toMatchObject({
      total: 0,
    });
  });
});

describe('the list', () => {
  test.each([
    ['?operation=addLead', ['req_000004', 'req_000002', 'req_000001']],
    ['?status=200', ['req_000003', 'req_000001']],
    ['?status=4XX', ['req_000004', 'req_000002']],
    ['?method=get', ['req_000003']],
    ['?path=/api/v1/leads&limit=1', ['req_000004']],
    ['?start=3', ['req_000001']],
    ['?operation=deleteLead', []],
    ['?operation=retrieveLead', []],
    ['?method=propfind', []],
    ['?path=/nope', []],
  ])('%s finds %j, and counts as many', async (query, ids) => {
    await post(key, { name: 'x' });
    await post(key, {});
    await mock.call('GET', '/api/v1/email/templates', { key });
    await post(key, '{');
    const found = await requests(key, query);
    expect(found.requests.map(({ id }) => id)).toEqual(ids);
    expect(found.requests[0] ?? {}).not.toHaveProperty('request');
    const { start, limit, ...filter } = Object.fromEntries(new URLSearchParams(query));
    if (start ?? limit) return;
    expect(await count(key, filter)).toMatchObject({ body: { count: ids.length } });
  });

  test('goes on from a cursor', async () => {
    await post(key, {});
    const { cursor } = await requests(key);
    await post(key, { name: 'x' });
    expect((await requests(key, `?since=${cursor}`)).requests.map(({ id }) => id)).toEqual(['req_000002']);
    expect([await count(key), await count(key, { since: cursor })]).toMatchObject([
      { body: { count: 2 } },
      { body: { count: 1 } },
    ]);
  });

  test('keeps a thousand and counts the others', async () => {
    await using own = await startMock();
    const headers = { authorization: `Bearer ${own.apiKey}` };
    for (let sent = 0; sent < 1050; sent += 1)
      await own.fetch(`${own.url}/api/v1/email/templates`, { headers });
    const { body } = await exchange(`${own.url}/__admin/requests?limit=1`, 'GET');
    expect(body).toMatchObject({ total: 1000, dropped: 50, requests: [{ id: 'req_001050' }] });
  });
});

test('what a state brought may be asked for, whatever it is', async () => {
  await post(key, {});
  const { body } = await mock.call('GET', '/__admin/state', { key });
  const text = JSON.stringify(body).replace('"addLead"', '"importLeads"').replace('"POST"', '"SEND"');
  await mock.call('PUT', '/__admin/state', { key, body: text });
  for (const query of ['operation=importLeads', 'method=send'])
    expect((await requests(key, `?${query}`)).total).toBe(1);
});

test.each([
  [{ operations: 'x' }, 'body/operations is not known here; did you mean operation?'],
  [{ 'a/b~c': 'x' }, 'body/a~1b~0c is not known here'],
  [{ status: 'many' }, 'body/status must be a status like 503, a class like 5xx'],
  [{ status: 7.5 }, 'body/status must be string or integer'],
  [{ status: 700 }, 'body/status must be <= 599'],
  [{ since: 'x' }, 'body/since must be'],
  [{ operation: 7 }, 'body/operation must be string'],
  [{ operation: 'createLead' }, 'body/operation is not an operation of the service'],
  [{ method: 'PSOT' }, 'body/method is not an HTTP method'],
  [[], 'body must be a JSON object'],
])('%j is no filter', async (body, error) => {
  expect(await count('test_key', body)).toMatchObject(rejectedWith(400, error));
});

test('forgetting all of them must be said', async () => {
  await post(key, {});
  for (const sent of [{}, { body: { all: true, status: '4xx' } }])
    expect((await mock.call('DELETE', '/__admin/requests', { key, ...sent })).status).toBe(400);
  const deleted = await mock.call('DELETE', '/__admin/requests', { key, body: { all: true } });
  expect(deleted.body).toEqual({ deleted: 1 });
  expect((await requests(key)).total).toBe(0);
});

test.each(['nobody', 'latest', '__proto__'])('%s is 404 where it is not', async (id) => {
  expect((await mock.call('GET', `/__admin/requests/${id}`, { key: mock.key() })).status).toBe(404);
});
