import { beforeEach, describe, expect, test } from 'vitest';
import { seedTemplates } from '../../mail/seed-templates.ts';
import { startCheckedMock } from '../../testing/checked-mock.ts';
import { rejectedWith, type Sent, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const call = (method: string, path: string, sent?: Sent) => mock.call(method, `/__admin${path}`, sent);

describe('health', () => {
  test.each([null, 'unheard of', 'test_key'])('answers with the key %j', async (key) => {
    expect(await call('GET', '/health', { key })).toMatchObject({
      status: 200,
      body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), uptime_s: expect.any(Number) },
    });
  });
});

describe('which workspace', () => {
  test('is that of the header, else of ?key=, else of test_key', async () => {
    const [one, two] = [mock.key(), mock.key()];
    await mock.lead(one, { name: 'one' });
    await mock.lead(two, { name: 'two' });
    await mock.lead('test_key', { name: 'of test_key' });
    const name = async (key: string | null, query: string) =>
      ((await call('GET', `/leads${query}`, { key })).body as { leads: { name: string }[] }).leads[0]?.name;
    expect(await name(one, `?key=${two}`)).toBe('one');
    expect(await name(null, `?key=${two}`)).toBe('two');
    expect(await name(null, '')).toBe('of test_key');
  });

  test.each(['/outbox?to=a&to=b', '/leads?limit=0&limit=abc', '/leads?key=test_a&key=test_b'])(
    '%s is refused: one value only',
    async (path) => {
      const [, name] = /&(\w+)/.exec(path) ?? [];
      expect(await call('GET', path)).toMatchObject({
        status: 400,
        body: { error: `query/${name} is given 2 times` },
      });
    },
  );

  test.each(['?key=', '?key=secret', '?key=__proto__', '?key=test_%00'])(
    '%s is refused with 401',
    async (query) => {
      const refused = await call('GET', `/leads${query}`, { key: null });
      expect(refused).toMatchObject({ status: 401, body: { error: 'the key is not accepted' } });
    },
  );

  test('a malformed header is refused even beside a good ?key=', async () => {
    const headers = { authorization: 'Basic x' };
    expect((await call('GET', '/leads?key=test_key', { key: null, headers })).status).toBe(401);
  });

  test('reading makes none', async () => {
    const size = async () => ((await call('GET', '/health')).body as { workspaces: number }).workspaces;
    const before = await size();
    for (const path of ['/leads', '/outbox', '/templates', '/answers'])
      await call('GET', path, { key: mock.key() });
    await mock.call('GET', '/api/v1/email/templates', { key: 'nobody' });
    expect(await size()).toBe(before);
  });
});

describe('reset', () => {
  test('goes back to the seed; ids start over', async () => {
    await mock.lead(key);
    await call('DELETE', '/templates/1', { key });
    await mock.call('POST', '/api/v1/email/template', { key, body: { template_id: '5', variables: {} } });
    expect(await call('POST', '/reset', { key })).toMatchObject({ status: 200, body: { status: 'reset' } });
    expect((await call('GET', '/leads', { key })).body).toEqual({ leads: [], total: 0 });
    expect((await call('GET', '/outbox', { key })).body).toMatchObject({ total: 0 });
    expect((await call('GET', '/templates', { key })).body).toEqual({ templates: seedTemplates, total: 5 });
    expect((await mock.lead(key)).lead_id).toBe('lead_000001');
  });
});

describe('leads', () => {
  test('are listed in pages', async () => {
    for (const name of ['a', 'b', 'c']) await mock.lead(key, { name });
    expect((await call('GET', '/leads?start=1&limit=1', { key })).body).toMatchObject({
      leads: [{ lead_id: 'lead_000002', name: 'b' }],
      total: 3,
    });
  });

  test.each(['/leads/nobody', '/leads/__proto__', '/leads/%2e%2e'])('%s is 404', async (path) => {
    expect((await call('GET', path, { key: mock.key() })).status).toBe(404);
  });
});

