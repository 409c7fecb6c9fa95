import { expect, test } from 'vitest';
import { startMock } from '../../index.ts';
import type { Message } from '../../mail/template.ts';
import { exchange, useMock } from '../../testing/mock-server.ts';

const mock = useMock({ outboxLimit: 4 });
const unchecked = useMock({ answers: { 'send.address-format': 'unchecked', 'send.from': 'optional' } });

type Listed = Message & { readonly warning_ids: string[]; readonly warnings: object[] };
const list = async (query = '') => (await mock.read<{ messages: Listed[] }>(`/outbox${query}`)).messages;

test('the list is newest first, without bodies, and drops the oldest beyond the limit', async () => {
  for (const subject of ['one', 'two', 'three', 'four', 'five', 'six']) await mock.mail({ subject });
  expect(await mock.read('/outbox')).toMatchObject({ total: 4, dropped: 2 });
  const messages = await list();
  expect(messages.map(({ subject }) => subject)).toEqual(['six', 'five', 'four', 'three']);
  expect(messages[0]).toMatchObject({ id: 'msg_000006' });
  expect(messages[0]).not.toHaveProperty('html');
});

test.each([
  ['?to=B@EXAMPLE.COM', ['two']],
  ['?to=*@example.com', ['two']],
  ['?from=A@*.COM', ['two', 'three', 'one']],
  ['?to=*@example.org', []],
  ['?subject=T&from=a@example.com', ['two', 'three']],
  ['?template_id=5', []],
  ['?start=1&limit=1', ['three']],
])('the list: %s finds %j', async (query, subjects) => {
  for (const subject of ['one', 'three', 'two'])
    await mock.mail({ subject, ...(subject === 'two' ? { to: 'b@example.com' } : {}) });
  expect((await list(query)).map(({ subject }) => subject)).toEqual(subjects);
});

test.each(['latest', '__proto__', '..%2F..', 'x'.repeat(5000), '%00'])('nothing is at %s', async (id) => {
  for (const path of [`/outbox/${id}`, `/outbox/${id}/html`, `/outbox/${id}/eml`, `/requests/${id}`])
    expect((await mock.admin('GET', path)).status).toBe(404);
});

test('the HTML of a message is shown as it is and kept harmless; in a frame its doctype stays in front, and pages behind links are not restricted', async () => {
  const html = '<script>alert(1)</script><img src="https://example.com/x">';
  await mock.mail({ html });
  const { headers, text } = await mock.admin('GET', '/outbox/latest/html');
  expect(text).toBe(html);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  await mock.mail({ html: ' <!DOCTYPE html><p>Hi' });
  const framed = await mock.admin('GET', '/outbox/msg_000002/preview');
  expect(framed.text).toBe(' <!DOCTYPE html><base target="_blank"><p>Hi');
  const policy = /sandbox allow-popups allow-popups-to-escape-sandbox$/;
  expect(framed.headers['content-security-policy']).toMatch(policy);
});

const emlOf = async (fields: object): Promise<{ headers: string; body: string }> => {
  await unchecked.mail({ from: undefined, ...fields });
  const { text } = await unchecked.admin('GET', '/outbox/latest/eml');
  for (const line of text.split('\r\n')) expect(line.length).toBeLessThan(998);
  const [headers = '', ...body] = text.split('\r\n\r\n');
  const unfolded = headers.replaceAll(/\r\n[ \t]+/g, ' ');
  return { headers: unfolded, body: Buffer.from(body.join(''), 'base64').toString() };
};

test('eml has the headers of a mail, and its HTML', async () => {
  const addresses = { from: 'a@example.com', to: 'b@example.com' };
  const { headers, body } = await emlOf({ ...addresses, html: 'a\rb\r\nc\nd' });
  for (const header of [
    /^From: a@example\.com$/m,
    /^To: b@example\.com$/m,
    /^Subject: Hi$/m,
    /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/m,
    /^Message-ID: <msg_000001@email-leads\.invalid>$/m,
  ])
    expect(headers).toMatch(header);
  expect(body).toBe('a\rb\r\nc\nd');
  expect((await emlOf({})).headers).not.toMatch(/^(From|To):/m);
});

