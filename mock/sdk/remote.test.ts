// A workspace of a mock in another process: here of one in the same, asked over HTTP only.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectMock, type Mock, type MockWorkspace, type RemoteWorkspace } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { exchange } from '../testing/mock-server.ts';

let mock: Mock;
let own: MockWorkspace;
let remote: RemoteWorkspace;
beforeAll(async () => {
  mock = await startCheckedMock();
});
afterAll(() => mock.close());
beforeEach(() => {
  own = mock.workspace();
  remote = connectMock(`${mock.url}/`, { apiKey: own.apiKey });
});

const send = (to: string) =>
  exchange(`${remote.url}/api/v1/email/send`, 'POST', {
    key: remote.apiKey,
    body: { from: 'a@example.com', to, subject: 'Hi', html: '<p>Your code is 123456</p>' },
  });
const add = (name = 'Lena') =>
  exchange(`${remote.url}/api/v1/leads`, 'POST', { key: remote.apiKey, body: { name } });

test('has what a workspace in the same process has', () => {
  const names = (part: object): object =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'object' ? names(value) : typeof value,
      ]),
    );
  expect(names(remote)).toEqual({ ...names(own), url: 'string' });
});

test('reads the same as the workspace itself', async () => {
  for (const to of ['lena@example.com', 'ada@example.com']) await send(to);
  await add();
  expect(await remote.outbox.list()).toEqual(own.outbox.list());
  expect(await remote.outbox.latest({ to: 'LENA@example.com' })).toEqual(own.outbox.list()[1]);
  expect(await remote.outbox.latest({ to: 'x@example.com' })).toBeUndefined();
  expect(await remote.requests.list({ operation: 'sendEmail' })).toEqual(
    own.requests.list({ operation: 'sendEmail' }),
  );
  expect((await remote.requests.latest())?.request.json).toEqual({ name: 'Lena' });
  expect(await remote.requests.count({ status: 200, path: '/api/v1/leads' })).toBe(1);
  expect(await remote.state()).toEqual(own.state());
  expect(await remote.answers.get()).toEqual(own.answers.get());
});

test('says what is probably wrong with a mail, and finds mails by it', async () => {
  await send('lena@example.com');
  await exchange(`${remote.url}/api/v1/email/send`, 'POST', {
    key: remote.apiKey,
    body: { from: 'a@example.com', subject: 'Hi {{name}}', html: '<p>Hi</p>' },
  });
  const unresolved = await remote.outbox.list({ warning: 'unresolved-placeholder' });
  expect(unresolved).toEqual(own.outbox.list({ warning: 'unresolved-placeholder' }));
  expect(unresolved.map(({ warnings }) => warnings[0]?.what)).toEqual(['{{name}} in the subject']);
});

test('reads messages whose ids mean something in a URL', async () => {
  const ids = ['a/b?c', '../reset#', '100%'];
  own.seed({ outbox: ids.map((id) => ({ id, operation: 'sendEmail' })) });
  expect((await remote.outbox.list()).map(({ id }) => id)).toEqual([...ids].reverse());
});

