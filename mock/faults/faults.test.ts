import { expect, test } from 'vitest';
import { type Received, type Sent, useMock } from '../testing/mock-server.ts';
import { rawExchange } from '../testing/raw-http.ts';
import { createFaults } from './faults.ts';

const mock = useMock();
const put = (...rules: object[]) => mock.admin('PUT', '/faults', { body: { rules } });
const add = (sent: Sent = {}) =>
  mock.call('POST', '/api/v1/leads', { body: { name: 'Lena', source: 'web' }, ...sent });
const list = (sent: Sent = {}) => mock.call('GET', '/api/v1/email/templates', sent);
const statuses = async (...calls: (() => Promise<Received>)[]) => {
  const found: number[] = [];
  for (const call of calls) found.push((await call()).status);
  return found;
};

test.each<[object, number[]]>([
  [{}, [503, 503, 503]],
  [{ operation: 'addLead' }, [503, 200, 200]],
  [{ method: 'get' }, [200, 503, 200]],
  [{ path: '/api/v1/email/templates' }, [200, 503, 200]],
  [{ to: 'B@example.com' }, [200, 200, 503]],
  [{ to: '*@Example.com' }, [200, 200, 503]],
  [{ to: '*@example.org' }, [200, 200, 200]],
  [{ operation: 'addLead', when: { name: 'Lena' } }, [503, 200, 200]],
  [{ when: { note: 'Lena' } }, [200, 200, 200]],
])('which requests a rule with %j fails', async (conditions, expected) => {
  await put({ ...conditions, status: 503 });
  expect(await statuses(add, list, () => mock.mail({ to: 'b@example.com' }))).toEqual(expected);
});

test('a rule fails those with a member of an object in the body, whatever else is sent', async () => {
  await put({ when: { variables: { first_name: 'Joe' } }, status: 503 });
  const send = (variables: object) => async () =>
    mock.call('POST', '/api/v1/email/template', { body: { template_id: '5', variables } });
  const sent = [send({ first_name: 'Joe', course: 'x' }), send({ first_name: 'Jane' })];
  expect(await statuses(...sent)).toEqual([503, 200]);
});

test('a rule fails the nth request only, or exactly so many, however many come at once', async () => {
  await put({ nth: 2, status: 500 }, { nth: 4, status: 503 });
  expect(await statuses(list, list, list, list, list)).toEqual([200, 500, 200, 503, 200]);
  await put({ operation: 'addLead', status: 503, times: 7, delay_ms: { min: 0, max: 5 } });
  const all = await Promise.all(Array.from({ length: 30 }, () => add()));
  expect(all.filter(({ status }) => status === 503)).toHaveLength(7);
  expect(await mock.read('/faults')).toMatchObject({ rules: [{ seen: 30, matched: 7, left: 0 }] });
});

test.each<[string, string, boolean]>([
  ['{id}', 'lead_1', true],
  ['{id}', '', false],
  ['{id}', 'a/b', false],
  ['lead_{n}', 'lead_7', false],
  ['x.y', 'x-y', false],
])('the path %s of a rule, %s of a request: %j', async (path, called, taken) => {
  await put({ path: `/api/v1/leads/${path}`, status: 418 });
  const { status } = await mock.call('DELETE', `/api/v1/leads/${called}`);
  expect(status === 418).toBe(taken);
});

test('a rule may be for an operation that exists with other answers, and for HEAD, OPTIONS and parts of a path', async () => {
  const conditions = [
    { operation: 'retrieveLead' },
    { method: 'head' },
    { path: '/api/v1/leads', method: 'GET' },
    { path: '/{any}/v1/leads/{id}', operation: 'updateLead' },
    { operation: 'addLead', to: 'b@example.com' },
  ];
  expect((await put(...conditions.map((condition) => ({ ...condition, status: 503 })))).status).toBe(200);
});

const date = 'Mon, 02 Mar 2026 10:15:30 GMT';
test.each([7, date])('a status is a refusal like any other, with Retry-After %j', async (retry_after) => {
  await put({ status: 503, retry_after });
  const refused = await list({ headers: { origin: 'http://x' } });
  expect(refused).toMatchObject({
    status: 503,
    body: { success: false, error: 'Service unavailable', message: 'Try again later.' },
    headers: { 'retry-after': String(retry_after), 'access-control-allow-origin': 'http://x' },
  });
  const why = { code: 'fault', what: 'fault rule 1 of this workspace answers 503' };
  expect(await mock.read('/requests/latest')).toMatchObject({ why });
});

