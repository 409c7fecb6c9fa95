// Fault rules on the way to an upstream: what is sent on, what the client gets, and the control plane.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock/testing/serve.ts';
import { startProxyInTest } from '../../testing/proxy.ts';

/** A proxy before an upstream that answers every request with this status. */
const start = async (rules: readonly object[], status = 200) => {
  const received: string[] = [];
  const upstream = await serve(async (req, res) => {
    received.push(`${req.method} ${req.url} ${await text(req)}`);
    res.writeHead(status, { 'content-type': 'application/json' }).end('{"success":true}');
  });
  const proxy = await startProxyInTest(upstream);
  expect((await admin(proxy.url, 'PUT', { rules })).status).toBe(200);
  return { ...proxy, received };
};

const headers = { 'content-type': 'application/json' };

const admin = async (url: string, method: string, body?: object, others: object = {}) => {
  const init = { method, headers: { ...headers, ...others }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}/__admin/faults`, init);
  return { status: response.status, body: await response.json() };
};

/** One request on a connection of its own: the response, or the error of the client. */
const send = (url: string, method: string, path: string, body?: object, agent: Agent | false = false) =>
  new Promise<string>((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(`${error.code}`);
    request(url + path, { method, agent, headers }, (res) => {
      const head = `${res.statusCode} ${res.headers['retry-after'] ?? '-'}`;
      text(res).then((received) => resolve(`${head} ${received}`), fail);
    })
      .on('error', fail)
      .end(body && JSON.stringify(body));
  });

const leads = '/api/v1/leads';
const templates = '/api/v1/email/templates';

describe('a fault rule of the proxy', () => {
  test('answers in place of the upstream, which does not get the request', async () => {
    const { url, received, observed } = await start([
      { operation: 'addLead', status: 503, retry_after: 2, times: 1 },
      { operation: 'addLead', status: 429, body: { success: false, error: 'busy' }, times: 1 },
    ]);
    const own = { success: false, error: 'Service unavailable', message: 'Try again later.' };
    expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe(`503 2 ${JSON.stringify(own)}`);
    expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe('429 - {"success":false,"error":"busy"}');
    expect(received).toEqual([]);
    expect(await send(url, 'POST', leads, { name: 'Ada' })).toBe('200 - {"success":true}');
    expect(received).toEqual([`POST ${leads} {"name":"Ada"}`]);
    expect(observed.map(({ status, injected }) => [status, injected])).toEqual([
      [503, { effect: 'answered', what: 'fault rule 1: 503' }],
      [429, { effect: 'answered', what: 'fault rule 2: 429' }],
      [200, undefined],
    ]);
  });

  test.each([
    ['EMPTY_RESPONSE', 'ECONNRESET'],
    ['CONNECTION_RESET_BY_PEER', 'ECONNRESET'],
    ['MALFORMED_RESPONSE_CHUNK', 'HPE_INVALID_CHUNK_SIZE'],
    ['RANDOM_DATA_THEN_CLOSE', 'HPE_INVALID_CONSTANT'],
  ])('breaks the connection: %s', async (fault, error) => {
    const { url, received, observed } = await start([{ fault, times: 1 }]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect(await send(url, 'POST', leads, { name: 'Ada' }, agent)).toBe(error);
    expect(received).toEqual([]);
    expect(observed).toMatchObject([{ status: 0, injected: { effect: 'answered' } }]);
    expect(await send(url, 'POST', leads, { name: 'Ada' }, agent)).toMatch(/^200/);
  });

  const lost = { effect: 'lost', what: expect.stringContaining('in place of the response') };

  test.each([
    [200, { fault: 'CONNECTION_RESET_BY_PEER' }, 'ECONNRESET', lost],
    [200, { status: 504 }, expect.stringMatching(/^504 - .*Gateway timeout/), lost],
    // There is nothing to lose.
    [400, { status: 504 }, '400 - {"success":true}', undefined],
  ])('loses the response of a request that takes effect: %i, %o', async (status, effect, seen, injected) => {
    const { url, received, observed } = await start([{ ...effect, take_effect: true }], status);
    expect(await send(url, 'POST', leads, { name: 'Ada' })).toEqual(seen);
    expect(received).toEqual([`POST ${leads} {"name":"Ada"}`]);
    expect(observed.map((each) => [each.status, each.injected])).toEqual([[status, injected]]);
  });

  test('delays a request, and does not send it after the client has left', async () => {
    const { url, received, observed } = await start([{ delay_ms: 60, nth: 1 }, { delay_ms: 60_000 }]);
    const started = performance.now();
    expect(await send(url, 'GET', templates)).toMatch(/^200/);
    expect(performance.now() - started).toBeGreaterThan(55);
    await expect(fetch(url + templates, { signal: AbortSignal.timeout(30) })).rejects.toThrow('aborted');
    await expect.poll(() => observed.length).toBe(2);
    expect(received).toHaveLength(1);
    const responseBody = { missing: expect.stringContaining('left') };
    expect(observed).toMatchObject([
      { status: 200, injected: { effect: 'delayed', what: 'fault rule 1: delayed' } },
      { status: 0, injected: { effect: 'delayed' }, responseBody },
    ]);
  });

  test('selects by the contents of the body, and never what is no operation', async () => {
    const { url, received } = await start([
      { when: { name: 'Slow Joe' }, status: 503 },
      { status: 418, operation: 'listTemplates' },
    ]);
    expect(await send(url, 'POST', leads, { name: 'Ada' })).toMatch(/^200/);
    expect(await send(url, 'POST', leads, { name: 'Slow Joe', note: 'x' })).toMatch(/^503/);
    expect(await send(url, 'GET', '/health')).toMatch(/^200/);
    expect(await send(url, 'GET', templates)).toMatch(/^418/);
    expect(await send(url, 'HEAD', templates)).toMatch(/^418/);
    expect(received).toHaveLength(2);
  });
});

test('its control plane is that of a mock: it counts, and takes no mistake, no body of a form and no page of another site', async () => {
  const { url } = await start([{ status: 503, times: 2 }]);
  await send(url, 'POST', leads, {});
  const rules = [{ status: 503, times: 2, seen: 1, matched: 1, left: 1 }];
  expect(await admin(url, 'GET')).toEqual({ status: 200, body: { rules } });
  const mistake = await admin(url, 'PUT', { rules: [{ operation: 'addLeads', status: 503 }] });
  expect(mistake).toMatchObject({ status: 400, body: { error: expect.stringContaining('addLead') } });
  expect((await admin(url, 'POST', { rules: [] })).status).toBe(405);
  expect((await admin(url, 'PUT', { rules: [] }, { origin: 'https://evil.example.com' })).status).toBe(403);
  expect((await admin(url, 'PUT', { rules: [] }, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await admin(url, 'GET')).body).toEqual({ rules });
  expect((await admin(url, 'DELETE')).status).toBe(200);
  expect((await admin(url, 'GET')).body).toEqual({ rules: [] });
});
