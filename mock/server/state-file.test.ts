import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../index.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const folder = temporaryDirectory();
const file = join(folder, 'state.json');
const start = async (options: MockOptions = {}): Promise<Mock> => {
  const mock = await startMock({ state: file, ...options });
  onTestFinished(() => mock.close().catch(() => undefined));
  return mock;
};
beforeEach(() => rmSync(file, { force: true }));
afterEach(() => vi.restoreAllMocks());

const written = (): string => readFileSync(file, 'utf8');

const addLead = (mock: Mock, name: string, key = mock.apiKey) =>
  mock.fetch('http://localhost/api/v1/leads', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });

test('every workspace is as it was, with its faults, clock, journal, ids and its own seed', async () => {
  const first = await start();
  const other = first.workspace('test_other');
  other.seed({ leads: [{ name: 'Own' }], answers: { 'lead.duplicate': 'rejected' } });
  first.clock.freeze('2026-03-02T10:15:30Z');
  await addLead(first, 'Lena');
  first.faults.set({ operation: 'sendEmail', status: 503, times: 2 });
  const states = [first.state(), other.state()];
  await first.close();

  const second = await start();
  const again = second.workspace('test_other');
  expect([second.state(), again.state()]).toEqual(states);
  expect(await (await addLead(second, 'Tom')).json()).toMatchObject({ data: { lead_id: 'lead_000002' } });
  again.reset();
  expect(again.state().leads).toMatchObject([{ name: 'Own' }]);
  second.reset();
  expect(second.state().leads).toEqual([]);
});

test('changes are written while the mock runs, for one that is killed', async () => {
  const mock = await start();
  await addLead(mock, 'Lena');
  await expect.poll(written).toContain('"Lena"');
  mock.reset();
  await expect.poll(written).not.toContain('"Lena"');
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('the least recently used workspaces come first, so that a full mock drops the same', async () => {
  const mock = await start();
  for (const key of ['test_a', 'test_b', 'test_c', 'test_a']) await addLead(mock, 'Lena', key);
  await mock.close();
  const keys = () => [...written().matchAll(/"key":"(\w+)"/g)].map(([, key]) => key);
  expect(keys()).toEqual(['test_b', 'test_c', 'test_a']);
  await (await start()).close();
  expect(keys()).toEqual(['test_b', 'test_c', 'test_a']);
});

test('an accepted key that may be real is not in the file, and finds its workspace all the same', async () => {
  const acceptKeys = ['sk_live_first', 'test_plain', 'sk_live_second'];
  const first = await start({ acceptKeys });
  await addLead(first, 'First', 'sk_live_first');
  await addLead(first, 'Second', 'sk_live_second');
  await addLead(first, 'Plain', 'test_plain');
  await first.close();
  expect(written()).not.toContain('sk_live');
  expect(written()).toContain('"key":"test_plain"');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

  // Without its key, a workspace stays in the file.
  await (await start({ acceptKeys: ['sk_live_second'] })).close();
  const third = await start({ acceptKeys: acceptKeys.toReversed() });
  const leadsOf = (key: string) => third.workspace(key).state().leads;
  expect(acceptKeys.map(leadsOf)).toMatchObject([
    [{ name: 'First' }],
    [{ name: 'Plain' }],
    [{ name: 'Second' }],
  ]);
});

const content = (workspaces: object[]): string => JSON.stringify({ version: 1, salt: '', workspaces });

test.each([
  ['', /is not one that --state wrote: Unexpected end of JSON input; move it away/],
  ['{"leads":[]}', /: \/leads is not known here; there is version, salt, workspaces; move it away/],
  ['{"version":2,"salt":"","workspaces":[]}', /: \/version must be 1; /],
  [content([{ key: 'test_a' }]), /: \/workspaces\/0\/state is required; /],
  [
    content([{ key: 'test_a', state: { leads: [{ name: 7 }] } }]),
    /: \/workspaces\/0: \/leads\/0\/name must be/,
  ],
])('a file with %j refuses to start, and stays as it is', async (text, message) => {
  writeFileSync(file, text);
  const said = await start().then(String, (error: Error) => error.message);
  expect(said).toMatch(message);
  expect(said).not.toContain('\n');
  expect(written()).toBe(text);
});

test('a place that cannot be written refuses to start, and a mock that cannot listen writes none', async () => {
  const lost = join(folder, 'no', 'such.json');
  await expect(start({ state: lost })).rejects.toThrow('its folder does not exist');
  await expect(start({ state: folder })).rejects.toThrow('is a directory');
  await using other = await startMock();
  await expect(start({ port: other.port })).rejects.toThrow('is taken');
  expect(existsSync(file)).toBe(false);
});

test('a file that can no longer be written is named once while the mock runs, and by close', async () => {
  const own = temporaryDirectory();
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const mock = await start({ state: join(own, 'state.json') });
  rmSync(own, { recursive: true });
  await addLead(mock, 'Lena');
  await expect.poll(() => said.mock.calls.flat()).toHaveLength(1);
  expect(said.mock.calls.flat()[0]).toMatch(/the state .+ cannot be written: its folder does not exist$/);
  await expect(mock.close()).rejects.toThrow('cannot be written');
});
