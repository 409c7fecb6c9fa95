// What the service answers: each refusal, and its entry in the journal, says what is wrong and what cures it; headers for pages and by
// `Prefer`; and what the operations say beyond the contract.
import { expect, test } from 'vitest';
import { mailInTest as email, rejectedWith, type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const lead = { name: 'Lena' };
const big = 'x'.repeat(1024 * 1024 + 1);
const leads = 'POST /api/v1/leads';
const mail = 'POST /api/v1/email/send';
const template = 'POST /api/v1/email/template';
const labelled = (name: string, value: string): Sent => ({ body: lead, headers: { [name]: value } });
const filled = (template_id: string, variables: object): Sent => ({ body: { template_id, variables } });
const inHeader = (authorization: string): Sent => ({ key: null, body: lead, headers: { authorization } });

const call = (request: string, sent: Sent) => {
  const [method = '', path = ''] = request.split(' ');
  return mock.call(method, path, sent);
};
/** What the journal says of the latest request. */
const journalOf = async ({ key }: Sent) => {
  type Page = { requests: { status: number; why: { what: string } }[] };
  return (await mock.read<Page>(`/requests?limit=1&unmatched=${key === null}`)).requests[0];
};

test.each<[request: string, sent: Sent, status: number, error: string]>([
  // Route and method
  ['GET /api/v1', {}, 404, 'there is no path "/api/v1"'],
  ['GET /api/v1/leads', {}, 405, '"/api/v1/leads" has no GET'],
  ['PUT /api/v1/leads/%ff', { body: {} }, 400, 'the path cannot be decoded'],
  // Key, media type (§5)
  [leads, { key: null }, 401, 'header/Authorization is missing'],
  [
    leads,
    inHeader('bearer test_key'),
    401,
    'header/Authorization must be the word Bearer, one space and the key',
  ],
  [leads, labelled('content-type', 'a/jsonx'), 415, 'header/Content-Type must be application/json, not "a/'],
  [leads, labelled('content-encoding', 'gzip'), 415, 'header/Content-Encoding must be left out, not "gzip"'],
  // Size and JSON
  [leads, { body: big }, 413, 'body is larger than 1048576 bytes'],
  [leads, { body: { ...lead, x: Array(20_001).fill('[],') } }, 413, 'body has more than 20000 values'],
  [leads, { body: '['.repeat(10_000) }, 400, 'body is not JSON: '],
  [leads, { body: '\uFEFF{}' }, 400, 'body is not JSON: it begins with a byte order mark'],
  // Validation
  [leads, {}, 400, 'body is missing'],
  [leads, { body: { name: '' } }, 400, 'body/name must not be empty'],
  [leads, { body: '{"name":1e999}' }, 400, 'body/name must be string'],
  [mail, { body: { ...email, to: '' } }, 400, 'body/to must match format "email"'],
  [mail, { body: { from: 'a@example.com' } }, 400, 'body/subject is required, and so is html'],
  // The first fault of a body: required before type before format before emptiness.
  [mail, { body: { from: 'x', subject: 1 } }, 400, 'body/html is required'],
  [mail, { body: { from: 'x', subject: 1, html: '' } }, 400, 'body/subject must be string'],
  [mail, { body: { from: 'x', subject: '', html: '' } }, 400, 'body/from must match format "email"'],
  [template, filled('5', { a: 1 }), 400, 'body/variables/a must be string'],
  [template, filled('1', { first_name: 'L' }), 400, 'body/variables lacks "course_name", "start_date"'],
  // Existence
  ['DELETE /api/v1/leads/a%2Fb', {}, 404, 'there is no lead "a/b"'],
  [`DELETE /api/v1/leads/${'a'.repeat(9000)}`, {}, 404, `there is no lead "${'a'.repeat(77)}..."`],
  ['DELETE /api/v1/leads/__proto__', {}, 404, 'there is no lead "__proto__"'],
  [template, filled('99', {}), 404, 'body/template_id names no template: "99"'],
])('row %# is refused as it says', async (request, sent, status, error) => {
  const { body, ...refused } = await call(request, sent);
  expect(refused).toMatchObject({ status, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const said = (body as { error: string }).error;
  expect(said.slice(0, error.length)).toBe(error);
  expect(body).toEqual({ success: false, error: said, message: expect.stringMatching(/./) });
  const entry = await journalOf(sent);
  expect([entry?.status, entry?.why.what.slice(0, said.length)]).toEqual([status, said]);
});

const names = { firstName: 'Lena', course_name: 'x', start_date: 'y' };

test.each<[request: string, sent: Sent, hint: string, where?: 'message']>([
  ['GET /api/v1', {}, 'Did you mean POST /api/v1/leads?'],
  ['POST /leads', {}, 'Did you mean /api/v1/leads?'],
  ['GET /nothing', labelled('content-type', 'garbage'), 'The service is under /api/v1, its', 'message'],
  ['POST /api/v1/email/sent', {}, 'Did you mean POST /api/v1/email/send?'],
  ['POST /api/v1/leads/', {}, 'Did you mean POST /api/v1/leads?'],
  ['DELETE /api/v1/leads/', {}, 'Did you mean DELETE /api/v1/leads/{id}?'],
  ['GET /api/v1/leads', {}, '--answer lead.list=present'],
  [leads, { key: null }, 'Send "Authorization: Bearer <API_KEY>"'],
  [leads, inHeader('test_key'), 'Write "Authorization: Bearer test_key"'],
  [leads, inHeader('Bearer Bearer test_key'), 'Write "Authorization: Bearer test_key"'],
  [mail, { body: { from: 'a@b.de', recipient: 'x', content: '' } }, 'fields: recipient, content', 'message'],
  [mail, { body: { ...email, from: 'Lena <l@b.de>' } }, 'Send the address alone, for example', 'message'],
  [template, filled('1', names), 'Did you mean first_name instead of firstName?'],
  [mail, { body: { Subject: 'x', form: 'a@b.de' } }, 'Did you mean subject instead of Subject and from'],
])('%s with %j is told: %s', async (request, sent, hint, where) => {
  const { body } = await call(request, sent);
  expect((body as { message: string }).message).toContain(hint);
  const what = (await journalOf(sent))?.why.what.toLowerCase() ?? '';
  expect(what.includes(hint.toLowerCase())).toBe(where !== 'message');
});

// Each request has every fault from its own on; the earliest one is answered.
const wrong = { 'content-type': 'text/plain', prefer: 'code=599' };
test.each<[string, Sent, number]>([
  ['POST /api/v1/nothing', { key: null, body: big, headers: wrong }, 404],
  ['PATCH /api/v1/leads', { key: null, body: big, headers: wrong }, 405],
  ['POST /api/v1/leads', { key: null, body: big, headers: wrong }, 401],
  ['POST /api/v1/leads', { body: big, headers: wrong }, 599],
  ['POST /api/v1/leads', { body: big, headers: { 'content-type': 'text/plain' } }, 415],
  ['PUT /api/v1/leads/nobody', { body: big }, 413],
  ['PUT /api/v1/leads/nobody', { body: '{' }, 400],
  ['PUT /api/v1/leads/nobody', { body: { note: 1 } }, 400],
  ['PUT /api/v1/leads/nobody', { body: {} }, 404],
])('the first reason counts: %s', async (request, sent, status) => {
  expect((await call(request, sent)).status).toBe(status);
});

test.each([
  ['/api/v1/leads', 'POST, OPTIONS'],
  ['/api/v1/leads/1', 'PUT, DELETE, OPTIONS'],
  ['/api/v1/email/template', 'GET, HEAD, POST, OPTIONS'],
])('a 405 at %s allows %s', async (path, allow) => {
  for (const method of ['PATCH', 'PROPFIND', 'TRACE'])
    expect(await mock.call(method, path)).toMatchObject({ status: 405, headers: { allow } });
});

test('a body that nests ten thousand deep, or has almost too many values, is read like any other', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  for (const body of [`{"name":"Lena","x":${deep}}`, { ...lead, x: Array(19_000).fill('[],') }])
    expect((await call(leads, { body })).status).toBe(200);
});

// Headers.

const origin = 'http://localhost:5173';

test.each<[string, string, Sent, number]>([
  ['POST', '/api/v1/leads', { body: { name: 'Lena' } }, 200],
  ['POST', '/api/v1/leads', { key: null }, 401],
  ['POST', '/api/v1/leads', { headers: { prefer: 'code=503' } }, 503],
  ['POST', '/api/v1/leads', { body: 'x'.repeat(2_000_000) }, 413],
  ['POST', '/api/v1/leads', { body: {} }, 400],
  ['GET', '/api/v1/%zz', {}, 400],
  ['GET', '/openapi.json', {}, 200],
])('a page may read the reply to %s %s %j', async (method, path, sent, status) => {
  const reply = await mock.call(method, path, { ...sent, headers: { ...sent.headers, origin } });
  const allowed = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
  expect(reply).toMatchObject({ status, headers: allowed });
  expect(reply.headers.vary).toMatch(/^Origin/);
});

test.each([
  ['PUT', '/api/v1/leads/1'],
  ['GET', '/api/v1/%zz'],
  ['POST', '//api/v1/leads'],
])('a preflight for %s %s is answered before authentication', async (method, path) => {
  const asked = 'authorization,content-type,x-trace';
  const permission = { 'access-control-request-method': method, 'access-control-request-headers': asked };
  const reply = await mock.call('OPTIONS', path, { key: null, headers: { origin, ...permission } });
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-headers': asked,
    'access-control-allow-credentials': 'true',
  });
  expect(reply.headers['access-control-allow-methods']).toContain(method);
});

