// What the proxy answers itself: a page of another origin can read it, and nobody sends a request twice because of it.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock/testing/serve.ts';
import { nobodyListens, startProxyInTest } from '../../testing/proxy.ts';
import type { Enforcement } from '../forward.ts';

type Options = { readonly headers?: Readonly<Record<string, string>>; readonly agent?: Agent };

const call = async (method: string, url: string, { headers = {}, agent }: Options = {}) => {
  const req = request(url, { method, headers, agent: agent ?? false });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: await text(res) };
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
  const websocket = { connection: 'upgrade', upgrade: 'websocket' };
  const start = (enforcement?: Enforcement) => startProxyInTest(nobodyListens, { enforcement });
  const startHolding = async () =>
    startProxyInTest(await serve((_req, res) => res.end('{}')), { enforcement: pass }, 'no data');

  test.each<[string, number, () => Promise<{ url: string }>, string, Record<string, string>]>([
    ['an upstream that is not there', 502, start, '/api/v1/leads', {}],
    ['a request that --enforce refuses', 400, () => start(refuse), '/api/v1/leads', {}],
    ['a response that --enforce holds back', 502, startHolding, '/api/v1/leads', {}],
    ['a WebSocket', 501, start, '/', websocket],
    ['the name of another host', 421, start, '/', { host: 'evil.example.com' }],
    ['the report, which is for this machine', 403, start, '/__admin/report', {}],
  ])('reads why the proxy answers %s with %i', async (_what, status, startIt, path, headers) => {
    const { url } = await startIt();
    const response = await call('GET', url + path, { headers: { ...headers, origin } });
    expect(response.status).toBe(status);
    expect(response.headers['email-leads-proxy']).toBe('own response');
    expect(corsHeadersOf(response)).toEqual(readable);
    expect(corsHeadersOf(await call('GET', url + path, { headers }))).toEqual({});
  });
});

describe('an upstream that resets a connection that was used before', () => {
  /** Answers the first request of a connection, and resets it at the second; keeps what arrived. */
  const startResetting = async () => {
    const arrived: string[] = [];
    const upstream = await serve((req, res) => {
      arrived.push(req.method ?? '');
      if (arrived.length === 1) res.end();
      else req.socket.resetAndDestroy();
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const { url, observed } = await startProxyInTest(upstream);
    await call('GET', url, { agent });
    return { arrived, observed, send: (method: string) => call(method, url, { agent }) };
  };

  test('POST gets a response: it must not be sent again', async () => {
    const { arrived, observed, send } = await startResetting();
    const { status, body } = await send('POST');
    expect(status).toBe(502);
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: 'the upstream gave no response: ECONNRESET',
      message: expect.stringContaining(
        'The request may have taken effect; the proxy does not send it again.',
      ),
    });
    expect(arrived).toEqual(['GET', 'POST']);
    expect(observed.map(({ responseBody }) => responseBody).slice(1)).toEqual([
      { missing: 'without a response (ECONNRESET), for which the proxy responded' },
    ]);
  });

  test.each(['GET', 'PUT'])('%s sees its connection closed, and may be sent again', async (method) => {
    const { arrived, observed, send } = await startResetting();
    await expect(send(method)).rejects.toThrow();
    expect(arrived).toEqual(['GET', method]);
    await expect
      .poll(() => observed[1]?.responseBody)
      .toEqual({
        missing: 'without a response (ECONNRESET), for which the proxy closed the connection',
      });
  });
});
