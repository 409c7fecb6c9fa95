import { expect, test } from 'vitest';
import { type Answers, createMock } from '../index.ts';
import { mailInTest as email, type Received, type Sent, useMock } from '../testing/mock-server.ts';

type Request = readonly [method: string, path: string, sent?: Sent];

const mock = useMock();
const lead = { name: 'Lena', source: 'web', note: 'x' };
const post = (path: string, body: object | string): Request => ['POST', `/api/v1/${path}`, { body }];
const add = (body: object | string): Request => post('leads', body);
const update = (body: object, id = 'lead_000001'): Request => ['PUT', `/api/v1/leads/${id}`, { body }];
const remove: Request = ['DELETE', '/api/v1/leads/nobody'];
const send = (body: object): Request => post('email/send', body);
const sendTemplate = (template_id: string, more: object = {}): Request =>
  post('email/template', { template_id, variables: {}, ...more });
const get = (path: string, sent: Sent = {}): Request => ['GET', `/api/v1/${path}`, sent];
const templates = (query = ''): Request => get(`email/templates${query}`);
const latestMail: Request = ['GET', '/__admin/outbox/latest'];
const labelled = (type: string, [method, path, sent]: Request): Request => [
  method,
  path,
  { ...sent, headers: { 'content-type': type } },
];

/** What a workspace with these answers replies to the last of these requests. */
const under = async (answers: Partial<Answers>, ...requests: readonly Request[]) => {
  await mock.admin('PATCH', '/answers', { body: answers });
  let reply: Received | undefined;
  for (const request of requests) reply = await mock.call(...request);
  return reply;
};

/** What is expected: a status, the error of a 400, or a part of the body of a 200. */
type Expected = number | string | object;

const toReply = (expected: Expected): object =>
  typeof expected === 'number'
    ? { status: expected }
    : typeof expected === 'string'
      ? { status: 400, body: { error: expected } }
      : { status: 200, body: expected };

const data = (fields: object) => ({ data: fields });
const html = (text: string) => ({ html: expect.stringContaining(text) });
const like = (pattern: RegExp) => data({ lead_id: expect.stringMatching(pattern) });
const limited = { 'send.field-limits': 'limited' } as const;
const gaps = { 'template-send.missing-variable': 'accepted' } as const;
const blank = { ...gaps, 'template-send.missing-variable-rendering': 'blank' } as const;
const escaping = { ...gaps, 'template-send.escaping': 'html' } as const;
const strict = { 'lead.unknown-field': 'rejected' } as const;
const taken = { 'failure.unknown-lead-status': 'accepted' } as const;
const nameless = { 'lead.update-name': 'ignored' } as const;
const short = { 'lead.name-limit': 64, 'lead.note-limit': 100 } as const;
const printable = { 'lead.control-characters': 'rejected' } as const;

