// HTTP as deployments speak it, and proxies on the way.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { selfSigned } from '../../../mock/testing/self-signed.ts';
import type { Call } from '../../exchange/exchange.ts';
import { clientOf, created, endOf, addLead as lead, listTemplates as list } from '../../testing/exchanges.ts';
import { type Answer, emptyList, textReply, useRawServers, writing } from '../../testing/raw-server.ts';
import { createBodyReader, readBody } from '../decode-body.ts';
import { RequestFailed } from '../errors.ts';

const serving = useRawServers();
/** Closes the connection after it. */
const closing =
  (reply: string | Buffer = ''): Answer =>
  (_, socket) =>
    socket.end(reply);

const success = '{"success":true,"data":[]}';

test('a request goes below the path of the base URL and says who asks', async () => {
  const server = await serving(writing(emptyList));
  await clientOf(`${server.url}/crm/eu`).send(list);
  const { path, head = '' } = { ...server.requests[0] };
  expect(path).toBe('/crm/eu/api/v1/email/templates');
  const agent = 'email-leads-contract/1.2.3 run/abcd1234 scenario/templates.list.success';
  expect(head.split('\r\n')).toContain(`user-agent: ${agent}`);
  expect(head.split('\r\n')).toContain('authorization: Bearer sk_live_4f9c1e7ab2d8');
});

test.each<[string, (body: string) => Buffer]>([
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['identity', Buffer.from],
])('a request reads %s', async (encoding, compress) => {
  const body = compress(success);
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const server = await serving(writing(Buffer.concat([Buffer.from(head), body])));
  const { json, byteProblem } = await clientOf(server.url).send(list);
  expect({ json, byteProblem }).toEqual({ json: JSON.parse(success), byteProblem: undefined });
});

const chunked = '7\r\n{"succe\r\n9\r\nss":true}\r\n0\r\n\r\n';
test.each([
  ['chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`],
  ['HTTP/1.0 until the end', 'HTTP/1.0 200 OK\r\n\r\n{"success":true}'],
  ['an answer after which the server closes without a word', created],
])('a request reads %s, again and again', async (_name, reply) => {
  const server = await serving(closing(reply));
  const { send } = clientOf(server.url);
  for (let round = 0; round < 12; round += 1)
    expect((await send(round % 3 === 0 ? list : lead)).outcome).toBe('success');
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(8);
});

const reset: Answer = (_, socket) => socket.resetAndDestroy();
// Twice: where something has held the event loop, a first timer ends before the client has read what came.
const cutOff: Answer = (_, socket) =>
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"succ', () =>
    setTimeout(() => setTimeout(() => socket.resetAndDestroy(), 50), 50),
  );
const dripping =
  (beginning: string): Answer =>
  (_, socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write('x'), 30);
    socket.on('close', () => clearInterval(timer));
  };
const endless: Answer = (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const more = (): void => {
    while (socket.writable && socket.write('x'.repeat(2 ** 20)));
  };
  socket.on('drain', more);
  more();
};
const unfolding = (): Answer => {
  const body = gzipSync(Buffer.alloc(64 * 2 ** 20));
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
  return writing(Buffer.concat([Buffer.from(head), body]));
};
const nested = textReply(`{"data":${'['.repeat(1e5)}${']'.repeat(1e5)}}`);

test.concurrent.each<[string, Answer, Call, string]>([
  ['a GET whose connection breaks is not sent again', reset, list, 'closed'],
  ['a POST whose connection breaks is not sent again', reset, lead, 'closed'],
  ['a body broke off', cutOff, lead, 'closed'],
  ['an endless body is not read to its end', endless, list, 'too large'],
  ['a small body that unfolds to a huge one is not unfolded', unfolding(), list, 'too large'],
  ['JSON nested beyond reason is not parsed', writing(nested), list, 'too large'],
  ['headers dribble', dripping('HTTP/1.1 200 OK\r\nX-Slow: '), list, 'timeout'],
  ['a body dribbles', dripping('HTTP/1.1 200 OK\r\n\r\n'), list, 'timeout'],
])('without an answer: %s', async (_, answer, call, kind) => {
  const server = await serving(answer);
  const client = clientOf(server.url, { timeout: kind === 'timeout' ? 1500 : 60_000 });
  expect(await endOf(client.send(call))).toBe(kind);
  expect(server.requests).toHaveLength(1);
  // It may be there.
  expect(client.ledger.lost()).toBe(call === lead ? 1 : 0);
});

