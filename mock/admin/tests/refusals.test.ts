// What the admin API refuses: it says what is wrong, at which place, and changes nothing.
import { expect, test } from 'vitest';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
const now = '2026-03-02T10:15:30.000Z';
const manyPlaceholders = '{{a}}'.repeat(20_001);
const deep = `{"rules":[{"status":500,"body":${'['.repeat(10_000)}${']'.repeat(10_000)}}]}`;
/** A template that could be stored, but for one thing. */
const template = (wrong: object) => ({ name: 'Hello', body: '<p>{{a}} {{b}}</p>', ...wrong });
/** After a rule that could be stored. */
const rules = (rule: object) => ({ rules: [{ status: 500 }, rule] });
/** After an answer that could be given. */
const answers = (wrong: object) => ({ 'lead.note': 'required', ...wrong });
const lead = (wrong: object) => ({ leads: [{ name: 'Lena', ...wrong }] });
const none = undefined;

const refused: Readonly<Record<string, readonly (readonly [body: unknown, error: string])[]>> = {
  'PATCH /answers': [
    [answers({ 'send.too': 'required' }), 'question "send.too"; did you mean send.to? Its answers are'],
    [answers({ 'send.too': null }), 'there is no open question "send.too"; did you mean send.to?'],
    [answers({ 'send.to': { required: true } }), 'body/send.to must be string or integer or null'],
    [answers({ 'lead.name-limit': 63 }), 'lead.name-limit cannot be 63: the answers are '],
    [answers({ 'lead.name-limit': 10_001 }), 'lead.name-limit cannot be 10001: the answers are '],
    [answers({ 'failure.validation-status': '4e2' }), 'cannot be "4e2": the answers are '],
    [answers({ 'auth.missing-status': 400 }), "auth.missing-status is the server's: a request without"],
    [answers({ 'auth.missing-status': null }), "auth.missing-status is the server's"],
    [answers({ events: 'webhooks' }), 'events cannot be webhooks in the mock, which does not imitate it'],
  ],
  'PUT /clock': [
    [{}, 'body is empty'],
    [{ now: 'noon' }, 'body/now must be an ISO 8601 time'],
    [{ now: '0001-01-01T00:00:00Z', advance_ms: -1 }, 'body/advance_ms must lead to a time from year 1'],
    [{ now: '9999-12-31T23:59:59-23:00' }, 'body/now must lead to a time from year 1'],
    [{ now: '0000-12-31T23:59:59Z', advance_ms: 1e9 }, 'body/now must lead to a time from year 1'],
  ],
  'PUT /faults': [
    [[{ status: 503 }], 'body must be a JSON object, not a list'],
    [{ operation: 'addLead', status: 503 }, 'body/operation is not known here; there is rules'],
    [deep, 'body/rules/0/body is nested more than 100 deep'],
    [rules({}), 'body/rules/1 does nothing'],
    [rules({ status: 200 }), '/1/status is a success, which needs a body'],
    [rules({ operation: 'createLead', status: 500 }), '/1/operation must be one of sendEmail, '],
    [rules({ method: 'BREW', status: 500 }), '/1 can never match'],
    [rules({ method: '', status: 500 }), '/1/method must be the name of an HTTP method'],
    [rules({ path: '/api/v1/leads/', status: 500 }), 'of the service; did you mean /api/v1/leads?'],
    [rules({ operation: 'sendEmail', method: 'GET', status: 500 }), '/1 can never match: no operation meets'],
    [rules({ operation: 'listTemplates', when: { a: 1 }, status: 503 }), '/1 can never match'],
    [rules({ fault: 'EMPTY_RESPONSE', status: 500 }), 'has both a status and a fault'],
    [rules({ delay_ms: { min: 5, max: 1 } }), '/1/delay_ms has a min above its max'],
    [rules({ delay_ms: 1, take_effect: true }), 'has a take_effect, which needs a status or a fault'],
    [rules({ status: 500, retry_after: 'a\r\nb: c' }), 'retry_after must be seconds or an HTTP date'],
    [rules({ status: 500, retry_after: 'soon' }), 'retry_after must be seconds or an HTTP date like Mon, 02'],
    [rules({ status: 500, when: {} }), 'body/rules/1/when is empty'],
    [rules({ status: 204, body: {} }), 'body/rules/1/body must be left out: 204 and 304 have no body'],
    [{ rules: ['x'] }, 'body/rules/0 must be object, for example {"operation":"addLead","status":503,'],
  ],
  'DELETE /outbox': [
    [none, 'body'],
    [{ all: 'true' }, 'body/all'],
    [{ all: true, to: 'x' }, 'body/to is not known here'],
    ['null', 'body must be'],
  ],
  'GET /leads?key=test_a&key=test_b': [[none, 'query/key is given 2 times']],
  'GET /outbox/wait?timeout_ms=9999999': [[none, 'query/timeout_ms must be <= 120000']],
  'GET /outbox?limit=-1': [[none, 'query/limit must be >= 0']],
  'GET /outbox/wait?absent=yes': [[none, 'query/absent must be boolean']],
  'GET /outbox/wait?since=x': [[none, 'query/since must be the unchanged cursor of an earlier response']],
  'GET /outbox/wait?to=a&to=b': [[none, 'query/to is given 2 times']],
  'GET /outbox/wait?too=b': [[none, 'query/too is not known here; did you mean to?']],
  'DELETE /requests': [[none, 'body']],
  'POST /requests/count': [
    [{ operations: 'x' }, 'body/operations is not known here; did you mean operation?'],
    [{ status: 'many' }, 'body/status must be a status like 503, a class like 5xx'],
    [{ operation: 'createLead' }, 'body/operation must be one of sendEmail, '],
    [{ path: '/a?b' }, 'body/path must be a path without a query'],
  ],
  'POST /templates': [
    [{ name: 'x' }, 'body/body is required'],
    [template({ id: 'x'.repeat(1001) }), 'body/id must not have more than 1000 characters'],
    [template({ variables: ['a'] }), 'body/variables must be the placeholders of the body'],
    [template({ nam: 'x' }), 'body/nam is not known here; did you mean name?'],
    [template({ body: manyPlaceholders }), 'body/body must not have more than 20000 placeholders'],
  ],
  'PUT /templates/1': [
    [template({ id: 'other' }), 'body/id must be "1"'],
    [template({ created_at: '2020-01-01T00:00:00.000Z' }), 'body/created_at must be "2'],
  ],
  'PUT /state': [
    [{ lead: [] }, 'body/lead is not known here; did you mean leads?'],
    [lead({ nam: 'x' }), 'body/leads/0/nam is not known here; did you mean name?'],
    [{ leads: ['x', 'y'].map((name) => ({ lead_id: 'a', name })) }, 'body/leads/1/lead_id is there twice'],
    [lead({ created_at: '2026-02-30T00:00:00Z' }), 'leads/0/created_at must match format'],
    [lead({ created_at: '2026-02-03T00:00:00+01:00' }), 'must be in UTC'],
    [{ templates: [template({ variables: ['b'] })] }, 'templates/0/variables must be the placeholders'],
    [{ templates: [template({ body: manyPlaceholders })] }, '0/body must not have more than 20000 place'],
    [{ outbox: [{ id: 'latest', operation: 'sendEmail' }] }, 'outbox/0/id must not be "latest" or "wait": '],
    [{ answers: { 'send.to': 'maybe' } }, 'body/answers send.to cannot be "maybe": the answers are optional'],
    [{ faults: [{}] }, 'body/faults/0 does nothing'],
    [{ clock: { frozen: true } }, 'body/clock needs either a now, at which it'],
    [{ clock: { offset_ms: -2e14 } }, 'body/clock/offset_ms must lead to a time from year 1'],
    [{ clock: { now, offset_ms: 5 } }, 'body/clock needs either a now'],
  ],
};

const rows = Object.entries(refused).flatMap(([line, all]) => all.map((row) => [line, ...row] as const));

test.each(rows)('%s with %.100j: %s', async (line, body, error) => {
  const [method = '', path = ''] = line.split(' ');
  await mock.lead();
  await mock.mail();
  await mock.admin('PUT', '/clock', { body: { now } });
  await mock.admin('PUT', '/faults', { body: { rules: [{ nth: 9, status: 503 }] } });
  const before = await mock.read('/state');
  const reply = await mock.admin(method, path, body === none ? {} : { body: body as object });
  expect(reply).toMatchObject(rejectedWith(400, error));
  expect(await mock.read('/state')).toEqual(before);
});

test('a body without rules is told what to send', async () => {
  for (const body of [{}, [{ status: 503 }], { status: 503 }]) {
    const message = expect.stringContaining('Send for example {"rules":[{"operation":');
    expect((await mock.admin('PUT', '/faults', { body })).body).toMatchObject({ message });
  }
});
