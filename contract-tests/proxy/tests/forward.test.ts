// What passes the proxy is what a direct call would have sent and got, byte for byte.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startProxyInTest } from '../../testing/proxy.ts';
import { selfSigned } from '../../testing/self-signed.ts';
import type { ObservedExchange } from '../../traffic/exchanges/observed.ts';
import type { Enforcement } from '../forward.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;
type Site = {
  readonly direct: string;
  readonly proxied: string;
  readonly observed: readonly ObservedExchange[];
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const start = async (handler: Handler): Promise<Site> => {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { direct, ...(await startBefore(direct)) };
};

/** A server that only those trust who have its certificate. */
const startSecure = async (handler: Handler) => {
  const { key, cert } = selfSigned();
  const server = createSecureServer({ key, cert }, handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { upstream: `https://localhost:${(server.address() as AddressInfo).port}`, cert };
};

const startBefore = async (upstream: string, enforcement?: Enforcement): Promise<Omit<Site, 'direct'>> => {
  const { url, close, observed } = await startProxyInTest(upstream, { enforcement });
  cleanups.push(close);
  return { proxied: url, observed };
};

type Sent = {
  readonly method: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly chunks?: readonly Buffer[];
};

const ofConnection = /^(host|connection|keep-alive|date)$/i;

const pairs = (raw: readonly string[]): string[] =>
  raw.flatMap((name, at) => (at % 2 === 0 && !ofConnection.test(name) ? [`${name}: ${raw[at + 1]}`] : []));

/** A response as it came, without what concerns the connection. */
const call = async (base: string, { method, path = '/', headers = [], chunks = [] }: Sent) => {
  const { host } = new URL(base);
  const req = request(base + path, {
    method,
    agent: false,
    headers: ['Host', host, ...headers] as unknown as Record<string, string>,
  });
  for (const chunk of chunks) req.write(chunk);
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const body = await buffer(res);
  return {
    status: res.statusCode,
    text: res.statusMessage,
    headers: pairs(res.rawHeaders),
    trailers: pairs(res.rawTrailers),
    body: createHash('sha256').update(body).digest('hex'),
    size: body.length,
  };
};

/** The same call twice: without the proxy and through it. */
const expectSame = async ({ direct, proxied }: Site, sent: Sent): Promise<void> => {
  const [straight, passed] = [await call(direct, sent), await call(proxied, sent)];
  expect(passed).toEqual(straight);
};

/** Answers with what it received, so that a difference in the request is one in the response. */
const mirror: Handler = (req, res) => {
  buffer(req).then((body) => {
    const seen = {
      method: req.method,
      url: req.url,
      headers: pairs(req.rawHeaders),
      trailers: pairs(req.rawTrailers),
      body: createHash('sha256').update(body).digest('hex'),
    };
    res.end(JSON.stringify(seen));
  });
};

describe('a request', () => {
  const bytes = fc.uint8Array({ maxLength: 70_000 }).map((array) => Buffer.from(array));
  const names = fc.constantFrom(
    'X-Ünused'.replace('Ü', 'U'),
    'x-lower',
    'X-UPPER',
    'Cookie',
    'Accept',
    'X-a',
  );
  const fields = fc.array(fc.tuple(names, fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/)), { maxLength: 6 });

  test('arrives as it was sent, whatever its method, fields, body and chunks', async () => {
    const site = await start(mirror);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        fc.webPath(),
        fields,
        fc.array(bytes, { maxLength: 4 }),
        fc.boolean(),
        async (method, path, headers, chunks, inChunks) => {
          const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          const framing =
            chunks.length === 0
              ? ['Content-Length', '0']
              : inChunks
                ? ['Transfer-Encoding', 'chunked']
                : ['Content-Length', String(size)];
          await expectSame(site, {
            method,
            path: `/${path.replace(/^\/+/, '')}`,
            headers: [...headers.flat(), ...framing],
            chunks,
          });
        },
      ),
      { numRuns: 30, seed: 1 },
    );
  });

  test('that is aborted is aborted upstream too', async () => {
    let gone: Promise<unknown[]> | undefined;
    const arrived = new Promise<void>((resolve) => {
      start((_req, res) => {
        gone = once(res, 'close');
        resolve();
      }).then(({ proxied }) => {
        const req = request(proxied, { agent: false });
        req.on('error', () => undefined);
        req.end();
        arrived.then(() => req.destroy());
      });
    });
    await arrived;
    await gone;
  });

  test('may ask whether its body is wanted', async () => {
    const { proxied } = await start(mirror);
    const req = request(proxied, {
      method: 'POST',
      agent: false,
      headers: { expect: '100-continue', 'content-length': 4 },
    });
    req.flushHeaders();
    await once(req, 'continue');
    req.end('body');
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    expect((await buffer(res)).toString()).toContain(createHash('sha256').update('body').digest('hex'));
  });

  test('carries no field of the connection, and none that Connection names', async () => {
    const { proxied } = await start(mirror);
    const headers = [
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
      'Keep-Alive',
      'timeout=5',
      'TE',
      'trailers',
      'X-End',
      '2',
    ];
    const req = request(proxied, {
      agent: false,
      headers: ['Host', new URL(proxied).host, ...headers] as unknown as Record<string, string>,
    });
    req.end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    expect(JSON.parse((await buffer(res)).toString()).headers).toEqual(['X-End: 2']);
  });
});

