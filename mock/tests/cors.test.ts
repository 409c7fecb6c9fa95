import { expect, test } from 'vitest';
import { type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const origin = 'http://localhost:5173';

test.each<[string, string, Sent, number]>([
  ['POST', '/api/v1/leads', { body: { name: 'Lena' } }, 200],
  ['PATCH', '/api/v1/leads', {}, 405],
  ['POST', '/api/v1/leads', { key: null }, 401],
  ['POST', '/api/v1/leads', { headers: { prefer: 'code=503' } }, 503],
  ['POST', '/api/v1/leads', { body: 'x'.repeat(2_000_000) }, 413],
  ['POST', '/api/v1/leads', { body: {} }, 400],
  ['GET', '/api/v1/%zz', {}, 400],
  ['GET', '/leads', {}, 404],
  ['GET', '/openapi.json', {}, 200],
])('a page may read the reply to %s %s %j', async (method, path, sent, status) => {
  const reply = await mock.call(method, path, { ...sent, headers: { ...sent.headers, origin } });
  expect(reply).toMatchObject({ status, headers: { 'access-control-allow-origin': origin } });
  expect(reply.headers.vary).toMatch(/^Origin/);
});

test.each([
  ['PUT', '/api/v1/leads/1'],
  ['PATCH', '/api/v1/nothing'],
  ['GET', '/api/v1/%zz'],
  ['POST', '//api/v1/leads'],
])('a preflight for %s %s is answered before authentication', async (method, path) => {
  const asked = 'authorization,content-type,x-trace';
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': asked,
  };
  const reply = await mock.call('OPTIONS', path, { key: null, headers });
  expect(reply).toMatchObject({
    status: 204,
    text: '',
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': asked,
      'access-control-allow-credentials': 'true',
    },
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