test('401 refuses a key as one that has expired', async () => {
  await put({ status: 401 });
  const [expired, refused] = [await add(), await add({ key: 'sk_unknown' })];
  expect([expired.status, expired.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect((expired.body as { error: string }).error).toBe((refused.body as { error: string }).error);
});

test.each([
  ['<html>Bad gateway</html>', 'text/html; charset=utf-8', '<html>Bad gateway</html>'],
  ['over', 'text/plain; charset=utf-8', 'over'],
  [{ a: [1] }, 'application/json; charset=utf-8', '{"a":[1]}'],
  [null, 'application/json; charset=utf-8', 'null'],
])('a rule may have a body of its own: %j', async (body, type, text) => {
  await put({ status: 502, body });
  const reply = await add();
  expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([502, type, text]);
});

test('after a delay comes the real reply; a client that does not wait has sent its mail all the same', async () => {
  await put({ operation: 'listTemplates', delay_ms: 80 }, { operation: 'sendEmail', delay_ms: 60_000 });
  const started = performance.now();
  expect((await list()).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(75);
  const controller = new AbortController();
  const sent = fetch(`${mock.url}/api/v1/email/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.own}`, 'content-type': 'application/json' },
    body: '{"subject":"x","from":"a@example.com","to":"lena@example.com","html":"x"}',
    signal: controller.signal,
  }).catch((error: Error) => error.name);
  const ofMail = '/requests/wait?operation=sendEmail';
  expect(await mock.read(ofMail)).toMatchObject({ requests: [{ status: 200 }] });
  controller.abort();
  expect(await sent).toBe('AbortError');
  const what = expect.stringMatching(/before the reply came.* 200$/);
  const duration_ms = expect.toSatisfy((ms: number) => ms < 60_000);
  const requests = [{ duration_ms, why: { code: 'client_gone', what } }];
  expect(await mock.read(`${ofMail}&status=0`)).toMatchObject({ requests });
  expect(await mock.read('/outbox')).toMatchObject({ total: 1 });
});

test.each([
  [{ status: 504 }, 504],
  [{ status: 502, body: '<html>Bad gateway</html>' }, 502],
  [{ fault: 'CONNECTION_RESET_BY_PEER' }, 0],
])('%j with take_effect loses the reply of a request only, unless it is refused', async (outcome, status) => {
  await put({ operation: 'sendEmail', times: 2, take_effect: true, ...outcome });
  expect((await mock.mail({ from: 'nobody' })).status).toBe(400);
  const { status: seen } = await mock.mail().catch(() => ({ status: 0 }));
  expect([seen, (await mock.mail()).status]).toEqual([status, 200]);
  expect(await mock.read('/outbox')).toMatchObject({ total: 2 });
  const what = expect.stringContaining('after the operation took effect');
  expect(await mock.read('/requests')).toMatchObject({
    requests: [{ status: 200, why: null }, { status, why: { code: 'fault', what } }, { status: 400 }],
  });
});

test('a range of delays is drawn alike in every workspace', () => {
  const delays = () => {
    const faults = createFaults();
    faults.replace([{ delay_ms: { min: 10, max: 1000 } }]);
    const asked = { operation: 'addLead', method: 'POST', path: '/', body: () => undefined };
    return Array.from({ length: 20 }, () => faults.match(asked)?.delay ?? 0);
  };
  expect(delays()).toEqual(delays());
  expect(new Set(delays()).size).toBeGreaterThan(15);
  expect(Math.min(...delays())).toBeGreaterThanOrEqual(10);
  expect(Math.max(...delays())).toBeLessThanOrEqual(1000);
});

test.each([
  ['EMPTY_RESPONSE', /^$/],
  ['CONNECTION_RESET_BY_PEER', /^$/],
  ['MALFORMED_RESPONSE_CHUNK', /^HTTP\/1\.1 200 OK\r\n/],
  ['RANDOM_DATA_THEN_CLOSE', /^lskdu/],
])('%s breaks the connection, then everything is as before', async (fault, text) => {
  await put({ fault, times: 1 });
  const head = `POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mock.own}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const reply = await rawExchange(mock.port, `${head}Content-Length: 12\r\n\r\n{"name":"x"}`);
  expect(reply.text).toMatch(text);
  expect(reply.end).toBe(fault === 'CONNECTION_RESET_BY_PEER' ? 'ECONNRESET' : 'closed');
  expect((await add()).status).toBe(200);
  const why = { code: 'fault', what: `fault rule 1 of this workspace: ${fault}` };
  const requests = [{ operation: 'addLead', status: 0, why }];
  expect(await mock.read('/requests?status=0')).toMatchObject({ requests });
});

test('authentication, routes and Prefer come before a rule, which is not used up; the body comes after it', async () => {
  await put({ status: 503, times: 1 });
  const before = await statuses(
    () => list({ key: null }),
    () => mock.call('GET', '/api/v1/nothing'),
    () => list({ headers: { prefer: 'code=418' } }),
    () => add({ body: '{', headers: { 'content-type': 'text/plain' } }),
  );
  expect(before).toEqual([401, 404, 418, 503]);
});

test('what GET returned can be put back', async () => {
  await put({ status: 503, times: 3, delay_ms: { min: 0, max: 1 }, body: null });
  await list();
  const body = await mock.read<object>('/faults');
  expect(body).toMatchObject({ rules: [{ seen: 1, matched: 1, left: 2 }] });
  const rules = [{ seen: 0, matched: 0, left: 3 }];
  expect(await mock.admin('PUT', '/faults', { body })).toMatchObject({ status: 200, body: { rules } });
  // As long as they may be: their counters do not count.
  expect(await put(...Array(1000).fill({ status: 503, times: 3, body: 'x'.repeat(970) }))).toMatchObject({
    status: 200,
  });
  const long = await mock.read<object>('/faults');
  expect(await mock.admin('PUT', '/faults', { body: long })).toMatchObject({ status: 200 });
});