const large = randomBytes(3 * 2 ** 20);
const responses: Record<string, Handler> = {
  plain: (_req, res) => res.writeHead(200, ['X-One', '1', 'x-one', '2', 'Content-Length', '2']).end('ok'),
  gzip: (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text '.repeat(1000))),
  brotli: (_req, res) => res.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('text')),
  large: (_req, res) => res.end(large),
  chunks: (_req, res) => {
    for (const size of [1, 10, 100, 1000, 70_000]) res.write(large.subarray(0, size));
    res.end();
  },
  trailers: (req, res) => {
    if (req.method === 'HEAD') return void res.end();
    res.writeHead(200, { trailer: 'X-Sum' });
    res.write('body');
    res.addTrailers({ 'X-Sum': 'abc' });
    res.end();
  },
  redirect: (_req, res) => res.writeHead(302, { location: 'https://elsewhere.example.com/' }).end(),
  'no content': (_req, res) => res.writeHead(204).end(),
  'not modified': (_req, res) => res.writeHead(304, { etag: '"a"' }).end(),
  error: (_req, res) => res.writeHead(501, 'Not Here Yet').end('{"success":false,"error":"later"}'),
  cookies: (_req, res) => res.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end(),
};

describe('a response', () => {
  test.each(Object.entries(responses))('comes back as it was: %s', async (_name, handler) => {
    const site = await start(handler);
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      await expectSame(site, { method, headers: method === 'POST' ? ['Content-Length', '0'] : [] });
  });

  test('that breaks off does not look complete', async () => {
    const { proxied, observed } = await start((_req, res) => {
      res.writeHead(200, { 'content-length': 100 });
      res.write('half');
      setTimeout(() => res.destroy(), 20);
    });
    await expect(call(proxied, { method: 'GET' })).rejects.toThrow();
    await expect.poll(() => observed.length).toBe(1);
    expect(observed[0]?.responseBody).toEqual({ missing: 'cut off before the end' });
  });

  test('that nobody reads waits at its source, and is not kept', async () => {
    const size = 50 * 2 ** 20;
    let written = 0;
    const { proxied, observed } = await start(async (_req, res) => {
      const block = Buffer.alloc(2 ** 16);
      for (; written < size; written += block.length) if (!res.write(block)) await once(res, 'drain');
      res.end();
    });
    const req = request(proxied, { agent: false });
    req.end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    await sleep(300);
    expect(written).toBeLessThan(size / 2);
    let received = 0;
    for await (const chunk of res) received += (chunk as Buffer).length;
    expect(received).toBe(size);
    await expect.poll(() => observed[0]?.responseBody).toEqual({ missing: 'larger than 1048576 bytes' });
  });

  test('of early hints comes before the final one', async () => {
    const { proxied } = await start((_req, res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload' }, () => res.end('done'));
    });
    const req = request(proxied, { agent: false });
    const hints = once(req, 'information');
    req.end();
    const [{ statusCode, headers }] = (await hints) as [{ statusCode: number; headers: object }];
    expect({ statusCode, ...headers }).toEqual({ statusCode: 103, link: '</a.css>; rel=preload' });
  });
});

/** Sends bytes and returns what comes back until the connection ends. */
const exchangeBytes = async (base: string, text: string): Promise<string> => {
  const { port } = new URL(base);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(text);
  return (await buffer(socket)).toString();
};

