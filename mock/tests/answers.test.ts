import SwaggerParser from '@apidevtools/swagger-parser';
import {
  type Arbitrary,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  property,
  record,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyAnswers } from '../contract/apply-answers.ts';
import { type Answer, listQuestions, resolveAnswers } from '../contract/questions.ts';
import { type Answers, createMock } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { exchange, type Received, type Sent } from '../testing/mock-server.ts';
import { isWhole } from '../testing/scale.ts';

type Request = readonly [method: string, path: string, sent?: Sent];

const lead = { name: 'Lena', source: 'web', note: 'x' };
const email = { subject: 'Hi', from: 'a@example.com', html: '<p>' };
const add = (body: object | string): Request => ['POST', '/api/v1/leads', { body }];
const update = (body: object | string, id = 'lead_000001'): Request => [
  'PUT',
  `/api/v1/leads/${id}`,
  { body },
];
const send = (body: object | string): Request => ['POST', '/api/v1/email/send', { body }];
const sendTemplate = (template_id = '5', more: object = {}): Request => [
  'POST',
  '/api/v1/email/template',
  { body: { template_id, variables: {}, ...more } },
];
const templates = (query = '', sent: Sent = {}): Request => ['GET', `/api/v1/email/templates${query}`, sent];
const latestMail: Request = ['GET', '/__admin/outbox/latest'];
const mailWith = (text: string) => ({ html: expect.stringContaining(text) });
const labelled = (type: string, [method, path, sent]: Request): Request => [
  method,
  path,
  { ...sent, headers: { 'content-type': type } },
];

/** What a mock with these answers replies to the last of these requests. */
const under = async (answers: Partial<Answers>, ...requests: Request[]): Promise<Received> => {
  await using mock = await startCheckedMock({ answers });
  let reply: Received | undefined;
  for (const [method, path, sent] of requests) reply = await exchange(mock.url + path, method, sent);
  if (!reply) throw new Error('no request');
  return reply;
};

/** A text is the error that is expected. */
type Case = readonly [
  answers: Partial<Answers>,
  requests: readonly Request[],
  status: number,
  body?: object | string,
];

