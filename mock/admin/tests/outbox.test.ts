import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../mail/template.ts';
import { rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock({ outboxLimit: 3 });
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const unchecked = useMock({ answers: { 'send.address-format': 'unchecked', 'send.from': 'optional' } });

const list = async (key: string, query = '') =>
  (await mock.call('GET', `/__admin/outbox${query}`, { key })).body as {
    messages: Message[];
    total: number;
    dropped: number;
  };

describe('the list', () => {
  test('is newest first, without bodies', async () => {
    await mock.mail(key, { subject: 'one' });
    await mock.mail(key, { subject: 'two', to: 'b@example.com' });
    const { messages, total } = await list(key);
    expect(total).toBe(2);
    expect(messages.map(({ id, subject, to }) => [id, subject, to])).toEqual([
      ['msg_000002', 'two', 'b@example.com'],
      ['msg_000001', 'one', null],
    ]);
    expect(messages[0]).not.toHaveProperty('html');
  });

  test('drops the oldest beyond the limit and says how many', async () => {
    for (const subject of ['one', 'two', 'three', 'four', 'five']) await mock.mail(key, { subject });
    const { messages, total, dropped } = await list(key);
    expect({ total, dropped }).toEqual({ total: 3, dropped: 2 });
    expect(messages.map(({ subject }) => subject)).toEqual(['five', 'four', 'three']);
  });

  test.each([
    ['?to=B@EXAMPLE.COM', ['two']],
    ['?to=*@example.com', ['two']],
    ['?from=A@*.COM', ['two', 'three', 'one']],
    ['?to=*@example.org', []],
    ['?subject=T', ['two', 'three']],
    ['?from=a@example.com&subject=one', ['one']],
    ['?template_id=5', []],
    ['?start=1&limit=1', ['two']],
    ['?start=9', []],
  ])('%s finds %j', async (query, subjects) => {
    for (const subject of ['one', 'three', 'two'])
      await mock.mail(key, { subject, ...(subject === 'two' ? { to: 'b@example.com' } : {}) });
    const { messages } = await list(key, query.replace('start=1', 'start=0'));
    expect(messages.map(({ subject }) => subject)).toEqual(subjects);
  });

  test.each(['?limit=-1', '?limit=x', '?limit=1001', '?start=1.5'])('%s is refused', async (query) => {
    expect(await mock.call('GET', `/__admin/outbox${query}`)).toMatchObject(
      rejectedWith(400, 'must be a whole number'),
    );
  });
});

describe('one message', () => {
  test.each(['latest', 'msg_000001'])('%s is all that was sent, with its links and codes', async (id) => {
    const html = '<a href="https://a.example/?a=1&amp;b=2">Confirm</a> or 123456';
    await mock.mail(key, { html });
    expect(await mock.call('GET', `/__admin/outbox/${id}`, { key })).toMatchObject({
      status: 200,
      body: {
        ...{ id: 'msg_000001', subject: 'Hi', from: 'a@example.com', to: null, html },
        ...{ links: ['https://a.example/?a=1&b=2'], codes: ['123456'] },
      },
    });
  });

  test.each(['nobody', 'latest', '__proto__', '..%2F..', 'x'.repeat(5000), '%00'])(
    '%s is 404 where it is not',
    async (id) => {
      for (const suffix of ['', '/html', '/eml'])
        expect((await mock.call('GET', `/__admin/outbox/${id}${suffix}`, { key: mock.key() })).status).toBe(
          404,
        );
    },
  );

  test('html is shown as it is and kept harmless', async () => {
    const html = '<script>alert(1)</script><img src="https://example.com/x">';
    await mock.mail(key, { html });
    const { headers, text } = await mock.call('GET', '/__admin/outbox/latest/html', { key });
    expect(text).toBe(html);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });
});

describe('eml', () => {
  const emlOf = async (fields: object): Promise<{ headers: string; body: string; raw: string }> => {
    const key = unchecked.key();
    await unchecked.mail(key, { from: undefined, ...fields });
    const { text } = await unchecked.call('GET', '/__admin/outbox/latest/eml', { key });
    const [headers = '', ...body] = text.split('\r\n\r\n');
    return {
      headers: headers.replaceAll(/\r\n[ \t]+/g, ' '),
      body: body.join('\r\n\r\n').trimEnd(),
      raw: text,
    };
  };

  test('has the headers of a mail', async () => {
    const { headers, body } = await emlOf({ from: 'a@example.com', to: 'b@example.com' });
    expect(headers).toMatch(/^From: a@example\.com$/m);
    expect(headers).toMatch(/^To: b@example\.com$/m);
    expect(headers).toMatch(/^Subject: Hi$/m);
    expect(headers).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/m);
    expect(headers).toMatch(/^Message-ID: <msg_000001@email-leads\.invalid>$/m);
    expect(body).toBe('<p>Hi</p>');
    expect((await emlOf({})).headers).not.toMatch(/^(From|To):/m);
  });

  test.each([
    ['=?utf-8?B?aGFjaw==?= plain', '=?utf-8?B?aGFjaw==?= plain'],
    ['x'.repeat(5000), 'x'.repeat(5000)],
    ['Grüße '.repeat(300).trim(), 'Grüße '.repeat(300).trim()],
    ['two  spaces', 'two  spaces'],
    ['a\u0000b\u007f', 'a\u0000b\u007f'],
    ['broken \ud800', 'broken \ufffd'],
    ['a\r\nb', 'a b'],
    ['plain', 'plain'],
    ['word '.repeat(300).trim(), 'word '.repeat(300).trim()],
  ])('keeps the subject %j, on lines that are not too long', async (subject, shown) => {
    const { headers, raw } = await emlOf({ subject });
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThan(998);
    const [, value = ''] = /^Subject: (.*)$/m.exec(headers) ?? [];
    const words = [...value.matchAll(/=\?UTF-8\?B\?(.*?)\?=/g)].map(([, word]) => word ?? '');
    const bytes = words.map((word) => Buffer.from(word, 'base64').toString());
    expect(words.length > 0 ? bytes.join('') : value).toBe(shown);
  });

  test.each([
    ['lena@example.com', 'lena@example.com'],
    ['Lena <lena@example.com>, tom@example.com', 'Lena <lena@example.com>, tom@example.com'],
  ])('to %s is to that', async (to, shown) => {
    const { headers } = await emlOf({ to });
    expect(headers).toContain(`To: ${shown}`);
    expect(headers).not.toContain('As-Sent');
  });

  test.each([
    'just a name',
    'lena@example.com, nobody',
    'a@b.example\r\nBcc: evil@x.example',
    'Friends: a@b.example, evil@x.example;',
    `${'x'.repeat(2000)}@example.com`,
    '',
  ])('to %j, which is no address, is not lost and nobody’s address', async (to) => {
    const { headers, raw } = await emlOf({ to });
    expect(headers).not.toMatch(/^(To|Cc|Bcc):/m);
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThan(998);
    if (to !== '') expect(headers).toMatch(/^X-To-As-Sent: \S/m);
  });

  test('has no bare carriage return', async () => {
    const { raw } = await emlOf({ html: '<p>a\rb\r\nc\nd</p>' });
    expect(raw).toContain('<p>a\r\nb\r\nc\r\nd</p>');
  });

  test.each([
    ['日本', "message.eml\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.eml", '%E6%97%A5%E6%9C%AC'],
    ['grüße', "message.eml\"; filename*=UTF-8''gr%C3%BC%C3%9Fe.eml", 'gr%C3%BC%C3%9Fe'],
    ['a\r\nX: y', "message.eml\"; filename*=UTF-8''a%0D%0AX%3A%20y.eml", 'a%0D%0AX%3A%20y'],
    ['"quoted"', "message.eml\"; filename*=UTF-8''%22quoted%22.eml", '%22quoted%22'],
    ['plain-1', 'plain-1.eml"', 'plain-1'],
  ])('of the message %j has a name', async (id, file, name) => {
    const body = {
      outbox: [{ operation: 'sendEmail', id, html: 'h', created_at: '2016-12-31T23:59:59Z' }],
    };
    expect((await mock.call('PUT', '/__admin/state', { key, body })).status).toBe(200);
    const reply = await mock.call('GET', `/__admin/outbox/${encodeURIComponent(id)}/eml`, { key });
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-disposition': `attachment; filename="${file}` },
    });
    expect(reply.text).toContain(`Message-ID: <${name}@email-leads.invalid>`);
    expect(reply.text).toContain('Date: Sat, 31 Dec 2016 23:59:59 +0000');
  });

  test.each(['subject', 'from', 'to'])('a line break in %s makes no header', async (field) => {
    for (const evil of [
      'x\r\nBcc: evil@example.com',
      'x\nBcc: evil@example.com\n\n<p>',
      'a@b.example\rBcc: e@x.y',
    ]) {
      const { headers, body } = await emlOf({ [field]: evil });
      expect(headers).not.toMatch(/^Bcc:/m);
      expect(body).toBe('<p>Hi</p>');
    }
  });
});

