import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  json,
  oneof,
  sample,
  string,
  uint8Array,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { useMock } from '../testing/mock-server.ts';
import { rawExchange } from '../testing/raw-http.ts';
import { isWhole } from '../testing/scale.ts';

const mock = useMock();
const raw = (bytes: string | Buffer, options?: { half?: boolean }) => rawExchange(mock.port, bytes, options);
const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', 'Authorization: Bearer test_raw', ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) =>
  head('POST /api/v1/leads', 'Content-Type: application/json', ...headers);
const failure = { success: false, error: expect.stringMatching(/./), message: expect.stringMatching(/./) };

describe('bytes that are not HTTP, or not quite', () => {
  test.each<[string, string | Buffer, number]>([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/3.0\r\n\r\n', 400],
    ['an unknown method', head('FROB /api/v1/leads'), 400],
    ['QUERY without a type', `${head('QUERY /api/v1/leads', 'Content-Length: 2')}{}`, 405],
    ['no Host', 'GET /api/v1/email/templates HTTP/1.1\r\nAuthorization: Bearer test_raw\r\n\r\n', 400],
    ['a NUL in the path', head('GET /api/v1/\0'), 400],
    ['a raw byte in the path', Buffer.from(head('GET /api/v1/\x9b'), 'latin1'), 400],
    ['headers too large', head('GET /api/v1/leads', `X: ${'x'.repeat(20_000)}`), 431],
    ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{}x`, 400],
    ['length and chunks', `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`, 400],
    ['an obfuscated transfer encoding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n`, 400],
    ['a chunk size that is none', `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n`, 400],
    ['a folded header', post('X: a', ' b', 'Content-Length: 0'), 400],
    ['a bare line feed', 'GET /api/v1/leads HTTP/1.1\nHost: x\n\n', 400],
  ])('%s', async (_what, bytes, status) => {
    const reply = await raw(bytes);
    expect(reply.statuses).toEqual([status]);
    expect(reply.body).toEqual(failure);
    expect(reply.text).toMatch(/^content-type: application\/json; charset=utf-8\r$/m);
  });

  test.each([
    ['within the headers', 'POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nAuth'],
    ['within the body', `${post('Content-Length: 100')}{"name":`],
  ])('a request that ends %s', async (_where, bytes) => {
    const reply = await raw(bytes, { half: true });
    expect(reply.statuses).toEqual([400]);
    expect(reply.body).toMatchObject({ error: 'the request cannot be read: HPE_INVALID_EOF_STATE' });
  });
});

describe('more than a thousand header fields', () => {
  const many = Array.from({ length: 1100 }, (_, at) => `x-${at}: 1\r\n`).join('');
  const lead = '{"name":"Lena"}';
  const type = 'Content-Type: application/json\r\n';

  test('before those of a request: it succeeds', async () => {
    const fields = `Host: x\r\nAuthorization: Bearer test_many\r\n${type}Content-Length: ${lead.length}\r\n`;
    const reply = await raw(`POST /api/v1/leads HTTP/1.1\r\n${many}${fields}\r\n${lead}`);
    expect(reply.statuses).toEqual([200]);
    expect(reply.body).toMatchObject({ data: { name: 'Lena' } });
  });

  test.each([
    ['Origin: http://evil.example', 403],
    ['Sec-Fetch-Site: cross-site', 403],
    ['Content-Type: text/plain', 415],
    [type.trim(), 200],
  ])('do not hide from the admin API: %s', async (field, status) => {
    const head = 'POST /__admin/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n';
    const reply = await raw(`${head}${status === 403 ? type : ''}${many}${field}\r\n\r\n{}`);
    expect(reply.statuses).toEqual([status]);
  });
});

describe('odd but right', () => {
  const body = '{"name":"Lena"}';
  test.each([
    ['HTTP/1.0', 'GET /api/v1/email/templates HTTP/1.0\r\nAuthorization: Bearer test_raw\r\n\r\n', [200]],
    ['an absolute target', head('GET http://x/api/v1/email/templates'), [200]],
    ['100-continue', `${post('Expect: 100-continue', 'Content-Length: 15')}${body}`, [100, 200]],
    ['chunks', `${post('Transfer-Encoding: chunked')}f\r\n${body}\r\n0\r\n\r\n`, [200]],
    ['two requests at once', head('GET /api/v1/email/templates').repeat(2), [200, 200]],
    ['an empty line first', `\r\n${head('GET /api/v1/email/templates')}`, [200]],
  ])('%s', async (_what, bytes, statuses) => {
    expect((await raw(bytes)).statuses).toEqual(statuses);
  });

  test('a body that is not UTF-8 is refused', async () => {
    const reply = await raw(Buffer.from(`${post('Content-Length: 7')}{"\xff":1}`, 'latin1'));
    expect(reply.statuses).toEqual([400]);
    expect(reply.body).toMatchObject({ error: 'body is not JSON: it is not UTF-8' });
  });

  test('HTTPS on the port for HTTP is told so', async () => {
    expect(await raw(Buffer.from('160301020001000001fc0303', 'hex'))).toMatchObject({
      statuses: [400],
      body: { success: false, error: 'the request is HTTPS, and this port speaks HTTP' },
    });
  });
});

