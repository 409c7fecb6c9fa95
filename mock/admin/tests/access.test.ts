import { describe, expect, test } from 'vitest';
import { assumedAnswers } from '../../contract/questions.ts';
import { createContext } from '../../service/service.ts';
import { type Sent, useMock } from '../../testing/mock-server.ts';
import { createAdmin } from '../admin.ts';

const site = 'http://localhost:5173';
const mock = useMock({ allowedHosts: ['Mock.Test'], allowedOrigins: [site] });
const health = (headers: Record<string, string>) => mock.admin('GET', '/health', { headers });

describe('Host', () => {
  test.each(['LOCALHOST:4010', 'app.localhost', '127.9.9.9:1', '[::1]:80', 'mock.test:80'])(
    '%s may call',
    async (host) => {
      expect((await health({ host })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:127',
    'sub.mock.test',
    'x@localhost',
    '[::2]',
  ])('%s may not', async (host) => {
    expect(await health({ host })).toMatchObject({
      status: 403,
      body: {
        error: expect.stringMatching(/^header\/Host is/),
        message: expect.stringContaining('--allowed-host'),
      },
    });
  });

  test('nothing from outside goes into a line to paste', async () => {
    const { body } = await health({ host: '$(reboot)' });
    expect((body as { message: string }).message).toContain('--allowed-host NAME');
  });
});

describe('a caller on another machine', () => {
  const admin = createAdmin(
    createContext({ answers: assumedAnswers(), version: '0.0.0', allowedHosts: ['mock.test'] }),
  );
  const callFrom = async (
    peer: string | undefined,
    method: string,
    path: string,
    headers: Record<string, string>,
  ) => {
    const { signal } = new AbortController();
    const request = { method, url: `/__admin${path}`, headers, peer, body: undefined, isTooLarge: false };
    const { status, body } = await admin.answer({ ...request, signal: () => signal });
    return { status, body: JSON.parse(String(body)) };
  };
  const stranger = '172.17.0.1';

  test.each(['localhost', '127.0.0.1', '[::1]'])('may not call as %s', async (name) => {
    expect(await callFrom(stranger, 'GET', '/health', { host: `${name}:4010` })).toMatchObject({
      status: 403,
      body: {
        error: `header/Host is "${name}", but the request comes from another machine, ${stranger}`,
        message: expect.stringMatching(/--allowed-host (localhost|127\.0\.0\.1|NAME)\b.* -p 127\.0\.0\.1:/),
      },
    });
  });

  test.each<[string, string, Record<string, string>]>([
    ['GET', '/ui/', {}],
    ['GET', '/%zz', {}],
    ['POST', '/reset', {}],
    ['GET', '/nothing', {}],
    ['GET', '/outbox', { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' }],
  ])('may not call %s %s with %j', async (method, path, headers) => {
    expect((await callFrom(stranger, method, path, { host: 'localhost', ...headers })).status).toBe(403);
  });

  test.each([
    [stranger, 'mock.test:80', 200],
    ['127.8.0.1', 'localhost', 200],
    ['::1', 'localhost', 200],
    ['::ffff:127.0.0.1', 'localhost', 200],
    [undefined, 'localhost', 403],
  ])('at %s, under the name %s: %d', async (peer, host, status) => {
    expect((await callFrom(peer, 'GET', '/health', { host })).status).toBe(status);
  });
});

describe('Origin', () => {
  test('one that is allowed may call, and the mock itself', async () => {
    expect((await health({ origin: site, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    expect((await health({ origin: mock.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test.each(['null', 'http://localhost:5174', `${site}.evil.example`, 'https://localhost:5173'])(
    '%s may not',
    async (origin) => {
      expect(await health({ origin })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('--allowed-origin') },
      });
    },
  );

  test('a request of another site without an Origin may not', async () => {
    expect((await health({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('is judged before anything else', async () => {
    for (const path of ['/nothing', '/outbox', '/reset'])
      expect((await mock.admin('POST', path, { key: null, headers: { origin: 'null' } })).status).toBe(403);
  });
});

describe('a page of an allowed origin', () => {
  const asked = 'authorization,content-type';
  const preflight = (origin: string, path = '/reset') => {
    const method = { 'access-control-request-method': 'POST', 'access-control-request-headers': asked };
    return mock.admin('OPTIONS', path, { key: null, headers: { origin, ...method } });
  };

  test.each<[string, string, Sent, number]>([
    ['PUT', '/faults', { body: { rules: [] } }, 200],
    ['GET', '/nothing', {}, 404],
    ['POST', '/health', {}, 405],
    ['GET', '/leads', { key: 'unknown' }, 401],
    ['PUT', '/faults', { body: '{' }, 400],
    ['POST', '/templates', { body: 'x'.repeat(1_100_000) }, 413],
  ])('may read the reply to %s %s', async (method, path, sent, status) => {
    const reply = await mock.admin(method, path, { ...sent, headers: { origin: site } });
    const headers = { 'access-control-allow-origin': site, vary: 'Origin' };
    expect(reply).toMatchObject({ status, headers });
  });

  test.each(['/reset', '/outbox/wait', '/nothing'])('may ask before it sends to %s', async (path) => {
    expect(await preflight(site, path)).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': site,
        'access-control-allow-headers': asked,
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        vary: 'Origin',
      },
    });
  });

  test('watches events', async () => {
    const abort = new AbortController();
    const sent = { headers: { origin: site }, signal: abort.signal };
    const { headers } = await fetch(`${mock.url}/__admin/events`, sent);
    abort.abort();
    expect(headers.get('access-control-allow-origin')).toBe(site);
  });

  test.each(['null', 'the mock'])('is none of any other: %s', async (other) => {
    const origin = other === 'the mock' ? mock.url : other;
    for (const { headers } of [
      await preflight(origin),
      await preflight(origin, '/outbox/%zz'),
      await health({ origin }),
    ])
      expect(Object.keys(headers).join()).not.toContain('access-control');
  });
});

describe('bodies', () => {
  test.each([undefined, 'text/plain', ';', 'a/b; charset="'])('none may be labelled "%s"', async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    for (const [method, path] of [
      ['POST', '/reset'],
      ['GET', '/outbox'],
    ] as const)
      expect((await mock.admin(method, path, { headers })).status).toBe(200);
  });

  test.each<[Sent, number]>([
    [{ body: '{"rules":[]}', headers: { 'content-type': 'Application/JSON; charset' } }, 200],
    [{ body: '{"rules":[]}', headers: { 'content-type': 'application/json ; a="' } }, 200],
    [{ body: '{}', headers: { 'content-type': 'text/plain' } }, 415],
    [{ body: '{}', headers: { 'content-type': 'application/jsonx' } }, 415],
    [{ body: '{}', headers: { 'content-type': '' } }, 415],
    [{ body: 'x', headers: { 'content-encoding': 'gzip' } }, 415],
    [{ body: '\uFEFF{}' }, 400],
    [{ body: 'nul' }, 400],
  ])('%j is answered with %d', async (sent, status) => {
    const reply = await mock.admin('PUT', '/faults', sent);
    const error = status === 400 ? { error: expect.stringMatching(/^body is not JSON/) } : {};
    expect(reply).toMatchObject({ status, body: error });
  });

  test('beyond a mebibyte are refused on every route', async () => {
    for (const path of ['/templates', '/reset'])
      expect(await mock.admin('POST', path, { body: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({
        status: 413,
        body: { error: 'body is larger than 1048576 bytes' },
      });
  });
});