// `observe` recovers every answer of random profiles, which holds what clients see of most answers. These are what it does
// not look at: what an error says, what is stored, and how far a limit goes.
test.each<[Partial<Answers>, Expected, ...Request[]]>([
  [{ 'send.to': 'required' }, 'body/to is required', send(email)],
  [{}, 200, send({ ...email, subject: 'x'.repeat(256) })],
  [limited, 200, send({ ...email, subject: 'x'.repeat(255), html: 'x'.repeat(100_000) })],
  [limited, 400, send({ ...email, subject: 'x'.repeat(256) })],
  [limited, 400, send({ ...email, html: 'x'.repeat(100_001) })],
  [{ 'templates.limit-parameter': 'honoured' }, { message: '2 templates' }, templates('?limit=2')],
  [{ 'templates.limit-parameter': 'honoured' }, 400, templates('?limit=x')],
  [{ 'templates.list-path': 'plural' }, 405, ['HEAD', '/api/v1/email/template']],
  [{ 'template-send.to': 'rejected' }, 'body/to is not taken here', sendTemplate('5', { to: 'a@b.de' })],
  [gaps, html('{{first_name}}'), sendTemplate('1'), latestMail],
  [blank, html('Hello ,'), sendTemplate('1'), latestMail],
  [escaping, html('Hello &#60;b&#62;'), sendTemplate('1', { variables: { first_name: '<b>' } }), latestMail],
  [{ 'lead.name': 'optional' }, data({ name: '' }), add({})],
  [{ 'lead.name': 'optional' }, 400, add({ name: '' })],
  [{ 'lead.note': 'required' }, 'body/note is required', add({ name: 'L' })],
  [{ 'lead.email': 'rejected' }, 'body/email is not taken here', add({ ...lead, email: 'x' })],
  [strict, 200, add({ ...lead, email: 'x' })],
  [strict, 'body/Source is not known here; did you mean source?', add({ name: 'L', Source: 'x', tel: '' })],
  [{ 'lead.wrong-type': 'accepted' }, data({ name: '7', source: 'true' }), add({ name: 7, source: true })],
  [{ 'lead.wrong-type': 'accepted' }, 'body/name must be string or number or boolean', add({ name: null })],
  [{ 'lead.id-format': 'integer' }, like(/^2$/), add(lead), add(lead)],
  [{ 'lead.duplicate': 'rejected' }, 200, add(lead), add({ ...lead, note: 'y' })],
  [{ 'lead.duplicate': 'merged' }, like(/^lead_000001$/), add(lead), add(lead)],
  [short, 'body/name must not have more than 64 characters', add({ name: 'x'.repeat(65) })],
  [short, 200, add({ name: '𝄞'.repeat(64) })],
  [short, 400, add(lead), update({ note: 'x'.repeat(101) })],
  [nameless, data({ ...lead, note: 'y' }), add(lead), update({ name: 'M', note: 'y' })],
  [{ 'lead.update-empty': 'rejected' }, 'body is empty', add(lead), update({})],
  [{ 'lead.retrieve': 'present' }, data(lead), add(lead), get('leads/lead_000001')],
  [{ 'lead.retrieve': 'present' }, 404, get('leads/nobody')],
  [{ 'lead.list': 'present' }, { data: [lead], message: '1 lead' }, add(lead), get('leads')],
  [{ 'failure.validation-status': 200 }, { success: false, error: 'body/name is required' }, add({})],
  [{ 'failure.malformed-json-status': 'accepted' }, data({ name: '' }), add('{"name":')],
  [{ 'failure.media-type-status': 'accepted' }, data(lead), labelled('garbage', add(lead))],
  [{ 'failure.media-type-status': 'accepted' }, 400, labelled('text/plain', add('name=Lena'))],
  [taken, data({ lead_id: 'nobody', name: '', note: 'y' }), update({ note: 'y' }, 'nobody')],
  [{ 'failure.delete-again-status': 200 }, { success: false }, remove],
  [{ 'failure.delete-again-status': 'accepted' }, { success: true }, remove],
  [{ 'failure.error-style': 'code' }, 'validation_failed', add({})],
  [{ 'success.error-field': 'empty' }, { error: '' }, add(lead)],
  [{}, data({ note: ' a\r\ne\u0301\u0001 ' }), add({ ...lead, note: ' a\r\ne\u0301\u0001 ' })],
  [{ 'lead.outer-blanks': 'trimmed' }, data({ note: 'a  b' }), add({ ...lead, note: ' a  b\n' })],
  [{ 'lead.outer-blanks': 'trimmed' }, 400, add({ ...lead, name: ' ' })],
  [{ 'lead.line-breaks': 'normalised' }, data({ note: 'a\nb\rc' }), add(lead), update({ note: 'a\r\nb\rc' })],
  [{ 'lead.unicode-form': 'composed' }, data({ source: '\u00e9' }), add({ ...lead, source: 'e\u0301' })],
  [{ 'lead.control-characters': 'removed' }, data({ note: 'a\tb' }), add({ ...lead, note: 'a\u0001\tb' })],
  [printable, 'body/note must be a text without control characters', add({ ...lead, note: 'a\u0001' })],
  [printable, 200, add({ ...lead, note: 'a\tb\r\n' })],
])('%j (case %#)', async (answers, expected, ...requests) => {
  expect(await under(answers, ...requests)).toMatchObject(toReply(expected));
});

test('a key that makes more than 100 requests in a minute is refused until the minute is over', async () => {
  const answers = { 'limits.rate': 'limited', 'limits.rate-headers': 'present' } as const;
  await using own = createMock({ answers });
  const ask = (key: string) =>
    own.fetch('http://mock/api/v1/email/templates', { headers: { authorization: `Bearer ${key}` } });
  const first = await ask('test_a');
  expect(first.headers.get('ratelimit-remaining')).toBe('99');
  for (let sent = 1; sent < 100; sent += 1) expect((await ask('test_a')).status).toBe(200);
  const refused = await ask('test_a');
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(own.workspace('test_a').requests.latest()?.why).toMatchObject({ code: 'rate_limited' });
  expect((await ask('test_b')).status).toBe(200);
  own.workspace('test_a').reset();
  expect((await ask('test_a')).status).toBe(200);
});

const paged = { 'templates.page-size': 'paged' } as const;

test.each<[Partial<Answers>, string, unknown]>([
  [{}, '?page=2&name=Mail%207', [45, 'Mail 1']],
  [paged, '', [20, 'Mail 1']],
  [paged, '?page=3', [5, 'Mail 41']],
  [paged, '?page=4', [0, undefined]],
  [paged, '?page=0', 'query/page must be a whole number above 0'],
  [{ ...paged, 'templates.limit-parameter': 'honoured' }, '?page=2&limit=7', [7, 'Mail 8']],
  [{ 'templates.filtering': 'supported' }, '?name=mail%204', [7, 'Mail 4']],
])('pages and filters of templates: %j%s', async (answers, query, expected) => {
  const all = Array.from({ length: 45 }, (_, at) => ({ name: `Mail ${at + 1}`, body: 'x' }));
  await mock.admin('PUT', '/state', { body: { templates: all, answers } });
  const { body } = await mock.call('GET', `/api/v1/email/templates${query}`);
  const { data: found, error } = body as { data?: { name: string }[]; error: string };
  expect(found ? [found.length, found[0]?.name] : error).toEqual(expected);
});
