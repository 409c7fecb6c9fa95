// What a hostile page, client or upstream can send to the proxy: everything is checked, and the rest waits or is refused.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startProxyInTest } from '../../testing/proxy.ts';
import type { ObservedRequest } from '../../traffic/exchanges/observed.ts';
import { createProxyJournal } from '../journal.ts';
import type { ProxyOptions } from '../server.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const listen = async (server: ReturnType<typeof createSocketServer>): Promise<string> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const startProxyBefore = async (upstream: string, options?: Partial<ProxyOptions>) => {
  const proxy = await startProxyInTest(upstream, options);
  closers.push(proxy.close);
  return proxy;
};

/** An upstream that calls `respond` for the first data of each connection. */
const startRaw = (respond: (socket: Socket) => unknown): Promise<string> =>
  listen(createSocketServer((socket) => socket.once('data', () => respond(socket))));

const connectTo = (url: string): Socket => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  closers.push(() => socket.destroy());
  return socket;
};

/** Sends bytes and returns what comes back until the connection ends. */
const exchangeBytes = (url: string, bytes: string): Promise<string> => {
  const socket = connectTo(url);
  socket.write(bytes);
  return text(socket);
};

/** 1,100 short header fields; Node.js drops all after about 1,000 by default. */
const manyFields = Array.from({ length: 1100 }, (_, at) => `x-${at}: ${at}\r\n`).join('');

const nobodyListens = 'http://127.0.0.1:1';

describe('more than a thousand header fields', () => {
  test('of a request arrive at the upstream and at the checks', async () => {
    const received: IncomingMessage['headers'][] = [];
    const upstream = createServer((req, res) => res.end(String(received.push(req.headers))));
    upstream.maxHeadersCount = 0;
    const checked: ObservedRequest[] = [];
    const { url, observed } = await startProxyBefore(await listen(upstream), {
      enforcement: { applies: () => true, refuse: (sent) => void checked.push(sent) },
    });
    await exchangeBytes(
      url,
      `GET /api/v1/email/templates HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${manyFields}Authorization: Bearer k\r\n\r\n`,
    );
    const headers = { 'x-0': '0', 'x-1099': '1099', authorization: 'Bearer k' };
    expect(received).toMatchObject([headers]);
    expect(checked).toMatchObject([{ requestHeaders: headers }]);
    expect(observed).toMatchObject([{ requestHeaders: headers }]);
  });

  test('of a response arrive at the client and at the checks', async () => {
    const response = `HTTP/1.1 200 OK\r\n${manyFields}Retry-After: 1\r\nContent-Length: 2\r\n\r\n{}`;
    const { url, observed } = await startProxyBefore(await startRaw((socket) => socket.write(response)));
    const received = await exchangeBytes(
      url,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(received).toContain('x-1099: 1099\r\nRetry-After: 1\r\n');
    expect(observed).toMatchObject([{ responseHeaders: { 'x-1099': '1099', 'retry-after': '1' } }]);
  });

  test.each([
    ['Origin: http://evil.example.com', 'POST /__admin/report'],
    ['Sec-Fetch-Site: cross-site', 'POST /__admin/report'],
    ['Origin: http://evil.example.com', 'DELETE /__proxy/requests'],
    ['Sec-Fetch-Site: cross-site', 'DELETE /__proxy/requests'],
  ])('do not hide %s from %s', async (field, line) => {
    const onReport = vi.fn(async () => ({}));
    const journal = createProxyJournal((shown) => shown);
    const clear = vi.spyOn(journal, 'clear');
    const { url } = await startProxyBefore(nobodyListens, {
      onReport,
      liveView: { journal, pageFile: () => undefined },
    });
    const head = `${line} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n`;
    const body = 'Content-Type: application/json\r\nContent-Length: 12\r\n';
    const response = await exchangeBytes(url, `${head}${body}${manyFields}${field}\r\n\r\n{"all":true}`);
    expect(response).toMatch(/^HTTP\/1\.1 403 /);
    expect(onReport).not.toHaveBeenCalled();
    expect(clear).not.toHaveBeenCalled();
  });
});

describe('header fields that are too large', () => {
  test.each([
    ['many', 'a: 1\r\n'.repeat(200_000)],
    ['long', `a: ${'1'.repeat(1_000_000)}\r\n`],
  ])('of a request get 431 from the proxy and do not reach the upstream: %s', async (_what, fields) => {
    const { url, observed } = await startProxyBefore(nobodyListens);
    const response = await exchangeBytes(url, `GET / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 431 .*Email-Leads-Proxy: own response.*131072 bytes/s);
    expect(observed).toEqual([]);
  });

  test('of a response get 502 from the proxy', async () => {
    const { url } = await startProxyBefore(
      await startRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: 1\r\n'.repeat(200_000)}\r\n`)),
    );
    const response = await fetch(url);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: 'the upstream gave no response: HPE_HEADER_OVERFLOW',
    });
  });
});

