import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connectMock, type MockWorkspace, startMock } from '../index.ts';
import { exchange } from '../testing/mock-server.ts';
import { serve, temporaryDirectory } from '../testing/temporary.ts';

test('the mock itself is the workspace of test_key, or of the first key that is listed', async () => {
  await using mock = await startMock();
  await exchange(`${mock.url}/api/v1/leads`, 'POST', { body: { name: 'Lena' } });
  expect([mock.apiKey, mock.state().leads.length]).toEqual(['test_key', 1]);
  expect(mock.workspace().state().leads).toEqual([]);
  await using listed = await startMock({ acceptKeys: ['sk_1', 'sk_2'] });
  expect([listed.apiKey, listed.workspace('sk_2').apiKey]).toEqual(['sk_1', 'sk_2']);
  for (const key of ['sk_3', undefined]) expect(() => listed.workspace(key)).toThrow(/key|acceptKeys/);
});

test('what is handed out may be changed without changing anything', async () => {
  await using mock = await startMock();
  const own = mock.workspace();
  own.seed({ outbox: [{ operation: 'sendEmail', subject: '{{name}}' }] });
  const before = structuredClone([own.outbox.list(), mock.workspace().state().templates]);
  Object.assign(own.outbox.latest() ?? {}, { to: 'changed' });
  Object.assign(own.outbox.latest()?.warnings[0] ?? {}, { id: 'changed' });
  for (const template of mock.workspace().state().templates) Object.assign(template, { name: 'changed' });
  expect(structuredClone([own.outbox.list(), mock.workspace().state().templates])).toEqual(before);
});

test('a wait ends with a reset, or with the mock', async () => {
  const mock = await startMock();
  const reset = expect(mock.requests.waitFor()).rejects.toThrow('the workspace was reset during the wait');
  mock.reset();
  await reset;
  const closed = expect(mock.requests.waitFor()).rejects.toThrow('the mock was closed during the wait');
  await mock.close();
  await closed;
});

test('a reset reads a changed seed file again, in every way, and refuses one that is none', async () => {
  const file = join(temporaryDirectory(), 'seed.json');
  const write = (...names: string[]) =>
    writeFileSync(file, JSON.stringify({ leads: names.map((name) => ({ name })) }));
  write('first');
  await using mock = await startMock({ seed: file });
  const workspace = mock.workspace();
  const namesOf = ({ state }: MockWorkspace) => state().leads.map(({ name }) => name);
  expect(namesOf(workspace)).toEqual(['first']);
  write('second', 'third');
  expect(namesOf(mock)).toEqual(['first']);
  workspace.reset();
  for (const each of [workspace, mock.workspace()]) expect(namesOf(each)).toEqual(['second', 'third']);
  write('fourth and last');
  mock.reset();
  expect([namesOf(mock), namesOf(workspace)]).toEqual([['fourth and last'], ['second', 'third']]);
  write('fifth', 'sixth', 'seventh');
  await connectMock(mock.url, { apiKey: workspace.apiKey }).reset();
  expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
  writeFileSync(file, '{"leads": [{"nme": "x"}]}');
  expect(() => workspace.reset()).toThrow(/seed\.json: .*did you mean name\?/);
  const reset = await exchange(`${mock.url}/__admin/reset`, 'POST', { key: workspace.apiKey });
  const error = expect.stringMatching(/seed\.json: .*did you mean name\?/);
  const message = expect.stringMatching(/^Nothing was reset/);
  expect(reset).toMatchObject({ status: 409, body: { error, message } });
  expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
  // One with a seed of its own does not need the file.
  workspace.seed({});
  expect(workspace.reset()).toBeUndefined();
});

test('lists in one request, and in several where the items are large', async () => {
  await using mock = await startMock();
  const own = mock.workspace();
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
  await using mock = await startMock();
  const remote = connectMock(`${mock.url}/`);
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
  expect(() => connectMock('127.0.0.1:4010')).toThrow('URL of a mock is, for example, http://127.0.0.1:4010');
  expect(() => connectMock(url, { key: 'a' } as object)).toThrow('did you mean apiKey?');
});
