// Large bodies stream through the proxy: several at once, to slow readers, and none of them is kept.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin, type Child, runNode } from '../../../mock/testing/cli-process.ts';
import { serve } from '../../../mock/testing/serve.ts';

const size = 50 * 2 ** 20;
const block = Buffer.alloc(2 ** 16, 'x');
const headers = { authorization: 'Bearer sk_live_4f9c1e7ab2d8', 'content-length': size };

/** 50 MiB, made while they are read. */
const largeBody = (): Readable =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += block.length) yield block;
    })(),
  );

/** Reads to the end with a pause after each piece; returns how much it was. */
const read = async (stream: IncomingMessage, pauseMs: number): Promise<number> => {
  let received = 0;
  for await (const chunk of stream) {
    received += (chunk as Buffer).length;
    if (pauseMs > 0) await new Promise((resume) => setTimeout(resume, pauseMs));
  }
  return received;
};

let proxy: Child;
let url: string;
let largest = 0;
let timer: ReturnType<typeof setInterval>;

/** Resident memory of the proxy in MiB; 0 on systems that do not tell it. */
const memory = (): number => {
  try {
    const status = readFileSync(`/proc/${proxy.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

beforeAll(async () => {
  const upstream = await serve(async (req, res) => {
    if (req.method === 'GET') {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': size });
      largeBody().pipe(res);
      return;
    }
    const received = await read(req, 1);
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ received }));
  });
  const flags = ['--upstream', upstream, '--port', '0'];
  proxy = runNode([bin, 'proxy', ...flags], { PATH: process.env.PATH ?? '' });
  url = await proxy.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
  timer = setInterval(() => {
    largest = Math.max(largest, memory());
  }, 50);
});
afterAll(() => {
  clearInterval(timer);
  proxy?.process.kill('SIGKILL');
});

const download = async (pauseMs: number): Promise<number> => {
  const req = get(`${url}/api/v1/email/templates`, {
    agent: false,
    headers: { ...headers, 'content-length': 0 },
  });
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return await read(res, pauseMs);
};

const upload = async (): Promise<unknown> => {
  const req = request(`${url}/api/v1/leads`, { method: 'POST', agent: false, headers });
  largeBody().pipe(req);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return JSON.parse(Buffer.concat(await res.toArray()).toString());
};

test('600 MiB in twelve bodies pass within 150 MiB of memory, and are counted as not judged', async () => {
  const before = memory();
  const downloads = await Promise.all([0, 0, 0, 0, 1, 1, 2, 2].map(download));
  expect(downloads).toEqual(downloads.map(() => size));
  const uploads = await Promise.all([1, 2, 3, 4].map(upload));
  expect(uploads).toEqual(uploads.map(() => ({ received: size })));
  // 50 MiB where it was measured.
  expect(largest - before).toBeLessThan(150);
  const { traffic } = (await (await fetch(`${url}/__admin/report`)).json()) as {
    traffic: { skip_reasons: object };
  };
  expect(traffic.skip_reasons).toEqual({ 'larger than 1048576 bytes': 8 });
});