describe('templates', () => {
  const fields = { name: 'Hello', body: '<p>{{a}} {{b}} {{a}}</p>' };

  test('a new one is listed by the service, with the variables of its body', async () => {
    const made = await call('POST', '/templates', { key, body: fields });
    expect(made).toMatchObject({ status: 201, body: { id: '6', ...fields, variables: ['a', 'b'] } });
    const { body } = await mock.call('GET', '/api/v1/email/templates', { key });
    expect((body as { data: unknown[] }).data.at(-1)).toEqual(made.body);
  });

  test('an id may be chosen, once', async () => {
    const body = { ...fields, id: 'welcome back' };
    expect((await call('POST', '/templates', { key, body })).status).toBe(201);
    expect((await call('POST', '/templates', { key, body })).status).toBe(409);
    expect((await call('GET', '/templates/welcome%20back', { key })).status).toBe(200);
  });

  test('what GET returned can be put, in another workspace too', async () => {
    const [key, other] = [mock.key(), mock.key()];
    const { body: template } = await call('GET', '/templates/1', { key });
    expect(await call('PUT', '/templates/1', { key, body: template as object })).toMatchObject({
      status: 200,
      body: template,
    });
    const { created_at } = template as { created_at: string };
    const changed = await call('PUT', '/templates/1', { key, body: fields });
    expect(changed.body).toMatchObject({ id: '1', ...fields, created_at });
    const copy = { ...(template as object), id: 'copy' };
    const made = await call('POST', '/templates', { key: other, body: copy });
    expect(made).toMatchObject({ status: 201, body: copy });
  });

  test.each([
    [{ id: 'other' }, 'body/id is not the id in the path'],
    [{ variables: ['zzz'] }, 'body/variables is not what the body names'],
    [{ created_at: '2020-01-01T00:00:00.000Z' }, 'body/created_at is not when the template was added'],
  ])('%j is not for a change', async (stray, error) => {
    expect(await call('PUT', '/templates/1', { key, body: { ...fields, ...stray } })).toMatchObject(
      rejectedWith(400, error),
    );
    expect((await call('GET', '/templates', { key })).body).toMatchObject({ templates: seedTemplates });
  });

  test('a deleted one is gone', async () => {
    expect((await call('DELETE', '/templates/1', { key })).body).toEqual({ deleted: '1' });
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, '/templates/1', { key })).status).toBe(404);
    const sent = await mock.call('POST', '/api/v1/email/template', {
      key,
      body: { template_id: '1', variables: {} },
    });
    expect(sent.status).toBe(404);
  });

  test('the id of a deleted one is not given out again, nor after the state went round', async () => {
    const [key, other] = [mock.key(), mock.key()];
    await call('DELETE', '/templates/5', { key });
    expect((await call('POST', '/templates', { key, body: fields })).body).toMatchObject({ id: '6' });
    await call('DELETE', '/templates/6', { key });
    const { body } = await call('GET', '/state', { key });
    await call('PUT', '/state', { key: other, body: body as object });
    for (const one of [key, other])
      expect((await call('POST', '/templates', { key: one, body: fields })).body).toMatchObject({ id: '7' });
    await call('POST', '/reset', { key });
    expect((await call('POST', '/templates', { key, body: fields })).body).toMatchObject({ id: '6' });
  });

  test.each([
    [{ name: 'x' }, 'body/body is missing'],
    [{ body: 'x' }, 'body/name is missing'],
    [{ ...fields, id: 7 }, 'body/id must be string'],
    [{ ...fields, id: 'x'.repeat(1001) }, 'body/id must not have more than 1000 characters'],
    [{ ...fields, id: '' }, 'body/id must not be empty'],
    [
      { ...fields, variables: ['a'] },
      'body/variables is not what the body names, each once in order of appearance',
    ],
    [{ ...fields, nam: 'x' }, 'body/nam is not known here; did you mean name?'],
    [[], 'body must be a JSON object, not a list'],
    ['"x"', 'body must be a JSON object, not "x"'],
  ])('%j is refused', async (body, error) => {
    expect(await call('POST', '/templates', { body })).toMatchObject({ status: 400, body: { error } });
  });

  test('a template with more placeholders than are found and filled at once is refused', async () => {
    const body = { name: 'Many', body: '{{a}}'.repeat(20_001) };
    expect(await call('POST', '/templates', { body })).toMatchObject({
      status: 413,
      body: { error: 'body/body has more than 20000 placeholders' },
    });
    expect(
      await call('PUT', '/state', { body: { templates: [{ name: 'x', body: body.body }] } }),
    ).toMatchObject({
      status: 400,
      body: { error: 'body/templates/0/body must not have more than 20000 placeholders' },
    });
  });

  test('an email too long to be rendered is refused', async () => {
    const body = { name: 'Echo', id: 'echo', body: '{{a}}'.repeat(20_000) };
    await call('POST', '/templates', { key, body });
    const variables = { a: 'x'.repeat(1_000_000) };
    const sent = { key, body: { template_id: 'echo', variables } };
    expect((await mock.call('POST', '/api/v1/email/template', sent)).status).toBe(413);
  });
});

