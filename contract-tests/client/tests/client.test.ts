import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type Call, cleanUp } from '../../exchange/exchange.ts';
import { clientOf as createClientOf, listTemplates as list } from '../../testing/calls.ts';
import {
  emptyList,
  jsonReply,
  type RawRequest,
  type RawServer,
  startRaw,
  textReply,
} from '../../testing/raw-server.ts';
import { NotPermitted, RequestFailed } from '../errors.ts';
import { everythingPermitted } from '../permissions.ts';
import { intervalOf } from '../throttle.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

type Answer = (request: RawRequest, socket: Socket) => void;
const writing =
  (reply: string | Buffer): Answer =>
  (_, socket) =>
    socket.write(reply);
/** Closes the connection after it. */
const closing =
  (reply: string | Buffer = ''): Answer =>
  (_, socket) =>
    socket.end(reply);

const serving = async (answer: Answer): Promise<RawServer> => {
  const server = await startRaw(answer);
  closers.push(server.close);
  return server;
};

const clientOf: typeof createClientOf = (...args) => {
  const client = createClientOf(...args);
  closers.push(client.close);
  return client;
};

const lead: Call = {
  ...list,
  operation: 'addLead',
  method: 'POST',
  path: '/api/v1/leads',
  body: '{"name":"A"}',
  contentType: 'application/json',
};
const mail: Call = {
  ...lead,
  operation: 'sendEmail',
  path: '/api/v1/email/send',
  body: '{"to":"me@ours.test"}',
};
const remove: Call = { ...list, operation: 'deleteLead', method: 'DELETE', path: '/api/v1/leads/..' };

/** How a request that got no answer ended. */
const ending = async (sending: Promise<unknown>): Promise<string> => {
  const error = await sending.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  return error instanceof RequestFailed ? error.kind : String(error);
};

const success = '{"success":true,"data":[]}';
const created = jsonReply({ success: true, data: { lead_id: 'L1' }, message: '' });

describe('a request', () => {
  test('goes below the path of the base URL and says who asks', async () => {
    const server = await serving(writing(emptyList));
    await clientOf(`${server.url}/crm/eu`).send(list);
    expect(server.requests[0]?.path).toBe('/crm/eu/api/v1/email/templates');
    expect(server.requests[0]?.head).toMatch(
      /user-agent: email-leads-contract\/1\.2\.3 run\/abcd1234 check\/templates\.list\.success\r?$/m,
    );
    expect(server.requests[0]?.head).toMatch(/^authorization: Bearer sk_live_4f9c1e7ab2d8\r?$/m);
  });

  test.each<[string, (body: string) => Buffer]>([
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ])('reads %s', async (encoding, compress) => {
    const body = compress(success);
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const server = await serving(writing(Buffer.concat([Buffer.from(head), body])));
    const { json, byteProblem } = await clientOf(server.url).send(list);
    expect({ json, byteProblem }).toEqual({ json: JSON.parse(success), byteProblem: undefined });
  });

  test.each([
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"succe\r\n9\r\nss":true}\r\n0\r\n\r\n',
    ],
    ['HTTP/1.0 until the end', 'HTTP/1.0 200 OK\r\n\r\n{"success":true}'],
    ['an answer after which the server closes without a word', created],
  ])('reads %s, again and again', async (_name, reply) => {
    const server = await serving(closing(reply));
    const { send } = clientOf(server.url);
    for (let round = 0; round < 12; round += 1)
      expect((await send(round % 3 === 0 ? list : lead)).outcome).toBe('success');
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(8);
  });

  test('follows no redirect', async () => {
    const other = await serving(writing(emptyList));
    const server = await serving(writing(textReply('', 307, [`Location: ${other.url}${list.path}`])));
    expect((await clientOf(server.url).send(list)).status).toBe(307);
    expect(other.requests).toEqual([]);
  });
});

