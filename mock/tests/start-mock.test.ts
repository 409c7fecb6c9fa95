import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../index.ts';
import { bin, runNode } from '../testing/cli-process.ts';
import { exchange } from '../testing/mock-server.ts';

// The built library, for other processes.
const library = new URL('../../dist/index.js', import.meta.url);
const runScript = (script: string) =>
  runNode(['--input-type=module', '--eval', script.replace('LIBRARY', `'${library}'`)]);

test.each([
  [undefined, /^http:\/\/127\.0\.0\.1:\d+$/],
  ['localhost', /^http:\/\/localhost:\d+$/],
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
])('on the host %s takes any free port and is reached under its url', async (host, url) => {
  // An option that is undefined is left out.
  await using mock = await startMock({ host, seed: undefined } as object);
  expect(mock.url).toMatch(url);
  expect(mock.url).toMatch(new RegExp(`:${mock.port}$`));
  const body = { version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
  expect(await exchange(`${mock.url}/__admin/health`, 'GET')).toMatchObject({ status: 200, body });
});

test('closes twice, also by `await using`, leaves the port free, and then hands out other keys', async () => {
  const mock = await startMock();
  const { port } = mock;
  const own = mock.key();
  await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await mock[Symbol.asyncDispose]();
  await mock.close();
  await pause(2);
  await using next = await startMock({ port });
  expect(next.port).toBe(port);
  expect(next.key()).not.toBe(own);
});

test.each<[MockOptions, string]>([
  [{ answers: { 'send.to': 'maybe' as 'required' } }, 'send.to cannot be "maybe"'],
  [{ prot: 1 } as object, 'prot of the options of startMock is not known here; did you mean port?'],
  [{ acceptKeys: [] }, 'one key or more; without it every key test_… is accepted, not a list'],
  [
    { allowedHosts: ['http://foo'] },
    'allowedHosts/0 of the options of startMock must be a host name without',
  ],
  [{ allowedOrigins: ['localhost:3000'] }, 'must be an origin, for example http://localhost:3000'],
  [{ tlsCert: 'x' }, 'tlsCert and tlsKey of the options of startMock belong together'],
  [{ seed: [] as never }, 'seed of the options of startMock must be a file or a state, not a list'],
])('rejects %j', async (options, message) => {
  await expect(startMock(options)).rejects.toThrow(message);
});

test('lets the process end with `unref`', async () => {
  const child = runScript(
    `import { startMock } from LIBRARY;
     const mock = await startMock({ unref: true, delay: 20 });
     console.log((await fetch(mock.url + '/__admin/health')).status);`,
  );
  expect([await child.ended, child.stdout()]).toEqual([0, '200\n']);
});

test('works without what a simulated browser lacks, and `fetch` says so', async () => {
  const child = runScript(
    `for (const name of ['TextEncoder', 'TextDecoder', 'Request', 'Response', 'structuredClone', 'setImmediate'])
       Reflect.deleteProperty(globalThis, name);
     const { startMock } = await import(LIBRARY);
     const mock = await startMock({ seed: { leads: [{ name: 'Lena' }] } });
     console.log(mock.state().leads.length);
     await mock.fetch(mock.url).catch(({ message }) => console.log(message));
     await mock.close();`,
  );
  expect([await child.ended, child.stderr()]).toEqual([0, '']);
  expect(child.stdout()).toMatch(/^1\nmock\.fetch needs the globals Request and Response, which .* lack/);
});

test('once it is closed, everything says so', async () => {
  const mock = await startMock();
  const own = mock.workspace();
  await mock.close();
  const uses: readonly ((of: Mock) => unknown)[] = [
    ({ key }) => key(),
    ({ workspace }) => workspace(),
    ({ outbox }) => outbox.list(),
    ({ outbox }) => outbox.waitFor(),
    ({ requests }) => requests.count(),
    ({ faults }) => faults.set({ status: 503 }),
    ({ clock }) => clock.freeze(),
    ({ answers }) => answers.get(),
    ({ reset }) => reset(),
  ];
  for (const use of uses)
    for (const of of [mock, { ...mock, ...own }])
      await expect((async () => use(of))(), String(use)).rejects.toThrow('the mock is closed');
});

const longAgo = new Date('2020-05-05T05:05:05Z');
const thisYear = String(new Date().getFullYear());
const realMs = performance.now.bind(performance);

const statusOf = async (url: string, method: string, body?: object): Promise<number> =>
  (await exchange(url, method, body ? { body } : {})).status;

const addLead = ({ url }: Mock) => statusOf(`${url}/api/v1/leads`, 'POST', { name: 'Lena' });
const yearsOf = ({ state }: Mock) => state().leads.map(({ created_at }) => created_at.slice(0, 4));

/** How many milliseconds of real time something took. */
const timed = async (wait: () => Promise<unknown>): Promise<number> => {
  const started = realMs();
  await wait();
  return realMs() - started;
};

afterEach(() => void vi.useRealTimers());

test('leads have real times, for a mock that was loaded while the Date was fake', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: longAgo });
  vi.resetModules();
  const { startMock: start } = await import('../index.ts');
  await using mock = await start();
  await addLead(mock);
  vi.useRealTimers();
  await addLead(mock);
  expect(yearsOf(mock)).toEqual([thisYear, thisYear]);
});