describe('what is not there', () => {
  test.each([
    ['GET', '/nothing', 404],
    ['GET', '', 404],
    ['POST', '/nothing?key=secret', 404],
    ['POST', '/health', 405],
    ['PROPFIND', '/reset', 405],
    ['GET', '/reset', 405],
  ])('%s %s is %d', async (method, path, status) => {
    const refused = await call(method, path, { body: '{', headers: { 'content-type': 'garbage' } });
    expect(refused.status).toBe(status);
    expect(refused.body).toEqual({ error: expect.any(String), message: expect.any(String) });
    expect(refused.text).not.toContain('secret');
  });

  test.each([
    ['HEAD', '/events', 405, 'GET'],
    ['HEAD', '/outbox/wait', 405, 'GET'],
    ['OPTIONS', '/outbox/wait', 405, 'GET'],
    ['DELETE', '/requests/wait', 405, 'GET'],
    ['GET', '/requests/count', 405, 'POST'],
    ['HEAD', '/requests/count', 405, 'POST'],
    ['PATCH', '/requests/latest', 405, 'GET, HEAD'],
    ['PATCH', '/ui', 405, 'GET, HEAD'],
    ['PATCH', '/outbox', 405, 'GET, HEAD, DELETE'],
    ['HEAD', '/outbox', 200, undefined],
  ])('%s %s is %d, allowed are %j', async (method, path, status, allow) => {
    expect(await call(method, path)).toMatchObject({ status });
    expect((await call(method, path)).headers.allow).toBe(allow);
  });

  test.each([
    ['GET', '/outbox/', 'GET /__admin/outbox'],
    ['GET', '/outbox/latest/', 'GET /__admin/outbox/latest'],
    ['GET', '/outbox//html', 'GET /__admin/outbox/{id}/html'],
    ['GET', '/outbx', 'GET /__admin/outbox'],
    ['POST', '/fault', 'PUT /__admin/faults'],
    ['GET', '/request/req_000001', 'GET /__admin/requests'],
    ['PUT', '/states', 'PUT /__admin/state'],
  ])('%s %s is nearly %s', async (method, path, named) => {
    expect(await call(method, path)).toMatchObject({
      status: 404,
      body: {
        error: `there is no /__admin${path}`,
        message: expect.stringContaining(`Did you mean ${named}?`),
      },
    });
  });

  test('a path that cannot be decoded', async () => {
    const path = '/leads/%zz?key=secret';
    const refused = await call('GET', path);
    expect(refused).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } });
    expect(refused.body).toEqual({
      error: expect.stringContaining('the path cannot be decoded'),
      message: expect.any(String),
    });
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }] as const)
      expect(await call('GET', path, { headers })).toMatchObject({ status: 403 });
  });

  test('without the admin API', async () => {
    await using bare = await startCheckedMock({ admin: false });
    const reply = await fetch(`${bare.url}/__admin/health`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).not.toContain('outbox');
  });
});
