import { join } from 'node:path';
import { createServer, type Logger, type Plugin, type ViteDevServer } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import type { MockOptions } from '../index.ts';
import { exchange } from '../testing/mock-server.ts';
import { temporaryDirectory } from '../testing/temporary.ts';
import { emailLeads } from '../vite.ts';

const started = async (plugin: Plugin) => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const logger = { info: say, warn: say, warnOnce: say, error: say } as unknown as Logger;
  const server = await createServer({
    configFile: false,
    mode: 'development',
    customLogger: logger,
    plugins: [plugin],
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { port: 0, host: '127.0.0.1', ws: false, watch: null },
  });
  onTestFinished(server.close);
  await server.listen();
  return Object.assign(server, { said });
};

const urlOf = ({ resolvedUrls }: ViteDevServer): string => resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';

const addLead = (server: ViteDevServer, key: string | null = null) =>
  exchange(`${urlOf(server)}/api/v1/leads`, 'POST', { key, body: { name: 'Lena' } });
const leadsOf = async (server: ViteDevServer & { readonly said: readonly string[] }) =>
  (await exchange(`${mockOf(server)}/__admin/leads`, 'GET')).body;

const mockOf = ({ said }: { readonly said: readonly string[] }): string =>
  /Mails: {3}(http:\S+?)\/$/m.exec(said.join('\n'))?.[1] ?? '';

test('the app has the service in its own origin, and needs no key', async () => {
  const server = await started(emailLeads());
  expect((await addLead(server)).body).toMatchObject({ success: true });
  expect((await addLead(server, 'wrong')).status).toBe(401);
  server.printUrls();
  expect(await leadsOf(server)).toMatchObject({ total: 1 });
});

test('the options are those of startMock, and the key is the one that it accepts', async () => {
  const options: MockOptions = { acceptKeys: ['sk_live_1'], seed: { leads: [{ name: 'Tom' }] } };
  const server = await started(emailLeads(options));
  expect((await addLead(server)).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
  expect((await addLead(server, 'test_key')).status).toBe(401);
});

test('a server that replaces another one has its mock, and the last one ends it', async () => {
  const first = await started(emailLeads({ delay: 1 }));
  await addLead(first);
  const second = await started(emailLeads({ delay: 1 }));
  second.printUrls();
  await first.close();
  expect((await addLead(second)).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
  await second.close();
  const mock = mockOf(second);
  await expect.poll(() => fetch(`${mock}/__admin/health`).then(Boolean, () => false)).toBe(false);
});

test('a server with other options takes over the file of a state, for which the mock of before has ended', async () => {
  const state = join(temporaryDirectory(), 'state.json');
  const first = await started(emailLeads({ state, delay: 3 }));
  await addLead(first);
  const second = await started(emailLeads({ state, delay: 4 }));
  await first.close();
  expect((await addLead(second)).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
});

test('a broken connection is broken for the page', async () => {
  const server = await started(emailLeads({ delay: 5 }));
  server.printUrls();
  const rules = [{ operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER', take_effect: true }];
  await exchange(`${mockOf(server)}/__admin/faults`, 'PUT', { body: { rules } });
  await expect(addLead(server)).rejects.toThrow();
  expect(await leadsOf(server)).toMatchObject({ total: 1 });
});

test.each([
  [{ command: 'serve', mode: 'development' }, true],
  [{ command: 'serve', mode: 'test' }, false],
  [{ command: 'serve', mode: 'production', isPreview: true }, false],
  [{ command: 'build', mode: 'production' }, false],
])('%j: %j', (environment, applies) => {
  const apply = (emailLeads() as Plugin).apply as (config: object, environment: object) => boolean;
  expect(apply({}, environment)).toBe(applies);
});