const cases: readonly Case[] = [
  // §4.1
  [{ 'send.to': 'required' }, [send(email)], 400, 'body/to is required'],
  [{ 'send.from': 'optional' }, [send({ subject: 'Hi', html: '' })], 200],
  [{ 'send.subject': 'optional' }, [send({ from: 'a@example.com', html: '' })], 200],
  [{ 'send.html': 'optional' }, [send({ from: 'a@example.com', subject: '' })], 200],
  [{ 'send.address-format': 'unchecked' }, [send({ ...email, from: 'nobody' })], 200],
  // §4.2 and §4.4
  [{ 'templates.limit-parameter': 'honoured' }, [templates('?limit=2')], 200, { message: '2 templates' }],
  [{ 'templates.limit-parameter': 'honoured' }, [templates('?limit=x')], 400],
  [{ 'templates.limit-parameter': 'rejected' }, [templates('?limit=2')], 400],
  [{ 'templates.limit-parameter': 'rejected' }, [templates()], 200],
  [{ 'templates.list-path': 'singular' }, [templates()], 404],
  [{ 'templates.list-path': 'singular' }, [['GET', '/api/v1/email/template']], 200],
  [{ 'templates.list-path': 'plural' }, [['GET', '/api/v1/email/template']], 405],
  [{ 'templates.list-path': 'plural' }, [['HEAD', '/api/v1/email/template']], 405],
  [{ 'templates.send-path': 'template' }, [['POST', '/api/v1/email/send-template', { body: {} }]], 404],
  [{ 'templates.send-path': 'send-template' }, [sendTemplate()], 405],
  [
    { 'templates.send-path': 'send-template' },
    [['POST', '/api/v1/email/send-template', { body: { template_id: '5', variables: {} } }]],
    200,
  ],
  // §4.3
  [{ 'template-send.to': 'required' }, [sendTemplate()], 400],
  [
    { 'template-send.to': 'rejected' },
    [sendTemplate('5', { to: 'a@example.com' })],
    400,
    'body/to is not taken here',
  ],
  [{ 'template-send.variables': 'optional' }, [sendTemplate('5', { variables: undefined })], 200],
  [
    { 'template-send.missing-variable': 'accepted' },
    [sendTemplate('1'), latestMail],
    200,
    mailWith('{{first_name}}'),
  ],
  [
    { 'template-send.missing-variable': 'accepted', 'template-send.missing-variable-rendering': 'blank' },
    [sendTemplate('1'), latestMail],
    200,
    mailWith('Hello ,'),
  ],
  [{ 'template-send.extra-variable': 'rejected' }, [sendTemplate('5', { variables: { a: '' } })], 400],
  [
    { 'template-send.escaping': 'html', 'template-send.missing-variable': 'accepted' },
    [sendTemplate('1', { variables: { first_name: '<b>' } }), latestMail],
    200,
    mailWith('Hello &#60;b&#62;'),
  ],
  // §2.3
  [{ 'lead.name': 'optional' }, [add({})], 200, { data: { name: '' } }],
  [{ 'lead.name': 'optional' }, [add({ name: '' })], 400],
  [{ 'lead.source': 'required' }, [add({ name: 'L' })], 400, 'body/source is required'],
  [{ 'lead.note': 'required' }, [add({ name: 'L' })], 400, 'body/note is required'],
  [{ 'lead.empty-name': 'accepted' }, [add({ name: '' })], 200],
  [{ 'lead.email': 'rejected' }, [add({ ...lead, email: 'x' })], 400, 'body/email is not taken here'],
  [{ 'lead.unknown-field': 'rejected' }, [add({ ...lead, email: 'x' })], 200],
  [
    { 'lead.unknown-field': 'rejected' },
    [add({ ...lead, phone: 'x' })],
    400,
    'body/phone is not a field of this request',
  ],
  [
    { 'lead.wrong-type': 'accepted' },
    [add({ name: 7, source: true })],
    200,
    { data: { name: '7', source: 'true' } },
  ],
  [
    { 'lead.wrong-type': 'accepted' },
    [add({ name: null })],
    400,
    'body/name must be string or number or boolean',
  ],
  [
    { 'lead.id-format': 'uuid' },
    [add(lead)],
    200,
    { data: { lead_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
  ],
  [{ 'lead.id-format': 'integer' }, [add(lead), add(lead)], 200, { data: { lead_id: '2' } }],
  [
    { 'lead.id-format': 'opaque' },
    [add(lead)],
    200,
    { data: { lead_id: expect.stringMatching(/^[\w-]{22}$/) } },
  ],
  [{ 'lead.duplicate': 'rejected' }, [add(lead), add(lead)], 400],
  [{ 'lead.duplicate': 'rejected' }, [add(lead), add({ ...lead, note: 'y' })], 200],
  [{ 'lead.duplicate': 'merged' }, [add(lead), add(lead)], 200, { data: { lead_id: 'lead_000001' } }],
  [
    { 'lead.name-limit': 64 },
    [add({ name: 'x'.repeat(65) })],
    400,
    'body/name must not have more than 64 characters',
  ],
  [{ 'lead.name-limit': 64 }, [add({ name: '𝄞'.repeat(64) })], 200],
  [{ 'lead.note-limit': 100 }, [add(lead), update({ note: 'x'.repeat(101) })], 400],
  // §4.6
  [{ 'lead.update-name': 'rejected' }, [add(lead), update({ name: 'M', note: 'y' })], 400],
  [
    { 'lead.update-name': 'ignored' },
    [add(lead), update({ name: 'M', note: 'y' })],
    200,
    { data: { name: 'Lena', note: 'y' } },
  ],
  [{ 'lead.update-source': 'rejected' }, [add(lead), update({ source: 'M', note: 'y' })], 400],
  [{ 'lead.update-empty': 'rejected' }, [add(lead), update({})], 400, 'body must change at least one field'],
  // §4.8
  [{ 'lead.retrieve': 'present' }, [add(lead), ['GET', '/api/v1/leads/lead_000001']], 200, { data: lead }],
  [{ 'lead.retrieve': 'present' }, [['GET', '/api/v1/leads/nobody']], 404],
  [
    { 'lead.list': 'present' },
    [add(lead), ['GET', '/api/v1/leads']],
    200,
    { data: [lead], message: '1 lead' },
  ],
  // §5 and §7
  [{ 'auth.missing-status': 403 }, [templates('', { key: null })], 403],
  [{ 'auth.malformed-status': 400 }, [templates('', { key: 'a b' })], 400],
  [{ 'auth.unknown-key-status': 200 }, [templates('', { key: 'x' })], 200, { success: false }],
  [{ 'failure.validation-status': 422 }, [add({})], 422],
  [{ 'failure.validation-status': 200 }, [add({})], 200, { success: false, error: 'body/name is required' }],
  [{ 'failure.validation-status': 500 }, [add('[]')], 500],
  [{ 'failure.malformed-json-status': 422 }, [add('{"name":')], 422],
  [
    { 'failure.malformed-json-status': 'accepted' },
    [add('{"name":')],
    200,
    { success: true, data: { name: '' } },
  ],
  [{ 'failure.media-type-status': 406 }, [labelled('text/plain', add(lead))], 406],
  [{ 'failure.media-type-status': 'accepted' }, [labelled('text/plain', add(lead))], 200, { data: lead }],
  [{ 'failure.media-type-status': 'accepted' }, [labelled('garbage', add(lead))], 200, { data: lead }],
  [{ 'failure.media-type-status': 'accepted' }, [labelled('text/plain', add('name=Lena'))], 400],
  [{ 'failure.unknown-lead-status': 410 }, [update({}, 'nobody')], 410],
  [
    { 'failure.unknown-lead-status': 'accepted' },
    [update({ note: 'y' }, 'nobody')],
    200,
    { success: true, data: { lead_id: 'nobody', name: '', note: 'y' } },
  ],
  [{ 'failure.delete-again-status': 200 }, [['DELETE', '/api/v1/leads/nobody']], 200, { success: false }],
  [
    { 'failure.delete-again-status': 'accepted' },
    [['DELETE', '/api/v1/leads/nobody']],
    200,
    { success: true },
  ],
  [{ 'failure.unknown-template-status': 422 }, [sendTemplate('9')], 422],
  [{ 'failure.unknown-template-status': 'accepted' }, [sendTemplate('9')], 200, { success: true }],
  [{ 'failure.unknown-route-status': 403 }, [['GET', '/api/v1/nothing']], 403],
  [{ 'failure.unknown-route-status': 'accepted' }, [['GET', '/api/v1/nothing']], 200, { success: true }],
  [{ 'failure.wrong-method-status': 404 }, [['GET', '/api/v1/email/send']], 404],
  [{ 'failure.wrong-method-status': 'accepted' }, [['GET', '/api/v1/email/send']], 200, { success: true }],
  [{ 'failure.error-style': 'code' }, [add({})], 400, 'validation_failed'],
  [{ 'success.error-field': 'empty' }, [add(lead)], 200, ''],
  // §2.3
  [{}, [add({ ...lead, note: ' a\r\ne\u0301\u0001 ' })], 200, { data: { note: ' a\r\ne\u0301\u0001 ' } }],
  [{ 'lead.outer-blanks': 'trimmed' }, [add({ ...lead, note: ' a  b\n' })], 200, { data: { note: 'a  b' } }],
  [{ 'lead.outer-blanks': 'trimmed' }, [add({ ...lead, name: ' ' })], 400],
  [
    { 'lead.line-breaks': 'normalised' },
    [add(lead), update({ note: 'a\r\nb\rc' })],
    200,
    { data: { note: 'a\nb\rc' } },
  ],
  [
    { 'lead.unicode-form': 'composed' },
    [add({ ...lead, source: 'e\u0301' })],
    200,
    { data: { source: '\u00e9' } },
  ],
  [
    { 'lead.control-characters': 'removed' },
    [add({ ...lead, note: 'a\u0001\tb' })],
    200,
    { data: { note: 'a\tb' } },
  ],
  [
    { 'lead.control-characters': 'rejected' },
    [add(lead), update({ note: 'a\u0001' })],
    400,
    'body/note must not contain control characters',
  ],
  [{ 'lead.control-characters': 'rejected' }, [add({ ...lead, note: 'a\tb\r\n' })], 200],
  // §8
  [{ 'limits.body-size': '64KiB' }, [add({ ...lead, x: 'x'.repeat(65_536) })], 413],
  [{ 'limits.body-size': '100KiB' }, [add({ ...lead, x: 'x'.repeat(65_536) })], 200],
  [{ 'limits.body-size': 'above-1MiB' }, [add({ ...lead, x: 'x'.repeat(1_250_000) })], 200],
  [
    { 'limits.body-size': '64KiB' },
    [['POST', '/__admin/templates', { body: { name: 'x', body: 'x'.repeat(70_000) } }]],
    201,
  ],
];

const listed = cases.map(([answers, requests, status, body = {}]) => ({
  title: JSON.stringify(answers),
  answers,
  requests,
  expected: { status, body: typeof body === 'string' ? { error: body } : body },
}));

test.each(listed)('$title (case %#)', async ({ answers, requests, expected }) => {
  expect(await under(answers, ...requests)).toMatchObject(expected);
});

test.each<[Partial<Answers>, object]>([
  [{ 'failure.success-field': 'absent' }, { error: 'body/name is required', message: expect.any(String) }],
  [{ 'failure.message-field': 'absent' }, { success: false, error: 'body/name is required' }],
])('the shape of a failure with %j', async (answers, body) => {
  expect((await under(answers, add({}))).body).toEqual(body);
});

describe('limits that the document leaves open', () => {
  test('a key that makes more than 100 requests in a minute is refused until the minute is over', async () => {
    const answers = { 'limits.rate': 'limited', 'limits.rate-headers': 'present' } as const;
    await using mock = createMock({ answers });
    const ask = (key: string) =>
      mock.fetch('http://mock/api/v1/email/templates', { headers: { authorization: `Bearer ${key}` } });
    const first = await ask('test_a');
    expect(first.headers.get('ratelimit-remaining')).toBe('99');
    for (let sent = 1; sent < 100; sent += 1) expect((await ask('test_a')).status).toBe(200);
    const refused = await ask('test_a');
    expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(mock.workspace('test_a').requests.latest()?.why).toMatchObject({ code: 'rate_limited' });
    expect((await ask('test_b')).status).toBe(200);
    mock.workspace('test_a').reset();
    expect((await ask('test_a')).status).toBe(200);
  });

  test.each<[object, string, number]>([
    [{}, 'from', 255],
    [{ 'send.field-limits': 'limited' }, 'subject', 255],
    [{ 'send.field-limits': 'limited' }, 'html', 100_000],
  ])('under %j, %s may have %d characters', async (answers, field, length) => {
    const isLimited = Object.keys(answers).length > 0;
    for (const [text, status] of [
      ['x'.repeat(length), field === 'from' ? 400 : 200],
      ['x'.repeat(length + 1), isLimited || field === 'from' ? 400 : 200],
    ] as const)
      expect((await under(answers, send({ ...email, [field]: text }))).status).toBe(status);
  });
});

describe('pages and filters of templates', () => {
  const listed = async (answers: Partial<Answers>, query: string): Promise<unknown> => {
    const mock = createMock({
      answers,
      seed: { templates: Array.from({ length: 45 }, (_, at) => ({ name: `Mail ${at + 1}`, body: 'x' })) },
    });
    const reply = await mock.fetch(`http://mock/api/v1/email/templates${query}`, {
      headers: { authorization: 'Bearer test_key' },
    });
    await mock.close();
    const { data, error } = (await reply.json()) as { data?: { name: string }[]; error: string };
    return data ? [data.length, data[0]?.name] : error;
  };

  test.each<[Partial<Answers>, string, unknown]>([
    [{}, '?page=2&name=Mail%207', [45, 'Mail 1']],
    [{ 'templates.page-size': 'paged' }, '', [20, 'Mail 1']],
    [{ 'templates.page-size': 'paged' }, '?page=3', [5, 'Mail 41']],
    [{ 'templates.page-size': 'paged' }, '?page=4', [0, undefined]],
    [{ 'templates.page-size': 'paged' }, '?page=0', 'query/page must be a whole number above 0'],
    [
      { 'templates.page-size': 'paged', 'templates.limit-parameter': 'honoured' },
      '?page=2&limit=7',
      [7, 'Mail 8'],
    ],
    [{ 'templates.filtering': 'supported' }, '?name=mail%204', [7, 'Mail 4']],
  ])('%j%s', async (answers, query, expected) => {
    expect(await listed(answers, query)).toEqual(expected);
  });
});

describe('headers of every reply', () => {
  test.each<[Partial<Answers>, string]>([
    [{ 'limits.rate-headers': 'present' }, 'ratelimit-limit'],
    [{ 'versioning.deprecation-headers': 'present' }, 'deprecation'],
  ])('%j', async (answers, header) => {
    const requests: readonly Request[] = [templates(), add({}), ['GET', '/api/v1/nothing']];
    for (const request of requests) {
      expect((await under(answers, request)).headers).toHaveProperty(header);
      expect((await under({}, request)).headers).not.toHaveProperty(header);
    }
  });
});

describe('under any answers', () => {
  /** Those a workspace may have of its own. */
  const ownOf = (answers: Answers): object =>
    Object.fromEntries(Object.entries(answers).filter(([id]) => !id.startsWith('auth.')));
  const answerTo = (spaces: readonly Answer[]): Arbitrary<Answer> =>
    oneof(
      ...spaces.map((space) => {
        const [, from, to] = /^(\d+)-(\d+)$/.exec(String(space)) ?? [];
        return from === undefined ? constantFrom(space) : integer({ min: Number(from), max: Number(to) });
      }),
    );
  const anyAnswers = record(
    Object.fromEntries(
      listQuestions().map(({ id, answers, assumed, imitated }) => [
        id,
        answerTo(imitated === false ? [assumed] : answers),
      ]),
    ),
  ).map((given) => resolveAnswers(given));

  const requests: readonly Request[] = [
    ...[lead, {}, { name: '' }, { name: 7, phone: 1 }, '[]', '{', { ...lead, email: 'x' }].flatMap((body) => [
      add(body),
      update(body),
      update(body, 'nobody'),
      send(body),
      labelled('text/plain', add(body)),
    ]),
    ...[email, { ...email, to: 'b@example.com' }, { from: 'x' }].map(send),
    ...['1', '5', '9'].flatMap((template_id) => [
      sendTemplate(template_id),
      sendTemplate(template_id, { variables: { first_name: 'L', __proto__: 'x' }, to: 'b@example.com' }),
      ['POST', '/api/v1/email/send-template', { body: { template_id } }] as const,
    ]),
    templates(),
    templates('?limit=1'),
    templates('?limit=x'),
    ['GET', '/api/v1/email/template'],
    ['GET', '/api/v1/leads'],
    ['GET', '/api/v1/leads/nobody'],
    ['DELETE', '/api/v1/leads/nobody'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/email/send'],
    ['GET', '/api/v1/%zz'],
    ['POST', '/api/v1/leads', { key: null, body: lead }],
    ['POST', '/api/v1/leads', { key: 'unknown', body: lead }],
    ['POST', '/api/v1/leads', { key: 'a b', body: lead }],
    ['POST', '/api/v1/leads', { body: lead, headers: { prefer: 'code=418' } }],
  ];

  test('given at the start or while it runs, every reply satisfies the contract, and 5xx come only where an answer says so', async () => {
    await assert(
      asyncProperty(anyAnswers, boolean(), async (answers, atStart) => {
        const mock = await startCheckedMock({ answers: atStart ? answers : {} });
        if (!atStart) await exchange(`${mock.url}/__admin/answers`, 'PATCH', { body: ownOf(answers) });
        const values = new Set<unknown>(Object.values(answers));
        for (const [method, path, sent] of requests) {
          const { status, text } = await exchange(mock.url + path, method, sent);
          if (status >= 500) expect([method, path, sent, values.has(status), text]).toContain(true);
          expect(text).not.toContain('brokeTheContract');
        }
        await mock.close();
      }),
      { seed: 11, numRuns: isWhole ? 60 : 4 },
    );
  });

  test('the contract is valid OpenAPI', async () => {
    await assert(
      asyncProperty(anyAnswers, async (answers) => {
        await SwaggerParser.validate(structuredClone(applyAnswers(answers)) as never);
      }),
      { seed: 12, numRuns: isWhole ? 40 : 3 },
    );
  });

  test('the contract as stated is left alone', () => {
    const before = JSON.stringify(applyAnswers(resolveAnswers()));
    assert(
      property(anyAnswers, (answers) => void applyAnswers(answers)),
      { seed: 13, numRuns: 20 },
    );
    expect(JSON.stringify(applyAnswers(resolveAnswers()))).toBe(before);
  });
});