test('under fake timers of an app a mock waits for the requested time, a wait in vain ends, over HTTP too, and so does closing', async () => {
  await using mock = await startMock();
  vi.useFakeTimers({ now: longAgo });
  await using slow = await startMock({ delay: 30 });
  expect(await timed(() => addLead(slow))).toBeGreaterThan(25);
  expect(yearsOf(slow)).toEqual([thisYear]);
  await statusOf(`${slow.url}/api/v1/nowhere`, 'GET');
  for (const { duration_ms } of slow.requests.list()) expect(duration_ms).toBeGreaterThan(25);
  const wait = mock.outbox.waitFor({}, { timeout: 30 });
  await expect(wait).rejects.toThrow('not found within 30 ms');
  expect(await statusOf(`${mock.url}/__admin/outbox/wait?timeout_ms=30`, 'GET')).toBe(404);
  mock.faults.set({ delay_ms: 60_000 });
  const cut = expect(addLead(mock)).rejects.toThrow();
  await pause(50);
  expect(await timed(() => mock.close())).toBeLessThan(30_000);
  await cut;
});

// Names every module that is imported on stderr.
const hook = `
  export const load = (url, context, next) => { process._rawDebug('loaded ' + url); return next(url, context); };
`;
const moduleOf = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const preload = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))});`;
const args = ['--import', moduleOf(preload), bin, 'mock', '--port', '0'];

const heavy = { docs: /swagger-ui/, yaml: /\byaml\b/, ajv: /\bajv\/|@apidevtools/ };

test('what is heavy is loaded when it is asked for', async () => {
  const child = runNode(args);
  const url = await child.printed(/(http:\/\/127[\d.]+:\d+)/);
  const loaded = (): string[] =>
    Object.entries(heavy).flatMap(([name, pattern]) => (pattern.test(child.stderr()) ? [name] : []));
  const call = async (method: string, path: string, body?: object) =>
    expect(await statusOf(url + path, method, body)).toBe(200);
  await call('POST', '/api/v1/leads', { name: 'Lena' });
  await call('POST', '/api/v1/email/send', { subject: 'Hi', from: 'a@example.com', html: '' });
  await call('GET', '/__admin/outbox/latest');
  await call('GET', '/openapi.json');
  await statusOf(`${url}/api/v1/leads`, 'POST', {});
  expect(child.stderr()).toContain('loaded ');
  expect(loaded()).toEqual([]);
  await call('GET', '/openapi.yaml');
  expect(loaded()).toEqual(['yaml']);
  await call('GET', '/docs');
  expect(loaded()).toEqual(['docs', 'yaml']);
});
