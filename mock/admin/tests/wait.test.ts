import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { startCheckedMock } from '../../testing/checked-mock.ts';
import { exchange, rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
/** The workspace of a test. */
let key: string;
beforeEach(() => {
  key = mock.key();
});
const wait = (key: string, query = '') => mock.call('GET', `/__admin/outbox/wait?${query}`, { key });
const waitingAt = async (url: string) =>
  ((await exchange(`${url}/__admin/health`, 'GET')).body as { waiting: number }).waiting;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('waiting for messages', () => {
  test.each<[string, string[], number, object]>([
    ['to=B@example.com', [], 200, { messages: [{ id: 'msg_000001', to: 'b@example.com' }], total: 1 }],
    ['to=b@example.com&count=3', ['b', 'c', 'b'], 200, { total: 3 }],
    ['since=CURSOR', ['c'], 200, { messages: [{ to: 'c@example.com' }], total: 1 }],
    ['absent=true&to=c@example.com&timeout_ms=20', [], 200, { messages: [], total: 0 }],
    ['absent=true&to=c@example.com', ['d', 'c'], 409, { messages: [{ to: 'c@example.com' }] }],
  ])('with %s, while mails come for %j, ends with %d', async (query, names, status, body) => {
    await mock.mail(key, { to: 'b@example.com' });
    const { cursor } = (await mock.call('GET', '/__admin/outbox', { key })).body as { cursor: string };
    const waited = wait(key, query.replace('CURSOR', cursor));
    await pause(10);
    for (const name of names) await mock.mail(key, { to: `${name}@example.com` });
    expect(await waited).toMatchObject({ status, body });
  });

  test('times out with 404, naming what came near', async () => {
    await mock.mail(key, { to: 'b@example.com', subject: 'Welcome' });
    await mock.mail(key, { to: 'c@example.com', subject: 'Other' });
    expect(await wait(key, 'to=b@example.com&subject=bye&timeout_ms=20')).toMatchObject({
      status: 404,
      body: {
        error: 'no matching messages arrived within 20 ms',
        near_misses: [
          { message: { id: 'msg_000001' }, failed: ['subject'] },
          { message: { id: 'msg_000002' }, failed: ['to', 'subject'] },
        ],
      },
    });
  });

  test.each<[string, object, string[]]>([
    ['since=CURSOR', { error: 'no matching messages arrived within 5 ms' }, ['since']],
    ['since=CURSOR&subject=bye', {}, ['subject', 'since']],
    ['count=2', { error: '1 of 2 matching messages arrived within 5 ms' }, []],
    ['count=2&since=CURSOR', { error: '0 of 2 matching messages arrived within 5 ms' }, ['since']],
  ])('says of %s what was missed', async (query, said, failed) => {
    await mock.mail(key, { to: 'b@example.com' });
    const { cursor } = (await mock.call('GET', '/__admin/outbox', { key })).body as { cursor: string };
    const missed = await wait(key, `to=b@example.com&timeout_ms=5&${query.replace('CURSOR', cursor)}`);
    expect(missed).toMatchObject({
      status: 404,
      body: { ...said, near_misses: [{ message: { id: 'msg_000001' }, failed }] },
    });
  });

  test('a cursor from before a reset leaves out nothing', async () => {
    for (const subject of ['one', 'two']) await mock.mail(key, { subject });
    const { cursor } = (await mock.call('GET', '/__admin/outbox', { key })).body as { cursor: string };
    await mock.call('POST', '/__admin/reset', { key });
    for (const subject of ['a', 'b', 'c']) await mock.mail(key, { subject });
    expect((await wait(key, `since=${cursor}`)).body).toMatchObject({ total: 3 });
  });

  test('hundreds wait, each for its own', async () => {
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const waited = numbers.map((number) => wait(key, `to=n${number}@example.com&timeout_ms=15000`));
    await pause(100);
    for (const number of numbers) await mock.mail(key, { to: `n${number}@example.com` });
    for (const [number, { body }] of (await Promise.all(waited)).entries())
      expect(body).toMatchObject({ messages: [{ to: `n${number}@example.com` }], total: 1 });
  });

  test('a reset ends it', async () => {
    const waited = wait(key, 'timeout_ms=5000');
    await pause(20);
    await mock.call('POST', '/__admin/reset', { key });
    expect(await waited).toMatchObject({
      status: 409,
      body: { error: 'the workspace was reset during the wait' },
    });
  });

  test('a client that goes leaves its place to others', async () => {
    await using own = await startMock();
    const abort = new AbortController();
    const gone = Array.from({ length: 20 }, () =>
      fetch(`${own.url}/__admin/outbox/wait`, { signal: abort.signal }).catch(() => 'gone'),
    );
    await vi.waitUntil(async () => (await waitingAt(own.url)) === 20);
    abort.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']));
    await vi.waitUntil(async () => (await waitingAt(own.url)) === 0);
  });

  test('the end of the mock ends it', async () => {
    const own = await startCheckedMock();
    const waited = exchange(`${own.url}/__admin/outbox/wait?timeout_ms=60000`, 'GET');
    await vi.waitUntil(async () => (await waitingAt(own.url)) === 1);
    await own.close();
    expect(await waited).toMatchObject({ status: 503, body: { error: 'the mock is stopping' } });
  });

  test.each([
    ['count=0', 'query/count must be a whole number from 1 to 1000'],
    ['timeout_ms=9999999', 'query/timeout_ms must be a whole number from 0 to 120000'],
    ['absent=yes', 'query/absent must be true or false'],
    ['since=x', 'query/since must be the unchanged cursor of an earlier response'],
  ])('%s is refused', async (query, error) => {
    expect(await wait(mock.key(), query)).toMatchObject(rejectedWith(400, error));
  });

  test('an unknown filter names the nearest', async () => {
    expect((await wait(mock.key(), 'too=b')).body).toMatchObject({
      message: expect.stringContaining('Did you mean to?'),
    });
  });
});

test('waiting for requests in vain names what came near, and what it failed', async () => {
  await mock.call('GET', '/api/v1/email/templates', { key });
  await mock.lead(key);
  await mock.call('POST', '/api/v1/leads', { key, body: {} });
  const { cursor } = (await mock.call('GET', '/__admin/requests', { key })).body as { cursor: string };
  const missed = async (query: string) => {
    const { body } = await mock.call('GET', `/__admin/requests/wait?timeout_ms=5&${query}`, { key });
    return (body as { near_misses: { request: { id: string }; failed: string[] }[] }).near_misses.map(
      ({ request, failed }) => [request.id, failed],
    );
  };
  expect(await missed(`method=get&path=/api/v1/leads&since=${cursor}`)).toEqual([
    ['req_000003', ['method', 'since']],
    ['req_000002', ['method', 'since']],
    ['req_000001', ['path', 'since']],
  ]);
  expect(await missed('status=400&count=2')).toMatchObject([['req_000003', []], {}, {}]);
});
