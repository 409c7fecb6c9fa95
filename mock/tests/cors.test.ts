import { expect, test } from 'vitest';
import { type Sent, useMock } from '../testing/mock-server.ts';

const mock = useMock();
const origin = 'http://localhost:5173';

test.each<[string, string, Sent, number]>([
  ['POST', '/api/v1/leads', { body: { name: 'Lena' } }, 200],
  ['GET', '/api/v1/nothing', {}, 404],
  ['PATCH', '/api/v1/leads', {}, 405],
  ['POST', '/api/v1/leads', { key: null }, 401],
  ['POST', '/api/v1/leads', { headers: { prefer: 'code=503' } }, 503],
  ['POST', '/api/v1/leads', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ['POST', '/api/v1/leads', { body: 'x'.repeat(2_000_000) }, 413],
  ['POST', '/api/v1/leads', { body: '{' }, 400],
  ['POST', '/api/v1/leads', { body: {} }, 400],
  ['DELETE', '/api/v1/leads/nobody', {}, 404],
  ['GET', '/api/v1/%zz', {}, 400],
  ['POST', '//api/v1/leads', {}, 404],
  ['GET', '/leads', {}, 404],
  ['GET', '/openapi.json', {}, 200],
])('a page may read the reply to %s %s %j', async (method, path, sent, status) => {
  const reply = await mock.call(method, path, { ...sent, headers: { ...sent.headers, origin } });
  expect(reply).toMatchObject({ status, headers: { 'access-control-allow-origin': origin } });
  expect(reply.headers.vary).toMatch(/^Origin/);
});

test.each([
  ['PUT', '/api/v1/leads/1'],
  ['DELETE', '/api/v1/leads/1'],
  ['POST', '/api/v1/email/send'],
  ['PATCH', '/api/v1/nothing'],
  ['GET', '/api/v1/%zz'],
  ['POST', '//api/v1/leads'],
  ['GET', '/leads'],
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

test('an OPTIONS that is no preflight is answered too', async () => {
  expect((await mock.call('OPTIONS', '/api/v1/leads', { key: null })).status).toBe(204);
});

test("a request that is no page's gets nothing for pages", async () => {
  const { headers } = await mock.call('GET', '/api/v1/email/templates');
  expect(Object.keys(headers).join()).not.toContain('access-control');
});

test('a page may read what tells it how to go on', async () => {
  const { headers } = await mock.call('PATCH', '/api/v1/leads', { headers: { origin } });
  expect(headers['access-control-expose-headers']).toContain('Allow');
});