describe('warnings', () => {
  const broken = { html: '<p>Hello {{first_name}}</p><a href="#">Go</a>' };

  test('are in a message with their reasons, and in a list by their ids', async () => {
    await mock.mail(key, broken);
    await mock.mail(key);
    const { messages } = (await list(key)) as unknown as { messages: { warning_ids: string[] }[] };
    expect(messages.map(({ warning_ids }) => warning_ids)).toEqual([
      [],
      ['unresolved-placeholder', 'empty-link'],
    ]);
    const { body } = await mock.call('GET', '/__admin/outbox/msg_000001', { key });
    const { warnings } = body as { warnings: object[] };
    expect(warnings).toEqual([
      expect.objectContaining({ id: 'unresolved-placeholder', what: '{{first_name}} in line 1' }),
      expect.objectContaining({ id: 'empty-link', what: 'a link to # in line 1' }),
    ]);
    const full = (await list(key, '?full=true')).messages as unknown as { warnings: object[] }[];
    expect(full.map((message) => message.warnings)).toEqual([[], warnings]);
  });

  test('select messages, in lists and in waits', async () => {
    const waited = mock.call('GET', '/__admin/outbox/wait?warning=empty-link&timeout_ms=5000', { key });
    await mock.mail(key);
    await mock.mail(key, broken);
    expect(await waited).toMatchObject({ status: 200, body: { total: 1, messages: [{ id: 'msg_000002' }] } });
    expect((await list(key, '?warning=empty-link')).messages.map(({ id }) => id)).toEqual(['msg_000002']);
    expect((await list(key, '?warning=heavy')).total).toBe(0);
    const missed = await mock.call('GET', '/__admin/outbox/wait?warning=heavy&timeout_ms=5', { key });
    expect(missed).toMatchObject({
      status: 404,
      body: {
        near_misses: [
          { message: { warning_ids: [expect.any(String), 'empty-link'] }, failed: ['warning'] },
          { message: { warning_ids: [] } },
        ],
      },
    });
  });

  test.each(['', 'wait'])('a filter that is no rule is refused, with all rules (/%s)', async (path) => {
    const reply = await mock.call('GET', `/__admin/outbox/${path}?warning=empty`.replace('/?', '?'));
    expect(reply).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/^query\/warning must be one of unresolved-placeholder, .*, heavy$/),
      },
    });
  });

  test('are not part of the state', async () => {
    await mock.mail(key, broken);
    const before = await mock.call('GET', '/__admin/state', { key });
    await mock.call('GET', '/__admin/outbox/latest', { key });
    expect((await mock.call('GET', '/__admin/state', { key })).text).toBe(before.text);
    expect(before.text).not.toContain('warning');
  });
});

describe('deleting', () => {
  test('one message leaves the others', async () => {
    await mock.mail(key);
    await mock.mail(key);
    expect((await mock.call('DELETE', '/__admin/outbox/latest', { key })).body).toEqual({
      deleted: 'msg_000002',
    });
    expect((await list(key)).messages.map(({ id }) => id)).toEqual(['msg_000001']);
  });

  test('all of them must be said', async () => {
    await mock.mail(key);
    for (const body of [
      undefined,
      {},
      { all: false },
      { all: 'true' },
      { all: true, to: 'x' },
      [],
      'null',
      '{',
    ]) {
      const refused = await mock.call('DELETE', '/__admin/outbox', {
        key,
        ...(body === undefined ? {} : { body }),
      });
      expect(refused.status).toBe(400);
    }
    expect((await list(key)).total).toBe(1);
    expect((await mock.call('DELETE', '/__admin/outbox', { key, body: { all: true } })).body).toEqual({
      deleted: 1,
    });
    expect((await list(key)).total).toBe(0);
  });
});