test.each([
  ['=?utf-8?B?aGFjaw==?= plain', '=?utf-8?B?aGFjaw==?= plain'],
  ['x'.repeat(5000), 'x'.repeat(5000)],
  ['Grüße '.repeat(300).trim(), 'Grüße '.repeat(300).trim()],
  ['broken \ud800', 'broken \ufffd'],
  ['a\r\nb', 'a b'],
])('eml keeps the subject %j, on lines that are not too long', async (subject, shown) => {
  const { headers } = await emlOf({ subject });
  const [, value = ''] = /^Subject: (.*)$/m.exec(headers) ?? [];
  const words = [...value.matchAll(/=\?UTF-8\?B\?(.*?)\?=/g)].map(([, word]) => word ?? '');
  const bytes = words.map((word) => Buffer.from(word, 'base64').toString());
  expect(words.length > 0 ? bytes.join('') : value).toBe(shown);
});

test.each([
  'just a name',
  'Lena <lena@example.com>, tom@example.com',
  'a@b.example\r\nBcc: evil@x.example',
  'Friends: a@b.example, evil@x.example;',
  `${'x'.repeat(2000)}@example.com`,
])('eml to and from %j, which is no address, are not lost and nobody’s address', async (text) => {
  const { headers, body } = await emlOf({ to: text, from: text });
  expect(headers).not.toMatch(/^(To|From|Cc|Bcc):/m);
  expect(headers).toMatch(/^X-To-As-Sent: \S/m);
  expect(body).toBe('<p>Hi</p>');
});

test('eml is named after the id of its message, whatever that is', async () => {
  const [id, name] = ['a\r\nX: ü', 'a__X___'];
  const message = { operation: 'sendEmail', id, html: 'h', created_at: '2016-12-31T23:59:59Z' };
  await mock.admin('PUT', '/state', { body: { outbox: [message] } });
  const { headers, text } = await mock.admin('GET', `/outbox/${encodeURIComponent(id)}/eml`);
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}.eml"`);
  expect(text).toContain(`Message-ID: <${name}@email-leads.invalid>`);
  expect(text).toContain('Date: Sat, 31 Dec 2016 23:59:59 +0000');
});

const wait = (query = '') => mock.admin('GET', `/outbox/wait?${query}`);
const isWaiting = (waiting: number, url = mock.url) =>
  expect.poll(async () => (await exchange(`${url}/__admin/health`, 'GET')).body).toMatchObject({ waiting });
const cursorOf = async (path: string) => (await mock.read<{ cursor: string }>(path)).cursor;

test('a wait leaves out what came before a cursor, and nothing where a reset came after it', async () => {
  for (const to of ['a@example.com', 'b@example.com']) await mock.mail({ to });
  const cursor = await cursorOf('/outbox');
  const waited = wait(`since=${cursor}`);
  await isWaiting(1);
  await mock.mail({ to: 'c@example.com' });
  expect((await waited).body).toMatchObject({ messages: [{ to: 'c@example.com' }], total: 1 });
  await mock.admin('POST', '/reset');
  for (const subject of ['a', 'b', 'c']) await mock.mail({ subject });
  expect((await wait(`since=${cursor}`)).body).toMatchObject({ total: 3 });
});

test('a wait in vain says what was missed, the nearest first, of these the newest', async () => {
  for (const name of ['b', 'b', 'c']) await mock.mail({ to: `${name}@example.com` });
  const since = await cursorOf('/outbox');
  expect(await wait(`to=b@example.com&subject=bye&timeout_ms=5&since=${since}`)).toMatchObject({
    status: 404,
    body: {
      error: 'no matching messages arrived within 5 ms',
      near_misses: [
        { message: { id: 'msg_000002' }, failed: ['subject', 'since'] },
        { message: { id: 'msg_000001' }, failed: ['subject', 'since'] },
        { message: { id: 'msg_000003' }, failed: ['to', 'subject', 'since'] },
      ],
    },
  });
});

test('a client that goes leaves its place to others who wait', async () => {
  await using own = await startMock();
  const abort = new AbortController();
  const gone = fetch(`${own.url}/__admin/outbox/wait`, { signal: abort.signal }).catch(() => 'gone');
  await isWaiting(1, own.url);
  abort.abort();
  expect(await gone).toBe('gone');
  await isWaiting(0, own.url);
});
