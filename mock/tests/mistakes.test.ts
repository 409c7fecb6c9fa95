// The usual mistakes: each response, and its line in the log and the journal, says what cures it.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createLog } from '../service/log.ts';
import { useMock } from '../testing/mock-server.ts';
import { rawExchange } from '../testing/raw-http.ts';

const mock = useMock();

type Mistake = {
  readonly request: readonly [method: string, path: string];
  readonly header?: string | null;
  readonly body?: object;
  readonly status: number;
  readonly error: string;
  readonly hint: RegExp;
  /** What journal and log say behind the error, where they say more. */
  readonly cure?: string;
};

const leads = ['POST', '/api/v1/leads'] as const;
const mail = ['POST', '/api/v1/email/send'] as const;
const template = ['POST', '/api/v1/email/template'] as const;
const badHeader = 'header/Authorization must be the word Bearer, one space and the key';

const mistakes: Readonly<Record<string, Mistake>> = {
  'a path without its prefix': {
    request: ['POST', '/leads'],
    status: 404,
    error: 'there is no POST "/leads"',
    hint: /^Did you mean \/api\/v1\/leads\?/,
    cure: 'did you mean /api/v1/leads?',
  },
  'a path that is spelled otherwise': {
    request: ['POST', '/api/v1/lead'],
    status: 404,
    error: 'there is no path "/api/v1/lead"',
    hint: /^Did you mean POST \/api\/v1\/leads\? All are listed at \/docs\.$/,
    cure: 'did you mean POST /api/v1/leads?',
  },
  'a slash at the end': {
    request: ['POST', '/api/v1/leads/'],
    status: 404,
    error: 'there is no path "/api/v1/leads/"',
    hint: /^Did you mean POST \/api\/v1\/leads, without the slash at the end\?/,
    cure: 'did you mean POST /api/v1/leads, without the slash at the end?',
  },
  'a list that the document does not have': {
    request: ['GET', '/api/v1/leads'],
    status: 405,
    error: '"/api/v1/leads" has no GET',
    hint: /--answer lead\.list=present/,
    cure: '--answer lead.list=present adds it',
  },
  'a lead that the document does not show': {
    request: ['GET', '/api/v1/leads/lead_000001'],
    status: 405,
    error: '"/api/v1/leads/lead_000001" has no GET',
    hint: /--answer lead\.retrieve=present/,
    cure: '--answer lead.retrieve=present adds it',
  },
  'no key': {
    request: leads,
    header: null,
    status: 401,
    error: 'header/Authorization is missing',
    hint: /Bearer <API_KEY>/,
    cure: 'send "Authorization: Bearer <API_KEY>"',
  },
  'a key without its scheme': {
    request: leads,
    header: 'test_key',
    status: 401,
    error: badHeader,
    hint: /^Write "Authorization: Bearer test_key"\. /,
    cure: 'write "Authorization: Bearer test_key"',
  },
  'a secret without its scheme': {
    request: leads,
    header: 'live_key',
    status: 401,
    error: badHeader,
    hint: /^Write "Authorization: Bearer <API_KEY>"\. /,
    cure: 'write "Authorization: Bearer <API_KEY>"',
  },
  'the scheme twice': {
    request: leads,
    header: 'Bearer Bearer test_key',
    status: 401,
    error: badHeader,
    hint: /The word Bearer is there twice\. Write "Authorization: Bearer test_key"\./,
  },
  'a name in another case': {
    request: template,
    body: { templateId: '1', variables: {} },
    status: 400,
    error: 'body/template_id is required',
    hint: /Did you mean template_id instead of templateId\?/,
    cure: 'did you mean template_id instead of templateId?',
  },
  'names that are like no field': {
    request: mail,
    body: { recipient: 'a@example.com', from: 'a@example.com', subject: 'x', content: 'y' },
    status: 400,
    error: 'body/html is required',
    hint: /Unknown fields: recipient, content\./,
  },
  'an address with a name': {
    request: mail,
    body: { from: 'Lena <lena@example.com>', subject: 'x', html: '' },
    status: 400,
    error: 'body/from must match format "email"',
    hint: /Send the address alone, for example lena@example\.com/,
  },
  'a variable in another case': {
    request: template,
    body: { template_id: '1', variables: { firstName: 'Lena', course_name: 'x', start_date: 'y' } },
    status: 400,
    error: 'body/variables lacks "first_name", which the template lists',
    hint: /Did you mean first_name instead of firstName\?/,
    cure: 'did you mean first_name instead of firstName?',
  },
  'several names that are missing': {
    request: mail,
    body: { Subject: 'x', form: 'a@example.com' },
    status: 400,
    error: 'body/subject, body/from and body/html are required',
    hint: /Did you mean subject instead of Subject and from instead of form\?/,
    cure: 'did you mean subject instead of Subject and from instead of form?',
  },
};