describe('a preflight for a path of the proxy itself', () => {
  test.each([
    ['/__admin/report', '127.0.0.1'],
    ['/__proxy/requests', '127.0.0.1'],
    ['/__proxy/ui/', '127.0.0.1'],
    ['/__admin/report', 'evil.example.com'],
  ])('is refused and not forwarded: %s at %s', async (path, host) => {
    const { url, observed } = await startProxyBefore(
      await listen(
        createServer((_req, res) => res.writeHead(204, { 'access-control-allow-origin': '*' }).end()),
      ),
    );
    const req = request(url + path, {
      method: 'OPTIONS',
      agent: false,
      headers: { host, origin: 'http://evil.example.com', 'access-control-request-method': 'DELETE' },
    });
    req.end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    expect((await buffer(res)).toString()).toContain('"success":false');
    expect(res.statusCode).toBe(403);
    expect(Object.keys(res.headers).filter((name) => name.startsWith('access-control-allow'))).toEqual([]);
    expect(observed).toEqual([]);
  });
});

/** Writes a block again and again while the other side reads it, until `end` is called or `times` are `written`. */
const createFlood = (block: string, times: number) => {
  let ended = false;
  const flood = {
    written: 0,
    into: async (socket: Socket): Promise<void> => {
      while (!ended && flood.written < times && !socket.destroyed) {
        flood.written += 1;
        if (!socket.write(block)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
    },
    /** Waits until nothing is written any more; returns the number of blocks. */
    stopped: async (): Promise<number> => {
      for (let before = -1; before !== flood.written; await sleep(500)) before = flood.written;
      return flood.written;
    },
    end: (): void => {
      ended = true;
    },
  };
  return flood;
};

test('a flood of informational responses waits for a client that does not read', async () => {
  const messages = [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
  ].join('');
  const times = 200;
  const flood = createFlood(messages.repeat(2 ** 16 / messages.length), times);
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone';
  const { url } = await startProxyBefore(
    await startRaw((socket) => void flood.into(socket).then(() => socket.write(final))),
  );
  const client = connectTo(url).pause();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await vi.waitFor(() => expect(flood.written).toBeGreaterThan(0), 10_000);
  expect(await flood.stopped()).toBeLessThan(times);
  flood.end();
  const received = await buffer(client);
  expect(received.toString('latin1', received.length - 4)).toBe('done');
}, 60_000);

describe('an upstream that switches protocols unasked', () => {
  test.each([
    ['to a named protocol', 'Connection: Upgrade\r\nUpgrade: other\r\n\r\n'],
    ['to no protocol', '\r\n'],
    ['and goes on', '\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
  ])('is named as the cause, and its connection is closed: %s', async (_what, rest) => {
    let closed: Promise<unknown> | undefined;
    const { url, observed } = await startProxyBefore(
      await startRaw((socket) => {
        closed = once(socket, 'close');
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rest}`);
      }),
    );
    const response = await fetch(`${url}/api/v1/email/templates`);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: 'the upstream switched protocols without being asked',
    });
    await closed;
    expect(observed.map(({ status, responseBody }) => [status, responseBody])).toEqual([
      [0, { missing: 'without a response (an unsolicited 101), for which the proxy responded' }],
    ]);
  });
});

describe('pipelined requests', () => {
  const requestLine = (at: number, padding: string): string =>
    `GET /${at} HTTP/1.1\r\nHost: localhost\r\nX-Padding: ${padding}\r\n\r\n`;

  test('are answered in order, one after the other', async () => {
    let pending = 0;
    let most = 0;
    const { url } = await startProxyBefore(
      await listen(
        createServer((req, res) => {
          pending += 1;
          most = Math.max(most, pending);
          setImmediate(() => {
            pending -= 1;
            res.end(`${req.url}\n`);
          });
        }),
      ),
    );
    const requests = Array.from({ length: 200 }, (_, at) => requestLine(at, ''));
    const received = await exchangeBytes(
      url,
      `${requests.join('')}GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const expected = [...requests.map((_, at) => `/${at}`), '/last'];
    expect(received.match(/^\/\w+$/gm)).toEqual(expected);
    expect(most).toBe(1);
  });

  test('wait unread while the upstream is busy', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await startProxyBefore(
      await listen(
        createServer({ maxHeaderSize: 2 ** 20 }, (_req, res) => void released.then(() => res.end())),
      ),
    );
    const times = 400;
    const flood = createFlood(requestLine(0, 'x'.repeat(100_000)), times);
    const client = connectTo(url);
    let received = '';
    client.on('data', (data) => {
      received += data;
    });
    const sent = flood.into(client);
    await vi.waitFor(() => expect(flood.written).toBeGreaterThan(0), 10_000);
    expect(await flood.stopped()).toBeLessThan(times);
    release();
    await sent;
    await vi.waitFor(() => expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(times), 30_000);
  }, 60_000);
});
