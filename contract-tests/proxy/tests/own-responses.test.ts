// What the proxy answers itself: a page of another origin can read it, and nobody sends a request twice because of it.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startProxyInTest } from '../../testing/proxy.ts';
import type { Enforcement } from '../forward.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const startUpstream = async (handler: (req: IncomingMessage, res: ServerResponse) => void) => {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const nobodyListens = 'http://127.0.0.1:1';

const startBefore = async (upstream: string, enforcement?: Enforcement, problem?: string) => {
  const proxy = await startProxyInTest(upstream, { enforcement }, problem);
  closers.push(proxy.close);
  return proxy;
};

type Options = { readonly headers?: Readonly<Record<string, string>>; readonly agent?: Agent };

const call = async (method: string, url: string, { headers = {}, agent }: Options = {}) => {
  const req = request(url, { method, headers, agent: agent ?? false });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: (await buffer(res)).toString() };
};

const origin = 'http://localhost:3000';
const corsHeadersOf = ({ headers }: { readonly headers: object }): object =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
const readable = {
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Email-Leads-Proxy',
  vary: 'Origin',
};

describe('a page of another origin', () => {
  const problem = 'the field "x" is not documented';
  const refuse: Enforcement = { applies: () => true, refuse: () => ({ status: 400, problem }) };
  const pass: Enforcement = { applies: () => true, refuse: () => undefined };

  test.each<[string, number, () => Promise<{ url: string }>, string, Record<string, string>]>([
    ['an upstream that is not there', 502, () => startBefore(nobodyListens), '/api/v1/leads', {}],
    ['a request that --enforce refuses', 400, () => startBefore(nobodyListens, refuse), '/api/v1/leads', {}],
    [
      'a response that --enforce holds back',
      502,
      async () => startBefore(await startUpstream((_req, res) => res.end('{}')), pass, 'no data'),
      '/api/v1/leads',
      {},
    ],
    [
      'a WebSocket',
      501,
      () => startBefore(nobodyListens),
      '/',
      { connection: 'upgrade', upgrade: 'websocket' },
    ],
    ['the name of another host', 421, () => startBefore(nobodyListens), '/', { host: 'evil.example.com' }],
    ['the report, which is for this machine', 403, () => startBefore(nobodyListens), '/__admin/report', {}],
  ])('reads why the proxy answers %s with %i', async (_what, status, start, path, headers) => {
    const { url } = await start();
    const response = await call('GET', url + path, { headers: { ...headers, origin } });
    expect(response.status).toBe(status);
    expect(response.headers['email-leads-proxy']).toBe('own response');
    expect(corsHeadersOf(response)).toEqual(readable);
    expect(corsHeadersOf(await call('GET', url + path, { headers }))).toEqual({});
  });

  test('gets permission from the proxy for its request if nobody else answers the preflight, and no longer', async () => {
    const { url } = await startBefore(nobodyListens);
    const preflightHeaders = {
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = await call('OPTIONS', `${url}/api/v1/leads/a`, {
      headers: { origin, ...preflightHeaders },
    });
    expect([preflight.status, preflight.body]).toEqual([204, '']);
    expect(preflight.headers['email-leads-proxy']).toBe('own response');
    expect(corsHeadersOf(preflight)).toEqual({
      ...readable,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '0',
    });
    expect((await call('OPTIONS', `${url}/api/v1/leads/a`, { headers: { origin } })).status).toBe(502);
  });

  test('gets of the upstream what it would get without the proxy', async () => {
    const { url } = await startBefore(await startUpstream((_req, res) => res.writeHead(403).end()));
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await call(method, url, { headers });
      expect([response.status, corsHeadersOf(response)]).toEqual([403, {}]);
    }
  });
});

describe('an upstream that resets a connection that was used before', () => {
  /** Answers the first request of a connection, and resets it at the second; keeps what arrived. */
  const startResetting = async () => {
    const arrived: string[] = [];
    const upstream = await startUpstream((req, res) => {
      arrived.push(req.method ?? '');
      if (arrived.length === 1) res.end();
      else req.socket.resetAndDestroy();
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closers.push(() => agent.destroy());
    const { url, observed } = await startBefore(upstream);
    await call('GET', url, { agent });
    return { arrived, observed, send: (method: string) => call(method, url, { agent }) };
  };

  test.each(['POST', 'PATCH'])('%s gets a response: it must not be sent again', async (method) => {
    const { arrived, observed, send } = await startResetting();
    const { status, body } = await send(method);
    expect(status).toBe(502);
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: 'the upstream gave no response: ECONNRESET',
      message:
        'email-leads proxy got no response from the upstream: the connection was closed without a response (ECONNRESET). The request may have taken effect; the proxy does not send it again.',
    });
    expect(arrived).toEqual(['GET', method]);
    expect(observed.map(({ responseBody }) => responseBody).slice(1)).toEqual([
      { missing: 'without a response (ECONNRESET), for which the proxy responded' },
    ]);
  });

  test.each(['GET', 'PUT', 'DELETE'])(
    '%s sees its connection closed, and may be sent again',
    async (method) => {
      const { arrived, observed, send } = await startResetting();
      await expect(send(method)).rejects.toThrow();
      expect(arrived).toEqual(['GET', method]);
      await vi.waitFor(() => expect(observed).toHaveLength(2), 10_000);
      expect(observed[1]?.responseBody).toEqual({
        missing: 'without a response (ECONNRESET), for which the proxy closed the connection',
      });
    },
  );
});
