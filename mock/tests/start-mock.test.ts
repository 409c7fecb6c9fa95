import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../index.ts';
import { startCheckedMock } from '../testing/checked-mock.ts';
import { runNode } from '../testing/cli-process.ts';
import { exchange } from '../testing/mock-server.ts';

// The built library, for other processes.
const library = new URL('../../dist/index.js', import.meta.url);

const add = (mock: Mock, key: string) =>
  exchange(`${mock.url}/api/v1/leads`, 'POST', { key, body: { name: 'Lena' } });

describe('startMock', () => {
  test.each([
    [undefined, /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('on the host %s takes any free port and is reached under its url', async (host, url) => {
    // An option that is undefined is left out.
    await using mock = await startCheckedMock({ host, seed: undefined } as object);
    expect(mock.url).toMatch(url);
    expect(mock.url).toMatch(new RegExp(`:${mock.port}$`));
    expect((await exchange(`${mock.url}/__admin/health`, 'GET')).status).toBe(200);
  });

  test('mocks in one process share nothing, and hand out keys that nobody else has', async () => {
    await using one = await startCheckedMock();
    await using other = await startCheckedMock({ answers: { 'lead.id-format': 'integer' } });
    await add(one, 'test_key');
    expect((await add(one, 'test_key')).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
    expect((await add(other, 'test_key')).body).toMatchObject({ data: { lead_id: '1' } });
    expect(new Set([one.key(), one.key(), other.key(), other.key()]).size).toBe(4);
    expect((await add(one, one.key())).status).toBe(200);
  });

  test('hands out other keys after a restart on the same port', async () => {
    const keyOn = async (options: MockOptions) => {
      await using mock = await startMock(options);
      return { port: mock.port, own: mock.key() };
    };
    const { port, own } = await keyOn({});
    await pause(2);
    expect((await keyOn({ port })).own).not.toBe(own);
  });

  test('says why it cannot listen', async () => {
    await using mock = await startMock();
    const { port } = mock;
    await expect(startMock({ port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `port ${port} on 127.0.0.1 is taken; choose another one with --port (0 for any)`,
    });
    await expect(startMock({ host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is not an address of this');
  });

  test.each<[MockOptions, string]>([
    [{ answers: { 'send.to': 'maybe' as 'required' } }, 'send.to cannot be "maybe"'],
    [{ acceptKeys: ['a b'] }, 'key 1 of those to accept'],
    [
      { prot: 1 } as object,
      'prot is not known in the options of startMock. Did you mean port? Allowed: port,',
    ],
    [
      { port: '0' as never },
      'port of the options of startMock must be a whole number from 0 to 65535, not "0"',
    ],
    [{ port: 65_536 }, 'port of the options'],
    [{ host: '' }, 'host of the options of startMock must be an address'],
    [{ log: 'verbose' as never }, 'must be one of pretty, json, silent, not "verbose"'],
    [{ delay: -1 }, 'delay of the options of startMock must be a whole number from 0 to 60000, not -1'],
    [{ outboxLimit: 0 }, 'outboxLimit of the options'],
    [{ acceptKeys: [] }, 'one key or more; without it every key test_… is accepted, not a list'],
    [{ acceptKeys: 'sk_1' as never }, 'one key or more'],
    [
      { allowedOrigins: ['localhost:3000'] },
      'must be a list, each an origin, for example http://localhost:3000',
    ],
    [{ admin: 'no' as never }, 'admin of the options of startMock must be true or false'],
    [{ seed: [] as never }, 'seed of the options of startMock must be a file or a state, not a list'],
    [4010 as never, 'the options of startMock must be an object, not 4010'],
  ])('rejects %j', async (options, message) => {
    await expect(startMock(options)).rejects.toThrow(message);
  });

  test('closes twice, also by `await using`, and leaves the port free', async () => {
    const mock = await startMock();
    await mock[Symbol.asyncDispose]();
    await mock.close();
    await using next = await startMock({ port: mock.port });
    expect(next.port).toBe(mock.port);
  });

  test('lets the process end with `unref`', async () => {
    const child = runNode([
      '--input-type=module',
      '--eval',
      `import { startMock } from '${library}';
       const mock = await startMock({ unref: true, delay: 20 });
       console.log((await fetch(mock.url + '/__admin/health')).status);`,
    ]);
    expect(await child.ended).toBe(0);
    expect(child.stdout()).toBe('200\n');
  });

  test('works without what a simulated browser lacks, and `fetch` says so', async () => {
    const child = runNode([
      '--input-type=module',
      '--eval',
      `for (const name of ['TextEncoder', 'TextDecoder', 'Request', 'Response', 'structuredClone', 'setImmediate'])
         Reflect.deleteProperty(globalThis, name);
       const { startMock } = await import('${library}');
       const mock = await startMock({ seed: { leads: [{ name: 'Lena' }] } });
       console.log(mock.state().leads.length);
       await mock.fetch(mock.url).catch(({ message }) => console.log(message));
       await mock.close();`,
    ]);
    expect([await child.ended, child.stderr()]).toEqual([0, '']);
    expect(child.stdout()).toMatch(
      /^1\nmock\.fetch needs the globals Request and Response, which .* lack: send/,
    );
  });

  test.each<[string, (mock: Mock) => unknown]>([
    ['key', (mock) => mock.key()],
    ['workspace', (mock) => mock.workspace()],
    ['outbox.list', (mock) => mock.outbox.list()],
    ['outbox.waitFor', (mock) => mock.outbox.waitFor()],
    ['requests.count', (mock) => mock.requests.count()],
    ['faults.set', (mock) => mock.faults.set({ status: 503 })],
    ['clock.freeze', (mock) => mock.clock.freeze()],
    ['answers.get', (mock) => mock.answers.get()],
    ['reset', (mock) => mock.reset()],
  ])('once it is closed, %s says so', async (_name, use) => {
    const mock = await startMock();
    const own = mock.workspace();
    await mock.close();
    await expect((async () => use(mock))()).rejects.toThrow('the mock is closed');
    await expect((async () => use({ ...mock, ...own }))()).rejects.toThrow('the mock is closed');
  });
});