const short = 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"success":true,"data":{"lead_id":"L7","na';
const badChunk = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"suc\r\nzz\r\n';

test.each([
  ['a body shorter than its length, with the id as far as it got', short, ['L7']],
  ['a chunk without a size', badChunk, []],
])('a reply that is not as announced has a defect, and is asked for once: %s', async (_name, reply, ids) => {
  const server = await serving(closing(reply));
  const { send, ledger } = clientOf(server.url);
  for (const call of [list, lead]) {
    const { status, json, byteProblem } = await send(call);
    expect({ status, json }).toEqual({ status: 200, json: undefined });
    expect(byteProblem).toContain('it ends in the middle');
  }
  expect(server.requests).toHaveLength(2);
  expect(ledger.open()).toEqual(ids);
});

const isCut = 'it ends in the middle of its JSON';
test.each([
  ['inside a letter', Buffer.from('{"success":true,"data":{"name":"Zoë"}}').subarray(0, 34), isCut],
  ['between two fields', '{"success":true,', isCut],
  ['not at all: a quotation mark too many', '{"error":"5" screen"}', undefined],
  ['not at all: a bracket too many', '{"success":true}}', undefined],
  ['not at all: a page', '<p>{"success":', undefined],
])('a body of the announced length ends in the middle %s', async (_name, body, problem) => {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const server = await serving(closing(Buffer.concat([Buffer.from(head), Buffer.from(body)])));
  expect((await clientOf(server.url).send(list)).byteProblem).toBe(problem);
});

const readJson = (json: unknown) => readBody(Buffer.from(JSON.stringify(json)), '');

test('a body is judged whole up to 200,000 values and texts of two million characters; of one that is not JSON its beginning is kept', () => {
  const json = { success: true, data: Array.from({ length: 40_000 }, (_, at) => ({ id: `t${at}`, at })) };
  expect(readJson(json).json).toEqual(json);
  expect(() => readJson({ data: Array(200_000).fill(1) })).toThrow('a body has more than 200000 values');
  for (const character of ['x', '"'])
    expect(() => readJson({ error: character.repeat(9_000_000), message: 'no' })).toThrow(
      'a body has a text of more than 2097152 characters',
    );
  const page = readBody(Buffer.from(`<p>${'x'.repeat(3_000_000)}`), '');
  expect([page.json, page.rawText.length]).toEqual([undefined, 65_536]);
});

test('the responses of a run are read as long as there is capacity, equal ones once, and then nothing more is sent', () => {
  const large = (text: string) => Buffer.from(JSON.stringify({ text, more: 'x'.repeat(400_000) }));
  const bodies = createBodyReader(1_200_000);
  const first = bodies.read(large('a'), '');
  for (let count = 0; count < 10; count += 1) expect(bodies.read(large('a'), '')).toBe(first);
  bodies.expectCapacity('GET /');
  for (const text of ['b', 'c']) bodies.read(large(text), '');
  const message = expect.stringContaining('was not sent');
  expect(() => bodies.expectCapacity('POST /api/v1/leads')).toThrow(
    expect.objectContaining({ kind: 'too large', unsent: true, message }),
  );
});

// Proxies.

afterEach(() => void vi.unstubAllEnvs());

/** @param variables those that name a proxy */
const asking = async (base: string, variables: Readonly<Record<string, string>>) => {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return await clientOf(base)
    .send(list)
    .catch((error: RequestFailed) => error);
};

const proxy = (reply = emptyList) => serving(writing(reply));

test('a plain request is handed to the proxy as it is, with its password; http:// before it may be missing', async () => {
  const { url, requests } = await proxy();
  const named = url.replace('http://', 'me:se%20cret@');
  // Small letters win, as with curl.
  const answer = await asking('http://service.test/crm', { http_proxy: named, HTTP_PROXY: 'http://b:1' });
  expect(answer).toMatchObject({ outcome: 'success' });
  const { head = '' } = { ...requests[0] };
  expect(head).toMatch(/^GET http:\/\/service\.test\/crm\/api\/v1\/email\/templates HTTP/);
  expect(head).toMatch(/^host: service\.test\r?$/im);
  const basic = Buffer.from('me:se cret').toString('base64');
  expect(head).toContain(`proxy-authorization: Basic ${basic}`);
});

test('an https request goes through a tunnel, and its certificate is looked at', async () => {
  const service = await serving((_, socket) => socket.write(emptyList), selfSigned('service.test'));
  const asked: string[] = [];
  const tunnel: Server = createServer().on('connect', (request, socket) => {
    asked.push(String(request.url));
    const onward = connect(service.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    tunnel.closeAllConnections();
    tunnel.close();
  });
  const { port } = tunnel.address() as AddressInfo;
  const answer = await asking('https://service.test', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  expect(asked).toEqual(['service.test:443']);
  expect(answer).toMatchObject({ kind: 'tls' });
  expect(service.requests).toEqual([]);
});

test.each([
  ['a proxy that wants a password', textReply('', 407), 'http://service.test'],
  ['a proxy that lets nobody through', textReply('', 403), 'https://service.test'],
])('%s is reported as the proxy, without its password', async (_name, reply, base) => {
  const { url } = await proxy(reply);
  const named = url.replace('http://', 'http://me:secret@');
  const answer = await asking(base, { HTTP_PROXY: named, HTTPS_PROXY: named });
  expect(answer).toBeInstanceOf(RequestFailed);
  expect(answer).toMatchObject({ kind: 'proxy', unsent: true });
  expect((answer as RequestFailed).message).toContain(new URL(url).host);
  expect((answer as RequestFailed).message).not.toContain('secret');
});

test('this machine is never reached through a proxy, nor is what NO_PROXY names', async () => {
  const [service, unused] = [await proxy(), await proxy()];
  for (const base of [service.url, service.url.replace('127.0.0.1', 'localhost')])
    expect(await asking(base, { HTTP_PROXY: unused.url })).toMatchObject({ outcome: 'success' });
  const excluded = { HTTP_PROXY: unused.url, NO_PROXY: 'other.test,.invalid' };
  const unreachable = { kind: 'unreachable' };
  expect(await asking('http://service.invalid', excluded)).toMatchObject(unreachable);
  // A proxy for the other protocol is none.
  for (const [protocol, name] of [['http', 'HTTPS_PROXY'] as const, ['https', 'HTTP_PROXY'] as const])
    expect(await asking(`${protocol}://service.invalid`, { [name]: unused.url })).toMatchObject(unreachable);
  expect(unused.requests).toEqual([]);
});