describe('a request with a mistake', () => {
  test.each(Object.entries(mistakes))('%s', async (_name, mistake) => {
    const { request, header, body = { name: 'Lena' }, status, error, hint, cure } = mistake;
    const [method, path] = request;
    const key = mock.key();
    const sent = method === 'GET' ? {} : { body };
    const headers = header == null ? {} : { authorization: header };
    const reply = await mock.call(method, path, { ...sent, key: header === undefined ? key : null, headers });
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ success: false, error, message: expect.stringMatching(hint) });
    const query = header === undefined ? '' : '?unclaimed=true';
    const { body: entry } = await mock.call('GET', `/__admin/requests/latest${query}`, { key });
    const why = cure === undefined ? error : `${error}; ${cure}`;
    expect(entry).toMatchObject({ method, path, status, why: { what: why } });
  });

  test('fields that are not taken are all named', async () => {
    const key = mock.key();
    await mock.call('PATCH', '/__admin/answers', { key, body: { 'lead.unknown-field': 'rejected' } });
    const body = { name: 'Lena', Source: 'x', phone: '1' };
    expect((await mock.call('POST', '/api/v1/leads', { key, body })).body).toMatchObject({
      error: 'body/Source and body/phone are not fields of this request',
      message: expect.stringMatching(/Did you mean source instead of Source\?/),
    });
  });

  test('HTTPS on the port for HTTP', async () => {
    const hello = Buffer.from('160301020001000001fc0303', 'hex');
    expect(await rawExchange(mock.port, hello)).toMatchObject({
      statuses: [400],
      body: { success: false, error: 'the request is HTTPS, and this port speaks HTTP' },
    });
  });
});

test('unmatched requests are listed, with and without an accepted key', async () => {
  const key = mock.key();
  const path = `/api/v1/${key}`;
  await mock.call('GET', path, { key });
  await mock.call('POST', '/api/v1/leads', { key, body: {} });
  await mock.call('GET', `/api/v1/email/templates?${key}`, { key: 'live_key' });
  await mock.call('GET', `/${key}`, { key: null });
  const list = async (query: string) =>
    (
      (await mock.call('GET', `/__admin/requests?unmatched=true${query}`, { key })).body as {
        requests: { path: string; unclaimed?: boolean; status: number }[];
      }
    ).requests.filter((request) => request.path.includes(key));
  expect(
    (await list('&limit=1000')).map(({ unclaimed = false, status }) => [unclaimed, status]).sort(),
  ).toEqual([
    [false, 404],
    [true, 401],
    [true, 404],
  ]);
  expect(await list('&status=5xx')).toEqual([]);
});

test.each([
  'there is no POST "/leads"; did you mean /api/v1/leads?',
  // Invisible: one of them needs two escapes in JSON.
  'there is no POST "/\u{e0041}\u202eleads"',
])('the log has the reason behind the response: %j', (why) => {
  const lines: string[] = [];
  const log = createLog('json', (text) => lines.push(text));
  log?.({ method: 'POST', url: '/leads' }, { statusCode: 404, elapsedTime: 1, why });
  return new Promise<void>((resolve) => setImmediate(() => resolve())).then(() =>
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status: 404, why }),
  );
});

test('spec takes answers', () => {
  const argv = ['dist/email-leads.js', 'spec', '--format', 'json', '--answer', 'lead.list=present'];
  const { paths } = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
  expect(paths['/api/v1/leads'].get.operationId).toBe('listLeads');
});
