// Workspaces over HTTP, beside what they have in common with those in the same process.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { connectMock, type Mock, type MockWorkspace, type RemoteWorkspace, startMock } from '../index.ts';
import { exchange } from '../testing/mock-server.ts';
import { serve } from '../testing/serve.ts';

let mock: Mock;
let own: MockWorkspace;
let remote: RemoteWorkspace;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());
beforeEach(() => {
  own = mock.workspace();
  remote = connectMock(`${mock.url}/`, { apiKey: own.apiKey });
});

test('reads messages whose ids mean something in a URL', async () => {
  const ids = ['a/b?c', '../reset#', '100%'];
  own.seed({ outbox: ids.map((id) => ({ id, operation: 'sendEmail' })) });
  expect((await remote.outbox.list()).map(({ id }) => id)).toEqual([...ids].reverse());
});

test('lists in one request, and in several where the items are large', async () => {
  const mails = (count: number, html: string) =>
    own.seed({ outbox: Array.from({ length: count }, () => ({ operation: 'sendEmail', html })) });
  const urls: string[] = [];
  const url = await serve(async ({ method = '', url = '' }, response) => {
    urls.push(url);
    const { status, text } = await exchange(mock.url + url, method, { key: own.apiKey });
    response.writeHead(status).end(text);
  });
  const counted = connectMock(url, { apiKey: own.apiKey });
  mails(30, '<p>Hi</p>');
  expect([await counted.outbox.list(), await counted.requests.list()]).toEqual([own.outbox.list(), []]);
  expect(urls.length).toBe(2);
  mails(3, 'x'.repeat(600_000));
  expect(await counted.outbox.list()).toHaveLength(3);
  expect(urls.length).toBeLessThan(6);
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
  const url = await serve((_request, response) => void response.writeHead(status).end('<p>an app</p>'));
  const isNoMock = `the server at ${url} is not a mock of email-leads: no JSON, status`;
  await expect(connectMock(url).reset()).rejects.toThrow(`${isNoMock} 404`);
  status = 200;
  await expect(connectMock(url).outbox.list()).rejects.toThrow(`${isNoMock} 200`);
  const nobody = 'http://127.0.0.1:1';
  await expect(connectMock(nobody).reset()).rejects.toThrow(`no mock answers at ${nobody}: `);
  expect(() => connectMock(`${url}/api/v1`)).toThrow('must end before /api/v1');
  expect(() => connectMock('127.0.0.1:4010')).toThrow(
    'the URL of a mock is, for example, http://127.0.0.1:4010',
  );
  expect(() => connectMock(url, { key: 'a' } as object)).toThrow('Did you mean apiKey?');
});