describe('a body too large', () => {
  const size = 10_000_000;

  test.each([
    ['its length', post(`Content-Length: ${size}`), ''],
    ['chunks', `${post('Transfer-Encoding: chunked')}${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
  ])(
    'with %s is read to its end from a client that sends everything before it reads',
    async (_with, start, end) => {
      const bytes = Buffer.concat([Buffer.from(start), Buffer.alloc(size, 'x'), Buffer.from(end)]);
      expect((await raw(bytes)).statuses).toEqual([413]);
    },
  );

  test('is answered at its announcement, and the connection goes on with the next request', async () => {
    expect((await raw(post('Content-Length: 99999999999'))).statuses).toEqual([413]);
    const large = `${post('Content-Length: 2000000')}${'x'.repeat(2_000_000)}`;
    const next = head('GET /api/v1/email/templates');
    const reply = await rawExchange(mock.port, large + next, { quietMs: 20_000, replies: 2 });
    expect(reply.statuses).toEqual([413, 200]);
  });
});

describe('a seeded corpus of nonsense', () => {
  const runs = isWhole ? 400 : 60;
  const line = oneof(
    constantFrom(
      'POST /api/v1/leads',
      'PUT /api/v1/leads/1',
      'GET /api/v1/%',
      'DELETE /api/v1/leads/__proto__',
    ),
    constantFrom('GET /', 'OPTIONS *', 'POST /api/v1/email/send', 'GET /__admin/outbox', 'HEAD /docs/../..'),
    anyText(30).map((text) => `GET /api/v1/${text}`),
  );
  const header = oneof(
    constantFrom('Content-Length: 5', 'Transfer-Encoding: chunked', 'Expect: x', 'Prefer: code=', 'Host: x'),
    constantFrom(
      'Authorization: Bearer',
      'Content-Type: application/json',
      'Content-Encoding: br',
      'Upgrade: x',
    ),
    string({ maxLength: 30 }),
  );
  const body = oneof(
    constantFrom('', '{}', '[', '{"name":1}', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '"'),
    uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );

  test('leaves no 5xx, nothing hanging, and the state as it was', async () => {
    const before = await mock.lead();
    const lines = sample(line, { seed: 7, numRuns: runs });
    const headers = sample(array(header, { maxLength: 5 }), { seed: 8, numRuns: runs });
    const bodies = sample(body, { seed: 9, numRuns: runs });
    const requests = lines.map((start, index) =>
      Buffer.from(`${start} HTTP/1.1\r\n${headers[index]?.join('\r\n')}\r\n\r\n${bodies[index]}`, 'latin1'),
    );
    const isQuiet = ({ statuses, end }: Awaited<ReturnType<typeof rawExchange>>): boolean =>
      end === 'quiet' && statuses.length === 0;
    // On a busy machine a response may come late: without one, the request is sent again with more time.
    const send = async (bytes: Buffer) => {
      const reply = await rawExchange(mock.port, bytes, { half: true, quietMs: 800 });
      return isQuiet(reply) ? rawExchange(mock.port, bytes, { half: true, quietMs: 20_000 }) : reply;
    };
    for (let start = 0; start < requests.length; start += 50) {
      const replies = await Promise.all(requests.slice(start, start + 50).map(send));
      for (const { statuses, end } of replies) {
        expect([end, statuses.length]).not.toEqual(['quiet', 0]);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      }
    }
    const leads = [{ ...before, updated_at: before.created_at }];
    expect(await mock.read('/leads')).toEqual({ leads, total: 1 });
  });

  test('any JSON at all is answered below 500', async () => {
    const path = constantFrom(
      ['POST', '/api/v1/leads'],
      ['PUT', '/api/v1/leads/lead_000001'],
      ['POST', '/api/v1/email/send'],
      ['POST', '/api/v1/email/template'],
      ['POST', '/__admin/templates'],
      ['DELETE', '/__admin/outbox'],
    );
    await assert(
      asyncProperty(path, json({ maxDepth: 4 }), async ([method = '', target = ''], text) => {
        expect((await mock.call(method, target, { body: text })).status).toBeLessThan(500);
      }),
      { seed: 3, numRuns: runs },
    );
  });
});
