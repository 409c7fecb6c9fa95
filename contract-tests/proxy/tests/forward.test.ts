// What passes the proxy is what a direct call would have sent and got, byte for byte.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selfSigned } from '../../../mock/testing/self-signed.ts';
import { serve } from '../../../mock/testing/temporary.ts';
import { exchangeBytes, nobodyListens, startProxyInTest } from '../../testing/proxy.ts';
import { useRawServers } from '../../testing/raw-server.ts';

const serving = useRawServers();

const start = async (listener: RequestListener) => {
  const direct = await serve(listener);
  return { direct, ...(await startProxyInTest(direct)) };
};

type Sent = { method: string; path?: string; headers?: string[]; chunks?: Buffer[] };

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const ofConnection = /^(host|connection|keep-alive|date)$/i;

const pairs = (raw: readonly string[]): string[] =>
  raw.flatMap((name, at) => (at % 2 === 0 && !ofConnection.test(name) ? [`${name}: ${raw[at + 1]}`] : []));

/** A response as it came, without what concerns the connection. */
const call = async (base: string, { method, path = '/', headers = [], chunks = [] }: Sent) => {
  const fields = ['Host', new URL(base).host, ...headers] as unknown as Record<string, string>;
  const req = request(base + path, { method, agent: false, headers: fields });
  for (const chunk of chunks) req.write(chunk);
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const body = await buffer(res);
  const { statusCode: status, statusMessage } = res;
  return { status, statusMessage, fields: pairs(res.rawHeaders), size: body.length, hash: sha256(body) };
};

/** The same call twice: without the proxy and through it. */
const expectSame = async (site: { direct: string; url: string }, sent: Sent): Promise<void> => {
  const straight = await call(site.direct, sent);
  expect(await call(site.url, sent)).toEqual(straight);
};

/** Answers with what it received, so that a difference in the request is one in the response. */
const mirror: RequestListener = async (req, res) => {
  const body = sha256(await buffer(req));
  const { method, url } = req;
  res.end(JSON.stringify({ method, url, headers: pairs(req.rawHeaders), body }));
};

const random = randomBytes(3 * 2 ** 20);

const chunk = fc.integer({ min: 0, max: 70_000 }).map((size) => random.subarray(0, size));
const name = fc.constantFrom('X-Unused', 'x-lower', 'X-UPPER', 'Cookie', 'Accept', 'X-a');
const fields = fc.array(fc.tuple(name, fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/)), { maxLength: 6 });

test('a request arrives as it was sent, whatever its method, fields, body and chunks', async () => {
  const site = await start(mirror);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      fc.tuple(fc.constantFrom('', 'api/v1/'), fc.webPath()),
      fields,
      fc.array(chunk, { maxLength: 4 }),
      fc.boolean(),
      async (method, [base, path], given, chunks, inChunks) => {
        const size = chunks.reduce((sum, { length }) => sum + length, 0);
        const framed =
          inChunks && chunks.length > 0 ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(size)];
        const headers = [...given.flat(), ...framed];
        await expectSame(site, { method, path: `/${base}${path.replace(/^\/+/, '')}`, headers, chunks });
      },
    ),
    { numRuns: 25, seed: 1 },
  );
});

test('a request that is aborted is aborted upstream too', async () => {
  const arrived: ServerResponse[] = [];
  const { url } = await start((_req, res) => void arrived.push(res));
  const req = request(url, { agent: false }).on('error', () => undefined);
  req.end();
  await expect.poll(() => arrived.length).toBe(1);
  req.destroy();
  await expect.poll(() => arrived[0]?.closed).toBe(true);
});

test('a request carries no field of the connection, and none that Connection names', async () => {
  const { url } = await start((req, res) => res.end(pairs(req.rawHeaders).join()));
  const connection = 'Connection: X-Hop, close\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers';
  const fields = `Host: localhost\r\n${connection}\r\nX-End: 2`;
  const received = await exchangeBytes(url, `GET / HTTP/1.1\r\n${fields}\r\n\r\n`);
  expect(received).toMatch(/\r\n\r\nX-End: 2$/);
});

const responses: Record<string, RequestListener> = {
  plain: (_req, res) =>
    res.writeHead(200, ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'Content-Length', '2']).end('ok'),
  gzip: (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text '.repeat(1000))),
  large: (_req, res) => res.end(random),
  chunks: (_req, res) => {
    for (const size of [1, 10, 100, 1000, 70_000]) res.write(random.subarray(0, size));
    res.end();
  },
  redirect: (_req, res) => res.writeHead(302, { location: 'https://elsewhere.example.com/' }).end(),
  'not modified': (_req, res) => res.writeHead(304, { etag: '"a"' }).end(),
  error: (_req, res) => res.writeHead(501, 'Not Here Yet').end('{"success":false,"error":"later"}'),
};