describe.each<[string, Enforcement | undefined]>([
  ['without --enforce', undefined],
  ['with --enforce', { applies: () => true, refuse: () => undefined }],
])('the proxy survives %s', (_name, enforcement) => {
  /** An upstream that answers the first request with these bytes, and every other one with 204. */
  const startRaw = async (first: string) => {
    const sockets = new Set<Socket>();
    let answered = 0;
    const server = createSocketServer((socket) => {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
      socket.on('data', () => {
        answered += 1;
        socket.write(answered === 1 ? first : 'HTTP/1.1 204 No Content\r\n\r\n', 'latin1');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { sockets, ...(await startBefore(`http://127.0.0.1:${port}`, enforcement)) };
  };
  const body = 'Content-Length: 2\r\n\r\n{}';

  test.each([
    [
      'hints of two links in one field',
      `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload; as=style, </b>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\n${body}`,
      200,
    ],
    [
      'hints that are none',
      `HTTP/1.1 103 Early Hints\r\nLink: nonsense\r\n\r\nHTTP/1.1 200 OK\r\n${body}`,
      200,
    ],
    ['a control character in the reason', `HTTP/1.1 201 O\x01K\r\n${body}`, 502],
    ['a control character in a field', `HTTP/1.1 200 OK\r\nX-A: a\x02b\r\n${body}`, 502],
    ['a status below 100', `HTTP/1.1 099 Odd\r\n${body}`, 502],
    [
      'a malformed chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nZZ\r\n',
      undefined,
    ],
    [
      'a body that ends early',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nnot a size',
      undefined,
    ],
  ])('%s', async (_what, response, status) => {
    const { proxied } = await startRaw(response);
    const sent = {
      method: 'POST',
      path: '/api/v1/leads',
      headers: ['Content-Length', '2'],
      chunks: [Buffer.from('{}')],
    };
    const first = await call(proxied, sent).catch(() => undefined);
    if (status !== undefined) expect(first?.status).toBe(status);
    expect((await call(proxied, { method: 'GET' })).status).toBe(204);
  });

  test('a client that leaves before its request is complete', async () => {
    const { proxied, sockets, observed } = await startRaw('HTTP/1.1 204 No Content\r\n\r\n');
    const client = connect(Number(new URL(proxied).port), '127.0.0.1');
    client.write('POST /api/v1/leads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{');
    await sleep(50);
    client.destroy();
    await vi.waitFor(() => expect(observed).toHaveLength(1), 10_000);
    await vi.waitFor(() => expect(sockets.size).toBe(0), 10_000);
  });
});

describe('the proxy itself answers', () => {
  const head = 'POST /api/v1/leads HTTP/1.1\r\nHost: localhost\r\n';
  const chunk = 'Transfer-Encoding: chunked\r\n';

  test.each([
    ['two lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a length and chunks', `${head}Content-Length: 3\r\n${chunk}\r\n0\r\n\r\n`],
    ['chunks and a length', `${head}${chunk}Content-Length: 3\r\n\r\n0\r\n\r\n`],
    ['an encoding that is not the last', `${head}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a length that is none', `${head}Content-Length: +1\r\n\r\na`],
  ])('400 to %s, and passes nothing on', async (_name, text) => {
    const { proxied, observed } = await start(mirror);
    expect(await exchangeBytes(proxied, text)).toMatch(/^HTTP\/1\.1 400 .*cannot be forwarded/s);
    expect(observed).toEqual([]);
  });

  test('502 where the upstream cannot be reached', async () => {
    const { direct } = await start(mirror);
    await cleanups
      .splice(0)
      .reduce((before, cleanup) => before.then(cleanup), Promise.resolve<unknown>(undefined));
    const { proxied, observed } = await startBefore(direct);
    const response = await fetch(proxied);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: 'the upstream gave no response: ECONNREFUSED' });
    expect(observed[0]?.status).toBe(0);
  });

  test('502 where the upstream has a certificate that nobody signed, and says what helps', async () => {
    const { upstream } = await startSecure(mirror);
    const { proxied } = await startBefore(upstream);
    const response = await fetch(proxied);
    expect(response.status).toBe(502);
    const { error, message } = (await response.json()) as { error: string; message: string };
    expect(error).toBe('the upstream gave no response: DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(message).toContain(
      'set --ca, or NODE_EXTRA_CA_CERTS, to a file with the certificate authorities to trust',
    );
  });

  test('501 to a WebSocket, and 421 to the name of another host', async () => {
    const { proxied } = await start(mirror);
    const upgrade = await exchangeBytes(
      proxied,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(upgrade).toMatch(/^HTTP\/1\.1 501 /);
    const rebound = await exchangeBytes(
      proxied,
      'GET / HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n',
    );
    expect(rebound).toMatch(/^HTTP\/1\.1 421 /);
  });
});

describe('a proxy whose upstream is itself', () => {
  /** As where a name or a changed port leads back: the address is known only once the proxy listens. */
  const startLoop = async (enforcement?: Enforcement) => {
    const upstream = new URL('http://127.0.0.1');
    const proxy = await startProxyInTest(upstream.href, { upstream, enforcement });
    cleanups.push(proxy.close);
    upstream.port = new URL(proxy.url).port;
    return proxy.url;
  };

  test.each([
    ['GET', undefined],
    ['POST', '{}'],
  ])('answers %s once and says what is wrong', async (method, body) => {
    const url = await startLoop();
    for (let time = 0; time < 3; time += 1) {
      const response = await fetch(`${url}/api/v1/leads`, { method, body: body ?? null });
      expect(response.status).toBe(508);
      expect(response.headers.get('email-leads-proxy')).toBe('own response');
      expect(await response.json()).toMatchObject({
        error: 'the upstream of the proxy is the proxy itself',
        message: expect.stringContaining('--upstream'),
      });
    }
  });

  test('is no proxy before another one', async () => {
    const { proxied } = await start((_req, res) => res.end('here'));
    const { proxied: outer } = await startBefore(proxied);
    expect(await (await fetch(outer)).text()).toBe('here');
  });
});
