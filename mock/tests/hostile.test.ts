import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { useMock } from '../testing/mock-server.ts';
import { rawExchange } from '../testing/raw-http.ts';
import { isWhole } from '../testing/scale.ts';

const mock = useMock();
const raw = (bytes: string | Buffer, options?: { half?: boolean }) => rawExchange(mock.port, bytes, options);
const lines = (...all: string[]) => [...all, '', ''].join('\r\n');
const own = ['Host: x', 'Authorization: Bearer test_raw'];
const head = (line: string, ...headers: string[]) =>
  lines(`${line} HTTP/1.1`, ...own, 'Connection: close', ...headers);
const jsonType = 'Content-Type: application/json';
const post = (...headers: string[]) => head('POST /api/v1/leads', jsonType, ...headers);

test.each<[string, string | Buffer, number, error?: RegExp]>([
  ['no HTTP at all', 'HELLO\r\n\r\n', 400],
  ['an unknown method', head('FROB /api/v1/leads'), 400],
  ['QUERY without a type', `${head('QUERY /api/v1/leads', 'Content-Length: 2')}{}`, 405],
  ['no Host', lines('GET /api/v1/email/templates HTTP/1.1', 'Connection: close'), 400],
  ['a raw byte in the path', Buffer.from(head('GET /api/v1/\x9b'), 'latin1'), 400],
  ['headers too large', head('GET /api/v1/leads', `X: ${'x'.repeat(20_000)}`), 431],
  ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{}x`, 400],
  ['a chunk size that is none', `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n`, 400],
  ['an end in the headers', 'POST /api/v1/leads HTTP/1.1\r\nHost: x\r\nAuth', 400, /read: HPE_INVALID_EOF/],
  ['an end in the body', `${post('Content-Length: 100')}{"name":`, 400, /read: HPE_INVALID_EOF/],
  ['HTTPS', Buffer.from('160301020001000001fc0303', 'hex'), 400, /is HTTPS, and this port speaks HTTP$/],
  ['no UTF-8', Buffer.from(`${post('Content-Length: 7')}{"\xff":1}`, 'latin1'), 400, /^body is not JSON: /],
])(
  'what is not quite HTTP is refused like any other request: %s',
  async (_what, bytes, status, error = /./) => {
    const reply = await raw(bytes, { half: true });
    expect(reply.statuses).toEqual([status]);
    const message = expect.stringMatching(/./);
    expect(reply.body).toEqual({ success: false, error: expect.stringMatching(error), message });
    expect(reply.text).toMatch(/^content-type: application\/json; charset=utf-8\r$/m);
  },
);

const lead = '{"name":"Lena"}';
const long = `Content-Length: ${lead.length}`;
const templates = '/api/v1/email/templates';

test.each([
  ['HTTP/1.0', lines(`GET ${templates} HTTP/1.0`, 'Authorization: Bearer test_raw'), [200]],
  ['an absolute target', head(`GET http://x${templates}`), [200]],
  ['100-continue', `${post('Expect: 100-continue', long)}${lead}`, [100, 200]],
  ['chunks', `${post('Transfer-Encoding: chunked')}f\r\n${lead}\r\n0\r\n\r\n`, [200]],
  ['two requests at once', lines(`GET ${templates} HTTP/1.1`, ...own) + head(`GET ${templates}`), [200, 200]],
  ['an empty line first', `\r\n${head(`GET ${templates}`)}`, [200]],
])('what is odd is answered if it is right: %s', async (_what, bytes, statuses) => {
  expect((await raw(bytes)).statuses).toEqual(statuses);
});

test('over a thousand header fields hide none behind them', async () => {
  const many = Array.from({ length: 1100 }, (_, at) => `x-${at}: 1`);
  const fields = ['Connection: close', ...many, ...own, jsonType, long];
  expect((await raw(lines('POST /api/v1/leads HTTP/1.1', ...fields) + lead)).statuses).toEqual([200]);
});

const size = 10_000_000;
test.each([
  ['its length', post(`Content-Length: ${size}`), ''],
  ['chunks', `${post('Transfer-Encoding: chunked')}${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
])('a body too large with %s is read to its end from a client that reads then', async (_with, start, end) => {
  const bytes = Buffer.concat([Buffer.from(start), Buffer.alloc(size, 'x'), Buffer.from(end)]);
  expect((await raw(bytes, { half: true })).statuses).toEqual([413]);
});

test('a body too large is answered at its announcement, and the connection goes on with the next request', async () => {
  expect((await raw(post('Content-Length: 99999999999'))).statuses).toEqual([413]);
  const large =
    lines('POST /api/v1/leads HTTP/1.1', ...own, jsonType, 'Content-Length: 2000000') + 'x'.repeat(2_000_000);
  expect((await raw(large + head(`GET ${templates}`))).statuses).toEqual([413, 200]);
});

const runs = isWhole ? 400 : 60;
const line = fc.oneof(
  fc.constantFrom('POST /api/v1/leads', 'PUT /api/v1/leads/1', 'GET /api/v1/%', 'OPTIONS *', 'HEAD /docs/..'),
  fc.constantFrom('GET /', 'DELETE /api/v1/leads/__proto__', 'POST /api/v1/email/send', 'GET /__admin/leads'),
  anyText(30).map((text) => `GET /api/v1/${text}`),
);
const header = fc.oneof(
  fc.constantFrom('Content-Length: 5', 'Transfer-Encoding: chunked', 'Expect: x', 'Prefer: code=', 'Host: x'),
  fc.constantFrom('Authorization: Bearer', jsonType, 'Content-Encoding: br', 'Upgrade: x'),
  fc.string({ maxLength: 30 }),
);
const body = fc.oneof(
  fc.constantFrom('', '{}', '[', '{"name":1}', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '"'),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
const request = fc
  .tuple(line, fc.array(header, { maxLength: 5 }), body)
  .map(([start, headers, text]) =>
    Buffer.from(`${start} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`, 'latin1'),
  );

test('seeded nonsense leaves no 5xx, nothing hanging, and the state as it was', async () => {
  const before = await mock.lead();
  const requests = fc.sample(request, { seed: 7, numRuns: runs });
  for (let start = 0; start < requests.length; start += 50) {
    const send = (bytes: Buffer) => raw(bytes, { half: true });
    for (const { statuses, end } of await Promise.all(requests.slice(start, start + 50).map(send))) {
      expect(end).not.toBe('quiet');
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
    }
  }
  const leads = [{ ...before, updated_at: before.created_at }];
  expect(await mock.read('/leads')).toEqual({ leads, total: 1 });
});
