import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { assumedAnswers } from '../contract/questions.ts';
import { type Mock, type MockOptions, type StateDocument, startMock } from '../index.ts';
import { createContext } from '../service/service.ts';
import { exchangeByFetch } from '../testing/mock-server.ts';
import { temporaryDirectory, temporaryFile } from '../testing/temporary.ts';
import { createSeedReader } from './seed.ts';

/** Workspaces with the seed in a file of this text, and the seed. */
const read = (text: string, name = 'seed.yaml'): StateDocument => {
  const readSeed = createSeedReader(temporaryFile(text, name));
  let seed: StateDocument = {};
  readSeed((given) => {
    createContext({ answers: assumedAnswers(), version: '', seed: given });
    seed = given;
  });
  return seed;
};

test.each([
  ['a.json', '{"leads": [{"name": "Lena"}]}'],
  ['a.yaml', 'leads:\n  - name: Lena\n'],
  ['bom.json', '\uFEFF{"leads": [{"name": "Lena"}]}'],
  ['empty.yaml', ''],
])('%s is read', (name, text) => {
  expect(read(text, name)).toEqual(text === '' ? {} : { leads: [{ name: 'Lena' }] });
});

/** A list of nine texts, and eight lists of nine aliases of the one before. */
const multiplying = Array.from({ length: 9 }, (_, depth) => {
  const item = depth === 0 ? 'x, ' : `*a${depth - 1}, `;
  return `a${depth}: &a${depth} [${item.repeat(9)}]\n`;
}).join('');

test.each<[string, string]>([
  ['leads:\n  - name: Lena\n  - nam: Tom\n', ': /leads/1/nam is not known here; did you mean name?'],
  ['{\n  "leads": [],\n  "clock": {\n    "now": "noon"\n  }\n}', ': /clock/now must be an ISO 8601 time'],
  ['leads:\n  - name: a\n    name: b\n', ': line 3: Map keys must be unique'],
  ['leads: [\n', 'Flow sequence'],
  ['leads: []\n---\nleads: []\n', ': line 2: Source contains multiple documents'],
  ['leads: []\n? [a]\n: 1\n', ': /[ a ] is not known here'],
  ['leads: &a [{ name: x }]\n? *a\n: 1\n', ': /*a is not known here'],
  [
    'leads:\n  - name: a\n  - *nobody\n',
    'seed.yaml: Unresolved alias (the anchor must be set before the alias): nobody; write out what',
  ],
  ['faults:\n  - status: 500\n    body: &b [*b, *b]\n', 'seed.yaml: Converting circular structure'],
  ['- 1\n', ': the document must be object'],
  [
    multiplying,
    'seed.yaml: Excessive alias count indicates a resource exhaustion attack; write out what its aliases (*name) repeat',
  ],
])('%j is refused with its place', (text, error) => {
  expect(() => read(text)).toThrow(error);
});

test('YAML of more than a mebibyte is refused, and JSON is not', () => {
  expect(() => read(`x: "${'x'.repeat(1024 * 1024)}"`)).toThrow(
    /seed\.yaml is larger than 1048576 characters and is not JSON: .+; only JSON may be that large$/,
  );
  const leads = Array.from({ length: 20_000 }, () => ({ name: 'x'.repeat(60) }));
  expect(read(JSON.stringify({ leads })).leads).toHaveLength(20_000);
  expect(() => read(JSON.stringify({ leads, lead: 1 }), 'large.json')).toThrow(
    'large.json: /lead is not known here; did you mean leads?',
  );
  expect(() => read(`"${'x'.repeat(16 * 1024 * 1024)}"`)).toThrow('seed.yaml is larger than 16777216 bytes');
});

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
  exchangeByFetch(mock.fetch, 'http://localhost/api/v1/leads', 'POST', { key, body: { name } });

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
  expect((await addLead(second, 'Tom')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
  again.reset();
  expect(again.state().leads).toMatchObject([{ name: 'Own' }]);
  second.reset();
  expect(second.state().leads).toEqual([]);
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
  const namesOf = (key: string) =>
    third
      .workspace(key)
      .state()
      .leads.map(({ name }) => name)
      .join();
  expect(acceptKeys.map(namesOf)).toEqual(['First', 'Plain', 'Second']);
});

const content = (workspaces: object[]): string => JSON.stringify({ version: 1, salt: '', workspaces });

test.each([
  ['', /is not one that --state wrote: Unexpected end of JSON input; move it away/],
  ['{"leads":[]}', /: \/leads is not known here; there is version, salt, workspaces; move it away/],
  ['{"version":2,"salt":"","workspaces":[]}', /: \/version must be 1; /],
  [content([{ key: 'test_a' }]), /: \/workspaces\/0\/state is required; /],
  [content([{ key: 'test_a', state: { leads: [{ name: 7 }] } }]), /: \/workspaces\/0: \/leads\/0\/name must/],
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

test('two mocks with one file each say that the other one wrote it', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [first, second] = [await start(), await start()];
  for (const [mock, times] of [
    [first, 1],
    [second, 2],
    [second, 2],
  ] as const) {
    await addLead(mock, `Lead ${times}`);
    await expect.poll(written).toContain(`Lead ${times}`);
    expect(said.mock.calls.flat()).toHaveLength(times);
  }
  expect(said.mock.calls.flat()[1]).toMatch(
    /another program wrote the state .+: use one file for each mock$/,
  );
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
