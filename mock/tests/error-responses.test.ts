// Each refusal, and its entry in the journal, says what is wrong and what cures it.
import { describe, expect, test } from 'vitest';
import { createLog } from '../service/log.ts';
import { type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const lead = { name: 'Lena' };
const email = { subject: 'Hi', from: 'a@example.com', html: '<p>Hi</p>' };
const big = 'x'.repeat(1024 * 1024 + 1);
const leads = 'POST /api/v1/leads';
const mail = 'POST /api/v1/email/send';
const template = 'POST /api/v1/email/template';
const labelled = (name: string, value: string): Sent => ({ body: lead, headers: { [name]: value } });
const inHeader = (authorization: string): Sent => ({ key: null, body: lead, headers: { authorization } });
const badHeader = 'header/Authorization must be the word Bearer, one space and the key';

/** @param hint of the message, @param cure what journal and log say behind the error, where they say more */
type Refusal = readonly [
  request: string,
  sent: Sent,
  status: number,
  error: string | RegExp,
  hint?: RegExp,
  cure?: string,
];

const refusals: readonly Refusal[] = [
  // Route and method
  ['GET /api/v1', {}, 404, 'there is no path "/api/v1"', /./, 'did you mean POST /api/v1/leads?'],
  ['PUT /api/v1/leads/%ff', { body: {} }, 400, /^the path cannot be decoded/],
  // Media type (§5.2)
  [
    leads,
    labelled('content-type', 'application/jsonx'),
    415,
    'header/Content-Type must be application/json, not "application/jsonx"',
  ],
  [leads, labelled('content-encoding', 'gzip'), 415, 'header/Content-Encoding must be left out, not "gzip"'],
  // Size and JSON
  [leads, { body: big }, 413, 'body is larger than 1048576 bytes'],
  [leads, { body: { ...lead, x: Array(20_001).fill('[],') } }, 413, 'body has more than 20000 values'],
  [leads, { body: '{"name":' }, 400, /^body is not JSON: /],
  [leads, { body: '['.repeat(10_000) }, 400, /^body is not JSON: /],
  [leads, { body: '\uFEFF{}' }, 400, 'body is not JSON: it begins with a byte order mark'],
  // Validation
  [leads, {}, 400, 'body is missing'],
  [leads, { body: '[]' }, 400, 'body must be object'],
  [leads, { body: { name: '' } }, 400, 'body/name must not be empty'],
  [leads, { body: '{"name":1e999}' }, 400, 'body/name must be string'],
  [leads, { body: { ...lead, note: null } }, 400, 'body/note must be string'],
  [mail, { body: { ...email, to: '' } }, 400, 'body/to must match format "email"'],
  [mail, { body: { from: 'a@example.com' } }, 400, 'body/subject is required, and so is html'],
  // The first fault of a body: required before type before format before emptiness.
  [mail, { body: { from: 'x', subject: 1 } }, 400, 'body/html is required'],
  [mail, { body: { from: 'x', subject: 1, html: '' } }, 400, 'body/subject must be string'],
  [mail, { body: { from: 'x', subject: '', html: '' } }, 400, 'body/from must match format "email"'],
  [template, { body: { template_id: '5', variables: { a: 1 } } }, 400, 'body/variables/a must be string'],
  [
    template,
    { body: { template_id: '1', variables: { first_name: 'L' } } },
    400,
    'body/variables lacks "course_name", "start_date", which the template lists',
  ],
  // Existence
  ['DELETE /api/v1/leads/a%2Fb', {}, 404, 'there is no lead "a/b"'],
  [`DELETE /api/v1/leads/${'a'.repeat(9000)}`, {}, 404, /^there is no lead "a{77}\.\.\."$/],
  ['DELETE /api/v1/leads/__proto__', {}, 404, 'there is no lead "__proto__"'],
  [template, { body: { template_id: '99', variables: {} } }, 404, 'body/template_id names no template: "99"'],
  // The usual mistakes
  [
    'POST /leads',
    {},
    404,
    'there is no POST "/leads"',
    /^Did you mean \/api\/v1\/leads\? The service is/,
    'did you mean /api/v1/leads?',
  ],
  [
    'POST //api/v1/leads',
    {},
    404,
    'there is no POST "//api/v1/leads"',
    /^Did you mean \/api\/v1\/leads\?/,
    'did you mean /api/v1/leads?',
  ],
  [
    'GET /nothing',
    { body: '{', headers: { 'content-type': 'garbage' } },
    404,
    'there is no GET "/nothing"',
    /^The service is under \/api\/v1, its reference at \/docs, the outbox at \/__admin\/outbox\.$/,
  ],
  [
    'POST /api/v1/email/sent',
    {},
    404,
    'there is no path "/api/v1/email/sent"',
    /^Did you mean POST \/api\/v1\/email\/send\? All are listed at \/docs\.$/,
    'did you mean POST /api/v1/email/send?',
  ],
  [
    'POST /api/v1/leads/',
    {},
    404,
    'there is no path "/api/v1/leads/"',
    /^Did you mean POST \/api\/v1\/leads\?/,
    'did you mean POST /api/v1/leads?',
  ],
  [
    'DELETE /api/v1/leads/',
    {},
    404,
    'there is no path "/api/v1/leads/"',
    /^Did you mean DELETE \/api\/v1\/leads\/\{id\}\?/,
    'did you mean DELETE /api/v1/leads/{id}?',
  ],
  [
    'GET /api/v1/leads',
    {},
    405,
    '"/api/v1/leads" has no GET',
    /--answer lead\.list=present/,
    '--answer lead.list=present adds it',
  ],
  [
    leads,
    { key: null },
    401,
    'header/Authorization is missing',
    /Bearer <API_KEY>/,
    'send "Authorization: Bearer <API_KEY>"',
  ],
  ...[
    ['test_key', 'test_key'],
    ['live_key', '<API_KEY>'],
    ['Bearer Bearer test_key', 'test_key'],
  ].map(
    ([header = '', shown]): Refusal => [
      leads,
      inHeader(header),
      401,
      badHeader,
      new RegExp(`^Write "Authorization: Bearer ${shown}"\\. `),
      `write "Authorization: Bearer ${shown}"`,
    ],
  ),
  [
    mail,
    { body: { recipient: 'a@example.com', from: 'a@example.com', subject: 'x', content: 'y' } },
    400,
    'body/html is required',
    /Unknown fields: recipient, content\./,
  ],
  [
    mail,
    { body: { from: 'Lena <lena@example.com>', subject: 'x', html: '' } },
    400,
    'body/from must match format "email"',
    /Send the address alone, for example lena@example\.com/,
  ],
  [
    template,
    { body: { template_id: '1', variables: { firstName: 'Lena', course_name: 'x', start_date: 'y' } } },
    400,
    'body/variables lacks "first_name", which the template lists',
    /Did you mean first_name instead of firstName\?/,
    'did you mean first_name instead of firstName?',
  ],
  [
    mail,
    { body: { Subject: 'x', form: 'a@example.com' } },
    400,
    'body/subject is required, and so are from, html',
    /Did you mean subject instead of Subject and from instead of form\?/,
    'did you mean subject instead of Subject and from instead of form?',
  ],
];

const call = (request: string, sent: Sent) => {
  const [method = '', path = ''] = request.split(' ');
  return mock.call(method, path, sent);
};

const named = refusals.map((refusal) => ({ refusal, request: refusal[0] }));

test.each(named)('$request is refused (case %#)', async ({ refusal }) => {
  const [request, sent, status, error, hint = /./, cure] = refusal;
  const refused = await call(request, sent);
  expect([refused.status, refused.headers['content-type']]).toEqual([
    status,
    'application/json; charset=utf-8',
  ]);
  const said = typeof error === 'string' ? error : expect.stringMatching(error);
  expect(refused.body).toEqual({ success: false, error: said, message: expect.stringMatching(hint) });
  const { requests } = await mock.read<{ requests: object[] }>(
    `/requests?limit=1&unmatched=${sent.key === null}`,
  );
  const what = cure === undefined ? said : `${error}; ${cure}`;
  expect(requests[0]).toMatchObject({ status, why: { what } });
});

describe('the order of refusals', () => {
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
  ])('%s', async (request, sent, status) => {
    expect((await call(request, sent)).status).toBe(status);
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

test('a 401 asks for a Bearer key', async () => {
  const { headers } = await mock.call('GET', '/api/v1/email/templates', { key: null });
  expect(headers['www-authenticate']).toBe('Bearer');
});

test('a refusal changes nothing', async () => {
  const before = await mock.lead();
  for (const body of ['{', '[]', '{"note":1}']) {
    await mock.call('PUT', `/api/v1/leads/${before.lead_id}`, { body });
    await mock.call('POST', '/api/v1/leads', { body });
    await mock.call('POST', '/api/v1/email/send', { body });
  }
  const leads = [{ note: '', updated_at: before.created_at }];
  expect(await mock.read('/leads')).toMatchObject({ total: 1, leads });
  expect(await mock.read('/outbox')).toMatchObject({ total: 0 });
});

test('a body that nests ten thousand deep, or has almost too many values, is read like any other', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  for (const body of [`{"name":"Lena","x":${deep}}`, { name: 'Lena', x: Array(19_000).fill('[],') }])
    expect((await mock.call('POST', '/api/v1/leads', { body })).status).toBe(200);
});

test.each([
  'there is no POST "/leads"; did you mean /api/v1/leads?',
  // Invisible: one of them needs two escapes in JSON.
  'there is no POST "/\u{e0041}\u202eleads"',
])('the log has the reason behind the response: %j', async (why) => {
  const lines: string[] = [];
  const log = createLog('json', (text) => lines.push(text));
  log?.({ method: 'POST', url: '/leads' }, { statusCode: 404, elapsedTime: 1, why });
  await expect.poll(() => JSON.parse(lines[0] ?? '{}')).toMatchObject({ status: 404, why });
});
