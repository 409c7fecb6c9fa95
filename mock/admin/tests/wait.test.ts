import { describe, expect, test, vi } from 'vitest';
import { startMock } from '../../index.ts';
import { exchange, rejectedWith, useMock } from '../../testing/mock-server.ts';

const mock = useMock();
const wait = (query = '') => mock.admin('GET', `/outbox/wait?${query}`);
const waitingAt = async (url: string) =>
  ((await exchange(`${url}/__admin/health`, 'GET')).body as { waiting: number }).waiting;
const isWaiting = (count: number, url = mock.url) =>
  vi.waitUntil(async () => (await waitingAt(url)) === count);
const cursorOf = async (path: string) => (await mock.read<{ cursor: string }>(path)).cursor;

describe('waiting for messages', () => {
  test.each<[string, string[], number, object]>([
    ['to=B@example.com', [], 200, { messages: [{ id: 'msg_000001', to: 'b@example.com' }], total: 1 }],
    ['to=b@example.com&count=3', ['b', 'c', 'b'], 200, { total: 3 }],
    ['since=CURSOR', ['c'], 200, { messages: [{ to: 'c@example.com' }], total: 1 }],
    ['absent=true&to=c@example.com&timeout_ms=20', [], 200, { messages: [], total: 0 }],
    ['absent=true&to=c@example.com', ['d', 'c'], 409, { messages: [{ to: 'c@example.com' }] }],
  ])('with %s, while mails come for %j, ends with %d', async (query, names, status, body) => {
    await mock.mail({ to: 'b@example.com' });
    const waited = wait(query.replace('CURSOR', await cursorOf('/outbox')));
    if (names.length > 0) await isWaiting(1);
    for (const name of names) await mock.mail({ to: `${name}@example.com` });
    expect(await waited).toMatchObject({ status, body });
  });

  test.each<[string, object, string[]]>([
    ['subject=bye', { error: 'no matching messages arrived within 5 ms' }, ['subject']],
    ['since=CURSOR', {}, ['since']],
    ['since=CURSOR&subject=bye', {}, ['subject', 'since']],
    ['count=2', { error: '1 of 2 matching messages arrived within 5 ms' }, []],
    ['count=2&since=CURSOR', { error: '0 of 2 matching messages arrived within 5 ms' }, ['since']],
  ])('in vain, says of %s what was missed, the nearest first', async (query, said, failed) => {
    await mock.mail({ to: 'b@example.com' });
    await mock.mail({ to: 'c@example.com' });
    const cursor = await cursorOf('/outbox');
    expect(await wait(`to=b@example.com&timeout_ms=5&${query.replace('CURSOR', cursor)}`)).toMatchObject({
      status: 404,
      body: {
        ...said,
        near_misses: [
          { message: { id: 'msg_000001' }, failed },
          { message: { id: 'msg_000002' }, failed: ['to', ...failed] },
        ],
      },
    });
  });

  test('a cursor from before a reset leaves out nothing', async () => {
    for (const subject of ['one', 'two']) await mock.mail({ subject });
    const cursor = await cursorOf('/outbox');
    await mock.admin('POST', '/reset');
    for (const subject of ['a', 'b', 'c']) await mock.mail({ subject });
    expect((await wait(`since=${cursor}`)).body).toMatchObject({ total: 3 });
  });

  test('a client that goes leaves its place to others, and the end of the mock ends it', async () => {
    const own = await startMock();
    const abort = new AbortController();
    const gone = fetch(`${own.url}/__admin/outbox/wait`, { signal: abort.signal }).catch(() => 'gone');
    await isWaiting(1, own.url);
    abort.abort();
    expect(await gone).toBe('gone');
    await isWaiting(0, own.url);
    const waited = exchange(`${own.url}/__admin/outbox/wait?timeout_ms=60000`, 'GET');
    await isWaiting(1, own.url);
    await own.close();
    expect(await waited).toMatchObject(rejectedWith(503, 'the mock was closed during the wait'));
  });

  test('a reset ends it', async () => {
    const waited = wait('timeout_ms=5000');
    await isWaiting(1);
    await mock.admin('POST', '/reset');
    expect(await waited).toMatchObject(rejectedWith(409, 'the workspace was reset during the wait'));
  });

  test.each([
    ['count=0', 'query/count must be a whole number from 1 to 1000'],
    ['timeout_ms=9999999', 'query/timeout_ms must be a whole number from 0 to 120000'],
    ['absent=yes', 'query/absent must be true or false'],
    ['since=x', 'query/since must be the unchanged cursor of an earlier response'],
    ['warning=empty', 'query/warning must be one of unresolved-placeholder, '],
    ['to=a&to=b', 'query/to is given 2 times'],
    ['too=b', 'query/too is not known here'],
  ])('%s is refused', async (query, error) => {
    expect(await wait(query)).toMatchObject(rejectedWith(400, error));
  });
});

test('waiting for requests in vain names what came near, and what it failed', async () => {
  await mock.call('GET', '/api/v1/email/templates');
  await mock.lead();
  await mock.call('POST', '/api/v1/leads', { body: {} });
  const cursor = await cursorOf('/requests');
  const missed = async (query: string) => {
    type Missed = { near_misses: { request: { id: string }; failed: string[] }[] };
    const { near_misses } = await mock.read<Missed>(`/requests/wait?timeout_ms=5&${query}`);
    return near_misses.map(({ request, failed }) => [request.id, failed]);
  };
  expect(await missed(`method=get&path=/api/v1/leads&since=${cursor}`)).toEqual([
    ['req_000003', ['method', 'since']],
    ['req_000002', ['method', 'since']],
    ['req_000001', ['path', 'since']],
  ]);
  expect(await missed('status=400&count=2')).toMatchObject([['req_000003', []], {}, {}]);
});