test("an OPTIONS that is no preflight is answered too; only a page's request gets what is for pages", async () => {
  expect((await mock.call('OPTIONS', '/api/v1/leads', { key: null })).status).toBe(204);
  const { headers } = await mock.call('GET', '/api/v1/email/templates');
  expect(Object.keys(headers).join()).not.toContain('access-control');
  const page = await mock.call('PATCH', '/api/v1/leads', { headers: { origin } });
  expect(page.headers['access-control-expose-headers']).toContain('Allow');
});

const prefer = (preference: string) =>
  mock.call('POST', '/api/v1/leads', { body: { name: 'Lena' }, headers: { prefer: preference } });

test.each([
  ['code=600', '600'],
  ['code', ''],
  ['code=503.5', '503.5'],
])('%j cannot be followed', async (asked, given) => {
  const error = `header/Prefer: code must be a whole number from 400 to 599, not "${given}"`;
  expect(await prefer(asked)).toMatchObject(rejectedWith(400, error));
  const slow = 'header/Prefer: delay must be a whole number from 0 to 60000, not "60001"';
  expect(await prefer('code=503, delay=60001')).toMatchObject(rejectedWith(400, slow));
});

test('code refuses this request with any status, and nothing is done', async () => {
  for (const [asked, status] of [
    ['code=400', 400],
    ['CODE="429"', 429],
    ['return=minimal, code = 599 ; why=not, code=500', 599],
  ] as const) {
    const headers = { 'preference-applied': `code=${status}` };
    expect(await prefer(asked)).toMatchObject({ status, headers, body: { success: false } });
  }
  expect((await prefer('=,;,==, wait=10')).headers).not.toHaveProperty('preference-applied');
  expect((await prefer('code=503, delay=1')).headers['preference-applied']).toBe('code=503, delay=1');
  expect((await prefer('')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
});

test('delay lets the reply to this request wait, and no other', async () => {
  const replied: string[] = [];
  const slow = prefer('delay=150').finally(() => replied.push('slow'));
  const fast = prefer('').finally(() => replied.push('fast'));
  expect((await slow).headers).toMatchObject({ 'preference-applied': 'delay=150' });
  expect([(await slow).status, (await fast).status]).toEqual([200, 200]);
  expect(replied).toEqual(['fast', 'slow']);
});

// What the operations store and say beyond the contract, which the suite holds against the mock (`contract.test.ts`).

const variables = { first_name: 'Lena', course_name: 'Watercolour', reserved_until: 'Friday' };

test.each([
  ['template', {}, 'Email from template "Trial lesson follow-up" captured'],
  ['send-template', { to: 'b@example.com' }, 'Email sent to b@example.com'],
])('each place of a repeated variable is filled at %s with %j (§4.3)', async (path, recipient, message) => {
  const body = { template_id: '3', variables, ...recipient };
  const sent = await mock.call('POST', `/api/v1/email/${path}`, { body });
  expect(sent).toMatchObject({ status: 200, body: { success: true, message } });
  const kept = { operation: 'sendTemplateEmail', to: null, from: null, subject: null };
  const filled =
    /^<p>Hi Lena,<\/p>.* of Watercolour\? Seats in Watercolour are kept for you until Friday.<\/p>$/;
  const html = expect.stringMatching(filled);
  expect(await mock.read('/outbox/latest')).toMatchObject({ ...kept, ...body, html });
});

test('names of inherited properties are ordinary fields, and lone surrogates come back as they were sent', async () => {
  const body = '{"name":"Lena","__proto__":{"source":"x"},"constructor":{"prototype":{}},"toString":1}';
  const added = await mock.call('POST', '/api/v1/leads', { body });
  expect(added).toMatchObject({ status: 200, body: { data: { name: 'Lena', source: '' } } });
  const { text } = await mock.call('POST', '/api/v1/leads', { body: '{"name":"\\ud800"}' });
  expect(text).toContain('"name":"\\ud800"');
});

test.each([
  ['a JSON type and no body', { headers: { 'content-type': 'application/json' } }],
  ['a body that is not JSON', { body: '{"name":' }],
  ['a type that is none', { body: 'x', headers: { 'content-type': 'garbage' } }],
])('a deletion takes %s (§4.7)', async (_what, sent) => {
  const { lead_id } = await mock.lead();
  expect((await mock.call('DELETE', `/api/v1/leads/${lead_id}`, sent)).status).toBe(200);
});
