import { describe, expect, test } from 'vitest';
import { type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const lead = { name: 'Lena' };
const email = { subject: 'Hi', from: 'a@example.com', html: '<p>Hi</p>' };
const big = 'x'.repeat(1024 * 1024 + 1);

type Case = readonly [method: string, path: string, sent: Sent, status: number, error: string | RegExp];

const cases: readonly Case[] = [
  // Route and method
  ['GET', '/api/v1/nothing', {}, 404, 'there is no path "/api/v1/nothing"'],
  ['GET', '/api/v1', {}, 404, 'there is no path "/api/v1"'],
  ['GET', '/api/v1/%zz', {}, 400, /^the path cannot be decoded/],
  ['PUT', '/api/v1/leads/%ff', { body: {} }, 400, /^the path cannot be decoded/],
  ['GET', '/api/v1/email/send', {}, 405, '"/api/v1/email/send" has no GET'],
  // Authentication (§5)
  ['POST', '/api/v1/leads', { key: 'secret', body: lead }, 401, /carries a key that is not accepted$/],
  ['POST', '/api/v1/leads', { key: 'test_a b', body: lead }, 401, /must be the word Bearer/],
  // Media type (§5.2)
  [
    'POST',
    '/api/v1/leads',
    { body: lead, headers: { 'content-type': 'application/jsonx' } },
    415,
    'header/Content-Type must be application/json, not "application/jsonx"',
  ],
  [
    'POST',
    '/api/v1/leads',
    { body: lead, headers: { 'content-encoding': 'gzip' } },
    415,
    'header/Content-Encoding must be left out, not "gzip"',
  ],
  // Size and JSON
  ['POST', '/api/v1/leads', { body: big }, 413, 'body is larger than 1048576 bytes'],
  ['POST', '/api/v1/leads', { body: '{"name":' }, 400, /^body is not JSON: /],
  ['POST', '/api/v1/leads', { body: '\uFEFF{}' }, 400, 'body is not JSON: it begins with a byte order mark'],
  // Validation
  ['POST', '/api/v1/leads', {}, 400, 'body is missing'],
  ['POST', '/api/v1/leads', { body: '[]' }, 400, 'body must be object, not a list or a single value'],
  ['POST', '/api/v1/leads', { body: '"x"' }, 400, 'body must be object, not a list or a single value'],
  ['POST', '/api/v1/leads', { body: {} }, 400, 'body/name is required'],
  ['POST', '/api/v1/leads', { body: { name: '' } }, 400, 'body/name must not be empty'],
  ['POST', '/api/v1/leads', { body: { name: 7 } }, 400, 'body/name must be string'],
  ['POST', '/api/v1/leads', { body: '{"name":1e999}' }, 400, 'body/name must be string'],
  ['POST', '/api/v1/leads', { body: { ...lead, note: null } }, 400, 'body/note must be string'],
  ['PUT', '/api/v1/leads/nobody', { body: { note: [] } }, 400, 'body/note must be string'],
  ['POST', '/api/v1/email/send', { body: { ...email, to: '' } }, 400, 'body/to must match format "email"'],
  [
    'POST',
    '/api/v1/email/send',
    { body: { from: 'a@example.com' } },
    400,
    'body/subject and body/html are required',
  ],
  ['POST', '/api/v1/email/template', { body: { variables: {} } }, 400, 'body/template_id is required'],
  ['POST', '/api/v1/email/template', { body: { template_id: '5' } }, 400, 'body/variables is required'],
  [
    'POST',
    '/api/v1/email/template',
    { body: { template_id: '5', variables: { a: 1 } } },
    400,
    'body/variables/a must be string',
  ],
  [
    'POST',
    '/api/v1/email/template',
    { body: { template_id: '1', variables: { first_name: 'L' } } },
    400,
    'body/variables lacks "course_name", "start_date", which the template lists',
  ],
  // Existence
  ['PUT', '/api/v1/leads/nobody', { body: {} }, 404, 'there is no lead "nobody"'],
  ['DELETE', '/api/v1/leads/a%2Fb', {}, 404, 'there is no lead "a/b"'],
  ['DELETE', `/api/v1/leads/${'a'.repeat(9000)}`, {}, 404, /^there is no lead "a{77}\.\.\."$/],
  ['DELETE', '/api/v1/leads/__proto__', {}, 404, 'there is no lead "__proto__"'],
  [
    'POST',
    '/api/v1/email/template',
    { body: { template_id: '99', variables: {} } },
    404,
    'body/template_id names no template: "99"',
  ],
];

test.each(cases)('%s %s %j is refused with %d', async (method, path, sent, status, error) => {
  const refused = await mock.call(method, path, sent);
  expect(refused.status).toBe(status);
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(refused.body).toEqual({
    success: false,
    error: typeof error === 'string' ? error : expect.stringMatching(error),
    message: expect.stringMatching(/./),
  });
});

describe('the order of refusals', () => {
  // Each request has every fault from its own on; the earliest one is answered.
  const wrong = { 'content-type': 'text/plain', prefer: 'code=599' };
  const steps: readonly (readonly [string, string, Sent, number])[] = [
    ['POST', '/api/v1/nothing', { key: null, body: big, headers: wrong }, 404],
    ['PATCH', '/api/v1/leads', { key: null, body: big, headers: wrong }, 405],
    ['POST', '/api/v1/leads', { key: null, body: big, headers: wrong }, 401],
    ['POST', '/api/v1/leads', { body: big, headers: wrong }, 599],
    ['POST', '/api/v1/leads', { body: big, headers: { 'content-type': 'text/plain' } }, 415],
    ['PUT', '/api/v1/leads/nobody', { body: big }, 413],
    ['PUT', '/api/v1/leads/nobody', { body: '{' }, 400],
    ['PUT', '/api/v1/leads/nobody', { body: { note: 1 } }, 400],
    ['PUT', '/api/v1/leads/nobody', { body: {} }, 404],
  ];

  test.each(steps)('%s %s', async (method, path, sent, status) => {
    expect((await mock.call(method, path, sent)).status).toBe(status);
  });

  test('names the first fault of a body: required before type before format before emptiness', async () => {
    const errorOf = async (body: object) =>
      ((await mock.call('POST', '/api/v1/email/send', { body })).body as { error: string }).error;
    expect(await errorOf({ from: 'x', subject: 1 })).toBe('body/html is required');
    expect(await errorOf({ from: 'x', subject: 1, html: '' })).toBe('body/subject must be string');
    expect(await errorOf({ from: 'x', subject: '', html: '' })).toBe('body/from must match format "email"');
  });
});

test.each([
  ['/api/v1/leads', 'POST, OPTIONS'],
  ['/api/v1/leads/1', 'PUT, DELETE, OPTIONS'],
  ['/api/v1/email/template', 'GET, POST, HEAD, OPTIONS'],
])('a 405 at %s allows %s', async (path, allow) => {
  for (const method of ['PATCH', 'PROPFIND', 'TRACE'])
    expect(await mock.call(method, path)).toMatchObject({ status: 405, headers: { allow } });
});

test.each([
  ['POST', '/api/v1/email/sent', 'POST /api/v1/email/send'],
  ['GET', '/api/v1/templates', 'GET /api/v1/email/templates'],
])('%s %s suggests %s', async (method, path, nearest) => {
  const { body } = await mock.call(method, path);
  expect(body).toMatchObject({ message: `Did you mean ${nearest}? All are listed at /docs.` });
});

test.each(['PUT', 'DELETE'])('%s without an id says so, and is no operation', async (method) => {
  const key = mock.key();
  expect(await mock.call(method, '/api/v1/leads/', { key })).toMatchObject({
    status: 404,
    body: { message: 'The id at the end of the path is empty. All are listed at /docs.' },
  });
  const journal = await mock.call('GET', '/__admin/requests/latest', { key });
  expect(journal.body).toMatchObject({ operation: null, status: 404 });
});

test.each([
  ['//api/v1/leads', '/api/v1/leads'],
  ['/leads/7', '/api/v1/leads/7'],
  ['/v1/email/send', '/api/v1/email/send'],
  ['/api/leads', '/api/v1/leads'],
])('a wrong base URL, %s, suggests %s', async (path, meant) => {
  const { body } = await mock.call('POST', path);
  expect(body).toMatchObject({ message: expect.stringMatching(`^Did you mean ${meant}\\? The service is`) });
});

test('outside the service a 404 says where things are, whatever was sent', async () => {
  const sent = { body: '{', headers: { 'content-type': 'garbage' } };
  expect(await mock.call('POST', '/nothing', sent)).toMatchObject({
    status: 404,
    body: { message: 'The service is under /api/v1, its reference at /docs, the outbox at /__admin/outbox.' },
  });
});

test('a 401 asks for a Bearer key', async () => {
  const { headers } = await mock.call('GET', '/api/v1/email/templates', { key: null });
  expect(headers['www-authenticate']).toBe('Bearer');
});

test('a refusal changes nothing', async () => {
  const key = mock.key();
  const before = await mock.lead(key);
  for (const body of ['{', '[]', '{"note":1}']) {
    await mock.call('PUT', `/api/v1/leads/${before.lead_id}`, { key, body });
    await mock.call('POST', '/api/v1/leads', { key, body });
    await mock.call('POST', '/api/v1/email/send', { key, body });
  }
  expect(await mock.call('GET', '/__admin/leads', { key })).toMatchObject({
    body: { total: 1, leads: [{ note: '', updated_at: before.created_at }] },
  });
  expect(await mock.call('GET', '/__admin/outbox', { key })).toMatchObject({ body: { total: 0 } });
});

test('names of inherited properties are ordinary fields', async () => {
  const body = '{"name":"Lena","__proto__":{"source":"x"},"constructor":{"prototype":{}},"toString":1}';
  expect(await mock.call('POST', '/api/v1/leads', { body })).toMatchObject({
    status: 200,
    body: { data: { name: 'Lena', source: '' } },
  });
});

test('a body nested ten thousand deep is read like any other', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  const call = (body: string) => mock.call('POST', '/api/v1/leads', { body });
  expect((await call(`{"name":"Lena","x":${deep}}`)).status).toBe(200);
  expect((await call(deep)).status).toBe(400);
  expect((await call('['.repeat(10_000))).status).toBe(400);
});

test('a body of more values than are read at once is refused', async () => {
  const call = (values: number) =>
    mock.call('POST', '/api/v1/leads', { body: { name: 'Lena', x: Array(values).fill('[],') } });
  expect((await call(19_000)).status).toBe(200);
  expect(await call(20_001)).toMatchObject({
    status: 413,
    body: { success: false, error: 'body has more than 20000 values' },
  });
});

test('lone surrogates come back as they were sent', async () => {
  const { text } = await mock.call('POST', '/api/v1/leads', { body: '{"name":"\\ud800"}' });
  expect(text).toContain('"name":"\\ud800"');
});
