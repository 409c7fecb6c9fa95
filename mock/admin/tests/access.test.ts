import { expect, test } from 'vitest';
import { assumedAnswers } from '../../contract/questions.ts';
import { createContext } from '../../service/service.ts';
import { rejectedWith, type Sent, useMock } from '../../testing/mock-server.ts';
import { createAdmin } from '../admin.ts';

const site = 'http://localhost:5173';
const mock = useMock({ allowedHosts: ['Mock.Test'], allowedOrigins: [site] });
const health = (headers: Record<string, string>) => mock.admin('GET', '/health', { headers });

const hosts = ['LOCALHOST:4010', 'app.localhost', '127.9.9.9:1', '[::1]:80', 'mock.test:80'];

test.each(hosts)('the Host %s may call', async (host) => {
  expect((await health({ host })).status).toBe(200);
});

test.each([
  ['localhost.evil.example', 'localhost.evil.example'],
  ['127.0.0.1.evil.example:127', '127.0.0.1.evil.example'],
  ['sub.mock.test', 'sub.mock.test'],
  // Nothing that a shell would run goes into a line to paste.
  ['x@localhost', 'NAME'],
  ['$(reboot)', 'NAME'],
])('the Host %s may not, unless --allowed-host %s is given', async (host, flag) => {
  const refused = await health({ host });
  expect(refused).toMatchObject(rejectedWith(403, 'header/Host is'));
  expect(refused.text).toContain(`--allowed-host ${flag}.`);
});

const settings = { answers: assumedAnswers(), version: '0.0.0', allowedHosts: ['mock.test'] };
const admin = createAdmin(createContext(settings));
const callFrom = async (peer: string | undefined, host: string, path = '/health', more = {}) => {
  const request = { method: 'GET', url: `/__admin${path}`, peer, body: undefined, isTooLarge: false };
  const { signal } = new AbortController();
  return admin({ ...request, headers: { host, ...more }, signal: () => signal });
};
const stranger = '172.17.0.1';

test.each([
  [stranger, 'mock.test:80', 200],
  ['127.8.0.1', 'localhost', 200],
  ['::1', 'localhost', 200],
  ['::ffff:127.0.0.1', 'localhost', 200],
  [undefined, 'localhost', 403],
  [stranger, 'localhost:4010', 403],
  [stranger, '127.0.0.1', 403],
  [stranger, '[::1]', 403],
])('a caller on another machine at %s, under the name %s: %d', async (peer, host, status) => {
  expect((await callFrom(peer, host)).status).toBe(status);
});

test('a caller on another machine may call no path under a loopback name, and is told which flag allows it', async () => {
  const forged = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' };
  for (const path of ['/ui/', '/%zz', '/nothing', '/outbox'])
    expect((await callFrom(stranger, 'localhost', path, forged)).status).toBe(403);
  const { error, message } = JSON.parse(String((await callFrom(stranger, 'localhost')).body));
  expect(error).toBe(`header/Host is "localhost", but the request comes from another machine, ${stranger}`);
  expect(message).toMatch(/--allowed-host localhost:.* -p 127\.0\.0\.1:/);
});

test.each<[string, Record<string, string>, number]>([
  ['an allowed site', { origin: site, 'sec-fetch-site': 'cross-site' }, 200],
  ['a file', { origin: 'null' }, 403],
  ['another port', { origin: 'http://localhost:5174' }, 403],
  ['a longer name', { origin: `${site}.evil.example` }, 403],
  ['another scheme', { origin: 'https://localhost:5173' }, 403],
  ['another site without an Origin', { 'sec-fetch-site': 'cross-site' }, 403],
])('a page of %s: %j is answered with %d, before anything else', async (_who, headers, status) => {
  const reply = await health(headers);
  expect(reply.status).toBe(status);
  if (status === 200) return;
  expect(reply.text).toContain('--allowed-origin');
  for (const path of ['/nothing', '/outbox', '/reset'])
    expect((await mock.admin('POST', path, { key: null, headers })).status).toBe(403);
});

test.each<[string, string, Sent, number]>([
  ['PUT', '/faults', { body: { rules: [] } }, 200],
  ['GET', '/nothing', {}, 404],
  ['GET', '/leads', { key: 'unknown' }, 401],
  ['POST', '/events', {}, 405],
  ['POST', '/templates', { body: 'x'.repeat(17_000_000) }, 413],
])('a page of an allowed origin may read the reply to %s %s', async (method, path, sent, status) => {
  const reply = await mock.admin(method, path, { ...sent, headers: { origin: site } });
  const headers = { 'access-control-allow-origin': site, vary: 'Origin' };
  expect(reply).toMatchObject({ status, headers });
});

test('a page of an allowed origin is one of no other origin, the mock itself included', async () => {
  const preflight = { 'access-control-request-method': 'POST' };
  for (const origin of ['null', mock.url])
    for (const { headers } of [
      await health({ origin }),
      await mock.admin('OPTIONS', '/outbox/%zz', { key: null, headers: { origin, ...preflight } }),
    ])
      expect(Object.keys(headers).join()).not.toContain('access-control');
});

test.each([undefined, 'text/plain', 'a/b; charset="'])('no body may be labelled "%s"', async (type) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  expect((await mock.admin('POST', '/reset', { headers })).status).toBe(200);
});

test.each<[object | string, Record<string, string>, number]>([
  [{ rules: [] }, { 'content-type': 'Application/JSON; charset' }, 200],
  [{ rules: [] }, { 'content-type': 'application/json ; a="' }, 200],
  [{ rules: [] }, { 'content-type': 'application/jsonx' }, 415],
  [{ rules: [] }, { 'content-type': '' }, 415],
  [{ rules: [] }, { 'content-encoding': 'gzip' }, 415],
  ['\uFEFF{}', {}, 400],
  ['nul', {}, 400],
])('a body %j with %j is answered with %d', async (body, headers, status) => {
  const reply = await mock.admin('PUT', '/faults', { body, headers });
  expect(reply).toMatchObject(status === 400 ? rejectedWith(400, 'body is not JSON') : { status });
});
