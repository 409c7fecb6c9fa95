import { describe, expect, test } from 'vitest';
import { assumedAnswers } from '../../contract/questions.ts';
import { createContext } from '../../service/service.ts';
import { type Sent, useMock } from '../../testing/mock-server.ts';
import { createAdmin } from '../admin.ts';

const mock = useMock({ allowedHosts: ['Mock.Test'], allowedOrigins: ['http://localhost:5173'] });
const health = (headers: Record<string, string>) => mock.call('GET', '/__admin/health', { headers });

describe('Host', () => {
  test.each([
    'localhost',
    'LOCALHOST:4010',
    'app.localhost',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]:80',
    'mock.test:80',
  ])('%s may call', async (host) => {
    expect((await health({ host })).status).toBe(200);
  });

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
  let peer: string | undefined;
  const admin = createAdmin(
    createContext({ answers: assumedAnswers(), version: '0.0.0', allowedHosts: ['mock.test'] }),
  );
  const call = async (method: string, url: string, headers: Record<string, string>) => {
    const { signal } = new AbortController();
    const request = { method, url, headers, peer, body: undefined, isTooLarge: false, signal: () => signal };
    const { status, body } = await admin.answer(request);
    return { status, body: JSON.parse(String(body)) };
  };

  test.each(['localhost', '127.0.0.1', '[::1]'])('may not call as %s', async (name) => {
    peer = '172.17.0.1';
    expect(await call('GET', '/__admin/health', { host: `${name}:4010` })).toMatchObject({
      status: 403,
      body: {
        error: `header/Host is "${name}", but the request comes from another machine, ${peer}`,
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
    peer = '172.17.0.1';
    expect((await call(method, `/__admin${path}`, { host: 'localhost', ...headers })).status).toBe(403);
  });

  test.each([
    ['172.17.0.1', 'mock.test:80', 200],
    ['127.0.0.1', 'localhost', 200],
    ['127.8.0.1', 'localhost', 200],
    ['::1', 'localhost', 200],
    ['::ffff:127.0.0.1', 'localhost', 200],
    [undefined, 'localhost', 403],
  ])('at %s, under the name %s: %d', async (address, host, status) => {
    peer = address;
    expect((await call('GET', '/__admin/health', { host })).status).toBe(status);
  });
});

describe('Origin', () => {
  test('one that is allowed may call, and the mock itself', async () => {
    const origin = 'http://localhost:5173';
    expect((await health({ origin, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    expect((await health({ origin: mock.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test.each([
    'http://evil.example',
    'null',
    'http://localhost:5174',
    'http://localhost:5173.evil.example',
    'https://localhost:5173',
  ])('%s may not', async (origin) => {
    expect(await health({ origin })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('--allowed-origin') },
    });
  });

  test('a request of another site without an Origin may not', async () => {
    expect((await health({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('is judged before anything else', async () => {
    for (const path of ['/nothing', '/outbox', '/reset'])
      expect(
        (await mock.call('POST', `/__admin${path}`, { key: null, headers: { origin: 'null' } })).status,
      ).toBe(403);
  });
});

describe('a page of an allowed origin', () => {
  const origin = 'http://localhost:5173';
  const asked = 'authorization,content-type';
  const preflight = (from: string, path = '/reset') =>
    mock.call('OPTIONS', `/__admin${path}`, {
      key: null,
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });

  test.each<[string, string, Sent, number]>([
    ['GET', '/health', {}, 200],
    ['PUT', '/faults', { body: { rules: [] } }, 200],
    ['GET', '/nothing', {}, 404],
    ['POST', '/health', {}, 405],
    ['GET', '/leads', { key: 'unknown' }, 401],
    ['PUT', '/faults', { body: '{' }, 400],
    ['POST', '/templates', { body: 'x'.repeat(1_100_000) }, 413],
  ])('may read the reply to %s %s', async (method, path, sent, status) => {
    const reply = await mock.call(method, `/__admin${path}`, {
      key: mock.key(),
      ...sent,
      headers: { origin },
    });
    expect(reply).toMatchObject({
      status,
      headers: { 'access-control-allow-origin': origin, vary: 'Origin' },
    });
  });

  test.each(['/reset', '/outbox/wait', '/nothing'])('may ask before it sends to %s', async (path) => {
    expect(await preflight(origin, path)).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': asked,
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        vary: 'Origin',
      },
    });
  });

  test('watches events', async () => {
    const abort = new AbortController();
    const { headers } = await fetch(`${mock.url}/__admin/events`, {
      headers: { origin },
      signal: abort.signal,
    });
    abort.abort();
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  });

  test.each(['http://evil.example', 'null', 'the mock'])('is none of any other: %s', async (other) => {
    const from = other === 'the mock' ? mock.url : other;
    for (const { headers } of [
      await preflight(from),
      await preflight(from, '/outbox/%zz'),
      await health({ origin: from }),
    ])
      expect(Object.keys(headers).join()).not.toContain('access-control');
  });
});

describe('bodies', () => {
  const post = (sent: Sent) => mock.call('POST', '/__admin/templates', sent);

  test.each([undefined, 'text/plain', 'garbage', ';', '/', 'application/json;', 'a/b; charset="'])(
    'none may be labelled "%s"',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      for (const [method, path] of [
        ['POST', '/reset'],
        ['DELETE', '/faults'],
        ['GET', '/outbox'],
      ] as const)
        expect((await mock.call(method, `/__admin${path}`, { key: mock.key(), headers })).status).toBe(200);
    },
  );

  test.each(['application/json;', 'Application/JSON; charset', 'application/json ; a="'])(
    'labelled "%s" are JSON all the same',
    async (type) => {
      const sent = { key: mock.key(), body: '{"rules":[]}', headers: { 'content-type': type } };
      expect((await mock.call('PUT', '/__admin/faults', sent)).status).toBe(200);
    },
  );

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    '',
  ])('labelled "%s", or compressed, are refused', async (type) => {
    expect((await post({ body: '{}', headers: { 'content-type': type } })).status).toBe(415);
    expect((await post({ body: 'x', headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  test('beyond a mebibyte are refused on every route', async () => {
    for (const path of ['/templates', '/reset'])
      expect(await mock.call('POST', `/__admin${path}`, { body: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject(
        { status: 413, body: { error: 'body is larger than 1048576 bytes' } },
      );
  });

  test.each(['{', '\uFEFF{}', 'nul'])('%j is refused as JSON', async (body) => {
    expect(await post({ body })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^body is not JSON/) },
    });
  });
});
