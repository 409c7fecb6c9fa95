import { expect, test } from 'vitest';
import { rejectedWith, type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
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
  expect(reply).toMatchObject({ status, headers: { 'access-control-allow-origin': origin } });
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

const add = (prefer: string) =>
  mock.call('POST', '/api/v1/leads', { body: { name: 'Lena' }, headers: { prefer } });

test.each([
  ['code=600', '600'],
  ['code', ''],
  ['code=503.5', '503.5'],
])('%j cannot be followed', async (prefer, given) => {
  const error = `header/Prefer: code must be a whole number from 400 to 599, not "${given}"`;
  expect(await add(prefer)).toMatchObject(rejectedWith(400, error));
  const slow = 'header/Prefer: delay must be a whole number from 0 to 60000, not "60001"';
  expect(await add('code=503, delay=60001')).toMatchObject(rejectedWith(400, slow));
});

test('code refuses this request with any status, and nothing is done', async () => {
  for (const [prefer, status] of [
    ['code=400', 400],
    ['CODE="429"', 429],
    ['return=minimal, code = 599 ; why=not, code=500', 599],
  ] as const)
    expect(await add(prefer)).toMatchObject({
      status,
      headers: { 'preference-applied': `code=${status}` },
      body: { success: false },
    });
  expect((await add('=,;,==, wait=10')).headers).not.toHaveProperty('preference-applied');
  expect((await add('code=503, delay=1')).headers['preference-applied']).toBe('code=503, delay=1');
  expect((await add('')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
});

test('delay lets the reply to this request wait, and no other', async () => {
  const replied: string[] = [];
  const slow = add('delay=150').finally(() => replied.push('slow'));
  const fast = add('').finally(() => replied.push('fast'));
  expect((await slow).headers).toMatchObject({ 'preference-applied': 'delay=150' });
  expect([(await slow).status, (await fast).status]).toEqual([200, 200]);
  expect(replied).toEqual(['fast', 'slow']);
});