test('lists in one request, and in several where the items are large', async () => {
  for (let sent = 0; sent < 30; sent += 1) await send('lena@example.com');
  const urls: string[] = [];
  const inBetween = createServer(async ({ method = '', url = '' }, response) => {
    urls.push(url);
    const { status, text } = await exchange(mock.url + url, method, { key: own.apiKey });
    response.writeHead(status).end(text);
  });
  await new Promise<void>((done) => inBetween.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(inBetween.address() as AddressInfo).port}`;
  const counted = connectMock(url, { apiKey: own.apiKey });
  expect([await counted.outbox.list(), await counted.requests.list()]).toEqual([
    own.outbox.list(),
    own.requests.list(),
  ]);
  expect(urls.length).toBe(2);
  own.seed({
    outbox: Array.from({ length: 5 }, () => ({ operation: 'sendEmail', html: 'x'.repeat(600_000) })),
  });
  expect(await counted.outbox.list()).toHaveLength(5);
  expect(urls.length).toBeLessThan(8);
  await new Promise((done) => inBetween.close(done));
});

test('changes the workspace itself', async () => {
  await remote.answers.set({ 'lead.note': 'required' });
  expect(own.answers.get()).toMatchObject({ 'lead.note': 'required' });
  await remote.faults.set({ operation: 'addLead', status: 503, times: 1 });
  expect((await add()).status).toBe(503);
  expect(await remote.faults.list()).toEqual(own.faults.list());
  await remote.faults.clear();
  await send('lena@example.com');
  await remote.outbox.clear();
  await remote.requests.clear();
  expect(own.state()).toMatchObject({ outbox: [], requests: [], faults: [] });
  await remote.seed({ leads: [{ name: 'Ada' }] });
  await remote.answers.set({ 'lead.note': null });
  await add();
  expect(await remote.reset()).toBeUndefined();
  expect(own.state().leads).toMatchObject([{ name: 'Ada' }]);
});

test('moves its clock', async () => {
  await remote.clock.freeze(Date.UTC(2026, 2, 2));
  await remote.clock.advance(1000);
  expect(await remote.clock.now()).toEqual({ now: '2026-03-02T00:00:01.000Z', frozen: true });
  await remote.clock.set(new Date('2030-01-01T00:00:00Z'));
  expect(own.clock.now()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true });
  await remote.clock.reset();
  await remote.clock.freeze();
  expect(await remote.clock.now()).toMatchObject({ frozen: true });
});

describe('waits', () => {
  test('for what comes', async () => {
    const waiting = remote.outbox.waitFor(
      { to: 'lena@example.com' },
      { count: 2, timeout: Number.POSITIVE_INFINITY },
    );
    const asked = remote.requests.waitFor({ operation: 'addLead' });
    for (const to of ['lena@example.com', 'ada@example.com', 'lena@example.com']) await send(to);
    await add();
    expect((await waiting).map(({ id }) => id)).toEqual(['msg_000003', 'msg_000001']);
    expect((await asked)[0]).toMatchObject({ status: 200, request: { json: { name: 'Lena' } } });
  });

  test('in vain', async () => {
    await expect(remote.outbox.waitFor({}, { timeout: 5 })).rejects.toThrow(
      'not found within 5 ms: a message with {}; there was nothing',
    );
    await send('ada@example.com');
    await expect(remote.outbox.waitFor({ to: 'x@example.com' }, { timeout: 5 })).rejects.toThrow(
      'a message with {"to":"x@example.com"}; the nearest are msg_000001 to ada@example.com "Hi"',
    );
    await expect(remote.requests.waitFor({ operation: 'addLead' }, { timeout: 5 })).rejects.toThrow(
      'a request with {"operation":"addLead"}; the nearest are POST /api/v1/email/send → 200',
    );
  });

  test('for none', async () => {
    await remote.outbox.waitForNone({}, { timeout: 5 });
    await remote.requests.waitForNone({ operation: 'addLead' }, { timeout: 5 });
    await send('ada@example.com');
    await expect(remote.outbox.waitForNone()).rejects.toThrow(
      'found, but none was expected: a message with {} is msg_000001 to ada@example.com "Hi"',
    );
  });

  test('until the workspace is reset', async () => {
    const waiting = expect(remote.outbox.waitFor()).rejects.toThrow(
      'the workspace was reset during the wait',
    );
    await new Promise((done) => setTimeout(done, 50));
    own.reset();
    await waiting;
  });
});

test.each<[string, (of: RemoteWorkspace) => Promise<unknown>, string]>([
  [
    'a filter',
    ({ outbox }) => outbox.list({ too: 'x' } as object),
    'too is not known in a filter of messages',
  ],
  ['an operation', ({ requests }) => requests.count({ operation: 'addLaed' }), 'Did you mean addLead?'],
  // @ts-expect-error: TypeScript knows as well
  ['a rule', ({ faults }) => faults.set({ operation: 'addLaed', status: 503 }), 'did you mean addLead?'],
  ['a time', ({ clock }) => clock.freeze('soon'), 'body/now must be an ISO 8601 time'],
  ['an answer', ({ answers }) => answers.set({ 'send.to': 'maybe' as never }), 'send.to cannot be "maybe"'],
])('%s that is none is refused in the words of the mock', async (_what, use, message) => {
  await expect(use(remote)).rejects.toThrow(message);
});

test('asks with no fetch of the test, and under its fake timers', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('a fake')));
  vi.useFakeTimers();
  expect(await remote.requests.count()).toBe(0);
  await expect(remote.outbox.waitFor({}, { timeout: 5 })).rejects.toThrow('not found within 5 ms');
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('says that there is no mock', async () => {
  let status = 404;
  const other = createServer((_request, response) => void response.writeHead(status).end('<p>an app</p>'));
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const isNoMock = `the server at ${url} is not a mock of email-leads: no JSON, status`;
  await expect(connectMock(url).reset()).rejects.toThrow(`${isNoMock} 404`);
  status = 200;
  await expect(connectMock(url).outbox.list()).rejects.toThrow(`${isNoMock} 200`);
  await new Promise((done) => other.close(done));
  await expect(connectMock(url).reset()).rejects.toThrow(`no mock answers at ${url}: ECONNREFUSED`);
  expect(() => connectMock(`${url}/api/v1`)).toThrow('must end before /api/v1');
  expect(() => connectMock('127.0.0.1:4010')).toThrow(
    'the URL of a mock is, for example, http://127.0.0.1:4010',
  );
  expect(() => connectMock(url, { key: 'a' } as object)).toThrow('Did you mean apiKey?');
});
