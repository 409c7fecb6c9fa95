// What a hostile page, client or upstream can send to the proxy: everything is checked, and the rest is refused.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ask, exchangeBytes, nobodyListens, startProxyInTest } from '../../testing/proxy.ts';
import { type Answer, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import type { ObservedRequest } from '../../traffic/exchanges/observed.ts';
import type { ProxyOptions } from '../server.ts';

const serving = useRawServers();

/** A proxy in front of an upstream that writes bytes. */
const start = async (answer: Answer, options?: Partial<ProxyOptions>) => {
  const upstream = await serving(answer);
  return { upstream, ...(await startProxyInTest(upstream.url, options)) };
};

const get = (path: string, ...fields: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');

const lastGet = (path: string, ...fields: readonly string[]): string =>
  get(path, 'Connection: close', ...fields);

/** 1,100 short header fields; Node.js drops all after about 1,000 by default. */
const manyFields = Array.from({ length: 1100 }, (_, at) => `x-${at}: ${at}`);

test('more than a thousand header fields arrive at the upstream, at the client and at the checks', async () => {
  const checked: ObservedRequest[] = [];
  const refuse = (sent: ObservedRequest) => void checked.push(sent);
  const answer = writing(textReply('{}', 200, [...manyFields, 'Retry-After: 1']));
  const { url, observed, upstream } = await start(answer, { refuse });
  const sent = lastGet('/api/v1/email/templates', ...manyFields, 'Authorization: Bearer k');
  expect(await exchangeBytes(url, sent)).toContain('x-1099: 1099\r\nRetry-After: 1\r\n');
  expect(upstream.requests[0]?.head).toContain('x-1099: 1099\r\nAuthorization: Bearer k');
  const requestHeaders = { 'x-0': '0', 'x-1099': '1099', authorization: 'Bearer k' };
  expect(checked).toMatchObject([{ requestHeaders }]);
  const responseHeaders = { 'x-1099': '1099', 'retry-after': '1' };
  expect(observed).toMatchObject([{ requestHeaders, responseHeaders }]);
});

const many = ['a: 1\r\n'.repeat(200_000).trimEnd()];

test.each([
  ['many', many],
  ['long', [`a: ${'1'.repeat(1_000_000)}`]],
])('a request with %s header fields gets 431 from the proxy and goes no further', async (_what, fields) => {
  const { url, observed } = await startProxyInTest(nobodyListens);
  expect(await exchangeBytes(url, get('/', ...fields))).toMatch(
    /^HTTP\/1\.1 431 .*Email-Leads-Proxy: own response.*131072 bytes/s,
  );
  expect(observed).toEqual([]);
});

test('a response with header fields that are too large gets 502 from the proxy', async () => {
  const { url } = await start(writing(textReply('', 200, many)));
  const response = await fetch(url);
  expect(response.status).toBe(502);
  const error = 'the upstream gave no response: HPE_HEADER_OVERFLOW';
  expect(await response.json()).toMatchObject({ error });
});

test.each([
  ['/__admin/report', '127.0.0.1', 403],
  ['/__admin/report', 'evil.example.com', 421],
])('the proxy refuses a preflight for a path of its own: %s at %s', async (path, host, status) => {
  const { url, observed } = await start(writing(textReply('', 204, ['Access-Control-Allow-Origin: *'])));
  const headers = { host, origin: 'http://evil.example.com', 'access-control-request-method': 'DELETE' };
  const response = await ask(url + path, { method: 'OPTIONS', headers });
  expect(response).toMatchObject({ status, body: expect.stringContaining('"success":false') });
  expect(response.headers).not.toHaveProperty('access-control-allow-methods');
  expect(observed).toEqual([]);
});

test.each([
  ['to a named protocol', 'Connection: Upgrade\r\nUpgrade: other\r\n\r\n'],
  ['and goes on', '\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
])('an upstream that switches unasked is named as the cause, and closed: %s', async (_what, rest) => {
  let closed: Promise<unknown> | undefined;
  const { url, observed } = await start((_request, socket) => {
    closed = once(socket, 'close');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rest}`);
  });
  const response = await fetch(`${url}/api/v1/email/templates`);
  expect(response.status).toBe(502);
  const error = 'the upstream gave no response: UNSOLICITED_101';
  expect(await response.json()).toMatchObject({ error });
  await closed;
  const missing = 'without a response (UNSOLICITED_101)';
  expect(observed).toMatchObject([{ status: 0, responseBody: { missing } }]);
});