test.each(Object.entries(responses))('a response comes back as it was: %s', async (_name, listener) => {
  const site = await start(listener);
  for (const path of ['/', '/api/v1/leads'])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      await expectSame(site, { method, path, headers: method === 'POST' ? ['Content-Length', '0'] : [] });
});

test('a response that breaks off does not look complete', async () => {
  const { url, observed } = await start((_req, res) => {
    res.writeHead(200, { 'content-length': 100 });
    res.write('half');
    setTimeout(() => res.destroy(), 20);
  });
  await expect(call(url, { method: 'GET' })).rejects.toThrow();
  await expect(call(url, { method: 'GET', path: '/api/v1/leads' })).rejects.toThrow();
  await expect.poll(() => observed[1]?.responseBody).toEqual({ missing: 'cut off before the end' });
});

test('a response that nobody reads waits at its source, and is not kept', async () => {
  const size = 50 * 2 ** 20;
  let written = 0;
  const { url, observed } = await start(async (_req, res) => {
    const block = Buffer.alloc(2 ** 16);
    for (; written < size; written += block.length) if (!res.write(block)) await once(res, 'drain');
    res.end();
  });
  const req = request(`${url}/api/v1/leads`, { agent: false });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  await sleep(300);
  expect(written).toBeLessThan(size / 2);
  let received = 0;
  for await (const chunk of res) received += (chunk as Buffer).length;
  expect(received).toBe(size);
  await expect.poll(() => observed[0]?.responseBody).toEqual({ missing: 'larger than 1048576 bytes' });
});

const refuse = () => undefined;
const okay = 'HTTP/1.1 200 OK\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: ';
const body = 'Content-Length: 2\r\n\r\n{}';
const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n';

test.each([
  ['hints', `${hints}</a>; rel=preload\r\n\r\n${okay}${body}`, 200],
  ['a control character in the reason', `HTTP/1.1 201 O\x01K\r\n${body}`, 502],
  ['a control character in a field', `${okay}X-A: a\x02b\r\n${body}`, 502],
  ['a status below 100', `HTTP/1.1 099 Odd\r\n${body}`, 502],
  ['a malformed chunk', `${okay}${chunked}ZZ\r\n`, undefined],
])('the proxy survives %s, with --enforce too', async (_what, response, status) => {
  for (const options of [{}, { refuse }]) {
    const upstream = await serving(({ nth }, socket) =>
      socket.write(nth === 1 ? response : 'HTTP/1.1 204 No Content\r\n\r\n', 'latin1'),
    );
    const { url } = await startProxyInTest(upstream.url, options);
    const sent = { method: 'POST', path: '/api/v1/leads', headers: ['Content-Length', '2'] };
    const first = await call(url, { ...sent, chunks: [Buffer.from('{}')] }).catch(() => undefined);
    if (status !== undefined) expect(first?.status).toBe(status);
    expect((await call(url, { method: 'GET' })).status).toBe(204);
  }
});

test('the proxy survives a client that leaves before its request is complete', async () => {
  const sockets: Socket[] = [];
  const upstream = await serve(({ socket }) => void sockets.push(socket));
  const { url, observed } = await startProxyInTest(upstream, { refuse });
  const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const fields = 'Host: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 100\r\n';
  client.write(`POST /api/v1/leads HTTP/1.1\r\n${fields}\r\n{`);
  await once(client, 'data');
  client.destroy();
  await expect.poll(() => observed.length).toBe(1);
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test.each([
  ['ECONNREFUSED', async () => nobodyListens, 'check --upstream and whether that server runs'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', () => serve(mirror, selfSigned()), 'set --ca, or NODE_EXTRA_CA_CERTS, to'],
])('the proxy itself answers 502 with %s, and says what helps', async (code, startUpstream, help) => {
  const { url, observed } = await startProxyInTest(await startUpstream());
  const response = await fetch(url);
  expect(response.status).toBe(502);
  const message = expect.stringContaining(help);
  expect(await response.json()).toMatchObject({ error: `the upstream gave no response: ${code}`, message });
  expect(observed[0]?.status).toBe(0);
});
