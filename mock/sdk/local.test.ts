// Workspaces of a mock in the same process, beside what they have in common with those over HTTP.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectMock, type MockWorkspace, startMock } from '../index.ts';
import { exchange } from '../testing/mock-server.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

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
  expect([namesOf(workspace), namesOf(mock.workspace())]).toEqual([
    ['second', 'third'],
    ['second', 'third'],
  ]);
  write('fourth and last');
  mock.reset();
  expect([namesOf(mock), namesOf(workspace)]).toEqual([['fourth and last'], ['second', 'third']]);
  write('fifth', 'sixth', 'seventh');
  await connectMock(mock.url, { apiKey: workspace.apiKey }).reset();
  expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
  writeFileSync(file, '{"leads": [{"nme": "x"}]}');
  expect(() => workspace.reset()).toThrow(/seed\.json: .*did you mean name\?/);
  expect(await exchange(`${mock.url}/__admin/reset`, 'POST', { key: workspace.apiKey })).toMatchObject({
    status: 409,
    body: {
      error: expect.stringMatching(/seed\.json: .*did you mean name\?/),
      message: expect.stringMatching(/^Nothing was reset/),
    },
  });
  expect(namesOf(workspace)).toEqual(['fifth', 'sixth', 'seventh']);
});
