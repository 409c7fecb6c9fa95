import { once } from 'node:events';
import { expect, test } from 'vitest';
import { serve } from '../../../mock/testing/temporary.ts';
import { checks } from '../../checks/index.ts';
import { key } from '../../testing/command.ts';
import { json, listing } from '../../testing/exchanges.ts';
import { ask, exchangeBytes, nobodyListens, startProxyInTest } from '../../testing/proxy.ts';
import { type Answer, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import { judgeLive } from '../../traffic/conclusion.ts';
import type { ObservedExchange, ObservedRequest } from '../../traffic/exchanges/observed.ts';
import { createTrafficSession } from '../../traffic/session.ts';
import { createProxyJournal, type ExchangeEntry, type ExchangePage } from '../journal.ts';
import type { ProxyOptions } from '../server.ts';

// What the proxy answers itself: a page of another origin can read it.

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

const problem = 'the field "x" is not documented';
const refuse = () => ({ status: 400, problem });
const websocket = { connection: 'upgrade', upgrade: 'websocket' };
const start = (refuse?: ProxyOptions['refuse']) => startProxyInTest(nobodyListens, { refuse });
const holding = { refuse: () => undefined, onExchange: () => 'no data' };
const startHolding = async () => startProxyInTest(await serve((_req, res) => res.end('{}')), holding);

test.each<[string, number, () => Promise<{ url: string }>, string, Record<string, string>]>([
  ['an upstream that is not there', 502, start, '/api/v1/leads', {}],
  ['a request that --enforce refuses', 400, () => start(refuse), '/api/v1/leads', {}],
  ['a response that --enforce holds back', 502, startHolding, '/api/v1/leads', {}],
  ['a WebSocket', 501, start, '/', websocket],
  ['the name of another host', 421, start, '/', { host: 'evil.example.com' }],
  ['the report, which is for this machine', 403, start, '/__admin/report', {}],
])('a page of another origin reads why %s gets %i', async (_what, status, startIt, path, headers) => {
  const { url } = await startIt();
  const response = await ask(url + path, { headers: { ...headers, origin } });
  expect(response.status).toBe(status);
  expect(response.headers['email-leads-proxy']).toBe('own response');
  expect(corsHeadersOf(response)).toEqual(readable);
  expect(corsHeadersOf(await ask(url + path, { headers }))).toEqual({});
});

// What the page of the proxy reads: verdicts, claims and both sides, without keys, on this machine only.

/** A proxy that shows a session, with changes of a list of templates in its journal. */
const startWith = async (...exchanges: readonly Partial<ObservedExchange>[]) => {
  const session = createTrafficSession({ checks });
  const journal = createProxyJournal(session.redact);
  for (const changes of exchanges) {
    const observed = { ...listing, ...changes };
    journal.record(observed, judgeLive(session, observed).judgement, false);
  }
  const page = new Map([['index.html', { body: '', headers: {} }]]);
  const options = { allowedHosts: ['app.example.com'], journal, page };
  const { url } = await startProxyInTest(nobodyListens, options);
  const read = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${url}/__proxy/requests${path}`)).json()) as Body;
  const entries = async (): Promise<ExchangeEntry[]> => {
    const { requests } = await read<ExchangePage>('');
    return await Promise.all(requests.map(({ id }) => read<ExchangeEntry>(`/${id}`)));
  };
  return { journal, session, url, read, entries };
};

const broken: Partial<ObservedExchange> = {
  requestHeaders: { authorization: `Bearer ${key}`, cookie: 'session=1' },
  status: 201,
  responseBody: json({ success: true, error: '', data: [], message: `key ${key}` }),
};
const stray: Partial<ObservedExchange> = { method: 'POST', target: '/api/v1/contacts', status: 404 };

test('the journal of the proxy has the newest first, each with its verdict, claims and sections, and selects', async () => {
  const { read } = await startWith({}, broken, stray);
  const { requests, total } = await read<ExchangePage>('');
  expect(total).toBe(3);
  expect(requests.map(({ verdict }) => verdict)).toEqual(['skipped', 'fail', 'pass']);
  expect(requests[1]).toMatchObject({
    operation: 'listTemplates',
    path: '/api/v1/email/templates',
    status: 201,
    duration_ms: 12,
    findings: [{ check: 'templates.list.success', section: '4.2', level: 'documented' }],
  });
  expect(requests[0]?.request_findings).toMatchObject([{ kind: 'unknown route', section: '4' }]);
  const counts = {
    ...{ 'verdict=fail': 1, 'operation=listTemplates': 2, 'status=2xx': 2, 'status=404': 1 },
    ...{ 'q=contacts': 1, 'q=templates.list.success': 1, 'limit=1&start=2': 1 },
  };
  for (const [query, count] of Object.entries(counts))
    expect((await read<ExchangePage>(`?${query}`)).requests.length, query).toBe(count);
});

test('the journal of the proxy has both sides of one, and no key in any', async () => {
  const { entries } = await startWith(
    broken,
    { target: `/api/v1/contacts?key=${key}`, status: 404, responseBody: json({ sent: key }) },
    { responseBody: { missing: 'larger than 1048576 bytes' } },
  );
  const [notJudged, , judged] = await entries();
  expect(judged?.request.headers).toEqual({ authorization: 'Bearer REDACTED', cookie: 'REDACTED' });
  expect(judged?.response.body).toContain('key $EMAIL_LEADS_API_KEY');
  expect(notJudged?.response).toMatchObject({ body: null, body_missing: 'larger than 1048576 bytes' });
  expect(JSON.stringify(await entries())).not.toContain(key);
});

test('the journal of the proxy keeps a thousand, and eight million characters, and is cleared only where all of it is meant', async () => {
  const { journal, session, url } = await startWith();
  const judgement = session.observe(listing);
  for (let count = 0; count < 1005; count += 1) journal.record(listing, judgement, false);
  expect(journal.list({}, { limit: 1 })).toMatchObject({ total: 1000, dropped: 5 });
  const large = { ...listing, responseBody: json('x'.repeat(2 ** 20 - 2)) };
  for (let count = 0; count < 140; count += 1) journal.record(large, judgement, false);
  const { total } = journal.list({}, { limit: 0 });
  expect(total).toBeLessThan(128);
  const remove = (body: string, type = 'application/json') =>
    fetch(`${url}/__proxy/requests`, { method: 'DELETE', body, headers: { 'content-type': type } });
  expect((await remove('{}')).status).toBe(400);
  expect((await remove('{"all":true}', 'text/plain')).status).toBe(415);
  expect(await (await remove('{"all":true}')).json()).toEqual({ deleted: total });
  expect(journal.list({}, { limit: 1 }).total).toBe(0);
});

const get = (path: string, ...fields: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, ...fields, 'Connection: close', '', ''].join('\r\n');

const [page, data] = ['/__proxy', '/__proxy/requests'];
const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

test.each<[string, Record<string, string>, string, number]>([
  ['this machine', {}, data, 200],
  ['an image on a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, data, 403],
  ['a tunnel, though its host is allowed', { Host: 'app.example.com' }, data, 403],
  ['a link on any page', link, page, 302],
  ['a link to data', link, data, 403],
  ['who asks for an unknown exchange', {}, '/__proxy/requests/none', 404],
  ['who asks for what cannot be decoded', {}, '/__proxy/requests/%zz', 400],
  ['who asks for another file', {}, '/__proxy/ui/..%2fpackage.json', 404],
])('the live view answers %s', async (_who, headers, path, status) => {
  const { url } = await startWith();
  const fields = Object.entries({ Host: new URL(url).host, ...headers }).map((field) => field.join(': '));
  expect(await exchangeBytes(url, get(path, ...fields))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

// What a hostile page, client or upstream can send to the proxy: everything is checked, and the rest is refused.

const serving = useRawServers();

/** A proxy in front of an upstream that writes bytes. */
const startBefore = async (answer: Answer, options?: Partial<ProxyOptions>) => {
  const upstream = await serving(answer);
  return { upstream, ...(await startProxyInTest(upstream.url, options)) };
};

/** 1,100 short header fields; Node.js drops all after about 1,000 by default. */
const manyFields = Array.from({ length: 1100 }, (_, at) => `x-${at}: ${at}`);

test('more than a thousand header fields arrive at the upstream, at the client and at the checks', async () => {
  const checked: ObservedRequest[] = [];
  const refuse = (sent: ObservedRequest) => void checked.push(sent);
  const answer = writing(textReply('{}', 200, [...manyFields, 'Retry-After: 1']));
  const { url, observed, upstream } = await startBefore(answer, { refuse });
  const sent = get('/api/v1/email/templates', 'Host: localhost', ...manyFields, 'Authorization: Bearer k');
  expect(await exchangeBytes(url, sent)).toContain('x-1099: 1099\r\nRetry-After: 1\r\n');
  expect(upstream.requests[0]?.head).toContain('x-1099: 1099\r\nAuthorization: Bearer k');
  const requestHeaders = { 'x-0': '0', 'x-1099': '1099', authorization: 'Bearer k' };
  expect(checked).toMatchObject([{ requestHeaders }]);
  const responseHeaders = { 'x-1099': '1099', 'retry-after': '1' };
  expect(observed).toMatchObject([{ requestHeaders, responseHeaders }]);
});

const many = ['a: 1\r\n'.repeat(200_000).trimEnd()];

const post = (rest: string): string => `POST /api/v1/leads HTTP/1.1\r\nHost: localhost\r\n${rest}`;
const tooLarge = /^HTTP\/1\.1 431 .*Email-Leads-Proxy: own response.*131072 bytes/s;
const malformed = /^HTTP\/1\.1 400 .*cannot be forwarded/s;

test.each([
  ['many header fields', get('/', 'Host: localhost', ...many), tooLarge],
  ['a long header field', get('/', 'Host: localhost', `a: ${'1'.repeat(1_000_000)}`), tooLarge],
  ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n\r\nab'), malformed],
  ['length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), malformed],
  ['an encoding that is not the last', post('Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'), malformed],
  ['a length that is none', post('Content-Length: +1\r\n\r\na'), malformed],
])('the proxy itself answers %s, and passes nothing on', async (_what, bytes, answer) => {
  const { url, observed } = await startProxyInTest(nobodyListens);
  expect(await exchangeBytes(url, bytes)).toMatch(answer);
  expect(observed).toEqual([]);
});

test('a response with header fields that are too large gets 502 from the proxy', async () => {
  const { url } = await startBefore(writing(textReply('', 200, many)));
  const response = await fetch(url);
  expect(response.status).toBe(502);
  const error = 'the upstream gave no response: HPE_HEADER_OVERFLOW';
  expect(await response.json()).toMatchObject({ error });
});

test.each([
  ['/__admin/report', '127.0.0.1', 403],
  ['/__admin/report', 'evil.example.com', 421],
])('the proxy refuses a preflight for a path of its own: %s at %s', async (path, host, status) => {
  const { url, observed } = await startBefore(
    writing(textReply('', 204, ['Access-Control-Allow-Origin: *'])),
  );
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
  const { url, observed } = await startBefore((_request, socket) => {
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