describe('without an answer', () => {
  const reset: Answer = (_, socket) => socket.resetAndDestroy();
  const cutOff: Answer = (_, socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"succ', () =>
      setTimeout(() => socket.resetAndDestroy(), 50),
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

  test.each<[string, Answer, Call, string]>([
    ['a GET whose connection breaks is not sent again', reset, list, 'closed'],
    ['a POST whose connection breaks is not sent again', reset, lead, 'closed'],
    ['a body broke off', cutOff, lead, 'closed'],
    ['what came is not HTTP', closing('SSH-2.0-OpenSSH_9.6\r\n'), list, 'malformed'],
    ['an endless body is not read to its end', endless, list, 'too large'],
    ['a small body that unfolds to a huge one is not unfolded', unfolding(), list, 'too large'],
    ['JSON nested beyond reason is not parsed', writing(nested), list, 'too large'],
    ['headers dribble', dripping('HTTP/1.1 200 OK\r\nX-Slow: '), list, 'timeout'],
    ['a body dribbles', dripping('HTTP/1.1 200 OK\r\n\r\n'), list, 'timeout'],
    ['nothing is said', () => undefined, list, 'timeout'],
  ])('%s', async (_, answer, call, kind) => {
    const server = await serving(answer);
    const client = clientOf(server.url, kind === 'timeout' ? { timeout: 200 } : {});
    expect(await ending(client.send(call))).toBe(kind);
    expect(server.requests).toHaveLength(1);
    // It may be there.
    expect(client.ledger.lost()).toBe(call === lead ? 1 : 0);
  });
});

describe('a reply that is not as announced', () => {
  const short = 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"success":true,"data":{"lead_id":"L7","na';
  const badChunk = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"suc\r\nzz\r\n';

  test.each([
    ['a body shorter than its length, with the id as far as it got', short, ['L7']],
    ['a chunk without a size', badChunk, []],
  ])('%s is an answer with a defect, asked for once', async (_name, reply, ids) => {
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

  test.each([
    [
      'inside a letter',
      Buffer.from('{"success":true,"data":{"name":"Zoë"}}').subarray(0, 34),
      'it ends in the middle of its JSON',
    ],
    ['between two fields', '{"success":true,', 'it ends in the middle of its JSON'],
    ['not at all: a quotation mark too many', '{"error":"5" screen"}', undefined],
    ['not at all: a bracket too many', '{"success":true}}', undefined],
    ['not at all: a page', '<p>{"success":', undefined],
  ])('a body of the announced length ends in the middle %s', async (_name, body, problem) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const server = await serving(closing(Buffer.concat([Buffer.from(head), Buffer.from(body)])));
    expect((await clientOf(server.url).send(list)).byteProblem).toBe(problem);
  });
});

describe('a deployment that asks for a pause', () => {
  const busy = (status: number, ...headers: string[]): string => textReply('', status, headers);

  test.concurrent.each([
    ['429 with seconds', busy(429, 'Retry-After: 1'), 950],
    [
      '503 with a date by a clock that is wrong',
      busy(503, 'Date: Tue, 01 Jan 2030 00:00:00 GMT', 'Retry-After: Tue, 01 Jan 2030 00:00:01 GMT'),
      950,
    ],
    ['429 that does not say how long', busy(429), 950],
    ['429 with a date that is over', busy(429, 'Retry-After: Tue, 01 Jan 2019 00:00:00 GMT'), 40],
  ])('gets it: %s', async (_name, reply, least) => {
    const server = await serving(({ nth }, socket) => socket.write(nth === 1 ? reply : created));
    const { send } = clientOf(server.url);
    const started = performance.now();
    expect((await send(lead)).outcome).toBe('success');
    expect(performance.now() - started).toBeGreaterThan(least);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['too long a pause', busy(429, 'Retry-After: 3600'), 429],
    ['a pause of days', busy(503, 'Retry-After: Fri, 01 Jan 2100 00:00:00 GMT'), 503],
  ])('is taken for a gateway where it asks for %s', async (_name, reply, status) => {
    const server = await serving(writing(reply));
    expect(await clientOf(server.url).send(list)).toMatchObject({ status, outcome: 'gateway' });
    expect(server.requests).toHaveLength(1);
  });

  test('holds every request of the run back', async () => {
    const server = await serving(({ nth }, socket) =>
      socket.write(nth === 1 ? busy(429, 'Retry-After: 1') : emptyList),
    );
    const { send } = clientOf(server.url);
    const first = send(list);
    await expect.poll(() => server.requests.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, send(list), send(list)]);
    const [asked, ...later] = server.requests.map(({ at }) => at);
    for (const at of later) expect(at - (asked ?? 0)).toBeGreaterThan(900);
  });
});

describe('a rate limit', () => {
  test.each([
    ['5/s', 200],
    ['90/m', 60_000 / 90],
    ['0/s', undefined],
    ['1.5/s', undefined],
    ['5/h', undefined],
    ['5/s/s', undefined],
  ])('%j is a request every %s ms', (rate, ms) => expect(intervalOf(rate)).toBe(ms));

  test('paces all requests in the order they came, repeats included', async () => {
    const server = await serving(({ nth, method }, socket) => {
      if (nth === 2) socket.write(textReply('', 429, ['Retry-After: 0']));
      else socket.write(method === 'GET' ? emptyList : created);
    });
    const started = performance.now();
    const { send } = clientOf(server.url, { interval: 40 });
    const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/api/v1/${name}`);
    await Promise.all(paths.map((path) => send({ ...list, path })));
    expect(server.requests).toHaveLength(7);
    // From the start on, as a busy machine may notice one request late and the next one at once.
    for (const [index, { at }] of server.requests.entries())
      expect(at - started).toBeGreaterThan(index * 40 - 10);
    expect(server.requests.slice(0, 4).map(({ path }) => path)).toEqual(paths.slice(0, 4));
  });

  test('lets what is interrupted out of the queue', async () => {
    const server = await serving(writing(emptyList));
    const controller = new AbortController();
    const { send } = clientOf(server.url, { interval: 60_000, signal: controller.signal });
    await send(list);
    const waiting = [send(list), send(lead)].map(ending);
    controller.abort();
    expect(await Promise.all(waiting)).toEqual(['interrupted', 'interrupted']);
    expect(server.requests).toHaveLength(1);
  });
});

describe('an interruption', () => {
  test('ends a request under way, but waits for a lead that is being added', async () => {
    const server = await serving(({ method }, socket) => {
      if (method === 'POST') setTimeout(() => socket.write(created), 150);
    });
    const controller = new AbortController();
    const { send, ledger, idle } = clientOf(server.url, { signal: controller.signal });
    const adding = send(lead);
    const listing = ending(send(list));
    await expect.poll(() => server.requests.length).toBe(2);
    controller.abort();
    expect(await listing).toBe('interrupted');
    expect(ledger.open()).toEqual([]);
    await idle();
    expect(ledger.open()).toEqual(['L1']);
    expect((await adding).outcome).toBe('success');
    expect(await ending(send(lead))).toBe('interrupted');
  });

  test('does not keep the run from cleaning up', async () => {
    const server = await serving(writing(jsonReply({ success: true })));
    const { send } = clientOf(server.url, { signal: AbortSignal.abort() });
    expect(await ending(send(remove))).toBe('interrupted');
    expect((await send({ ...remove, check: cleanUp })).outcome).toBe('success');
  });
});

test('a lead may be left by every attempt that a gateway answered', async () => {
  const server = await serving(({ nth }, socket) =>
    socket.write(nth < 3 ? textReply('<h1>Unavailable</h1>', 503, ['Retry-After: 0']) : created),
  );
  const { send, ledger } = clientOf(server.url);
  await send(lead);
  expect({ open: ledger.open(), lost: ledger.lost() }).toEqual({ open: ['L1'], lost: 2 });
});

describe('mail', () => {
  const permissions = { ...everythingPermitted, sendTo: 'me@ours.test', maxSends: 3 };

  test('counts with every repeat towards --max-sends, but where it came too fast', async () => {
    const busy = textReply('', 429, ['Retry-After: 0']);
    const unavailable = textReply('', 503, ['Retry-After: 0']);
    const server = await serving(({ nth }, socket) => socket.write(nth === 1 ? busy : unavailable));
    const client = clientOf(server.url, { permissions });
    await expect(client.send(mail)).rejects.toThrow(NotPermitted);
    expect(server.requests).toHaveLength(4);
    expect(client.mailsRequested()).toBe(3);
  });

  test('is never asked for beyond --max-sends, also at once', async () => {
    const server = await serving(writing(jsonReply({ success: true })));
    const { send } = clientOf(server.url, { permissions });
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => send(mail)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(server.requests).toHaveLength(3);
  });
});
