import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { adapterRequests } from '../../mock/testing/adapter-requests.ts';

/** Only requests to the service: MSW does not intercept others. */
export const serviceRequests = adapterRequests.filter(([, path]) => path.startsWith('/api/v1'));

type InPage = typeof globalThis & {
  readonly mock: import('../../mock/index.ts').MockInProcess;
  readonly send: (requests: unknown, baseUrl: string) => Promise<object[]>;
  readonly connectMock: Sdk['connectMock'];
};
type Sdk = typeof import('../../mock/index.ts');

/** Checks the example page and its service worker in a browser. @param folder the folder with the example and MSW */
export const checkPage = async (folder: string, executablePath: string): Promise<void> => {
  const server = serve({
    '/': ['text/html', '<script type="module" src="/page.js"></script><body>'],
    '/page.js': ['text/javascript', await bundle(folder, pageEntry)],
    '/mockServiceWorker.js': ['text/javascript', worker(folder)],
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(await addressOf(server));
    await page.waitForSelector('form');
    await checkForm(page);
    const sdk = await loadSdk(folder);
    await compareWithHttp(page, folder, sdk);
    await steerRemote(page, await addressOf(server), sdk);
  } finally {
    await browser.close();
    server.close();
  }
};

const pageEntry = `export * from './page.js'; import { send } from './send.mjs';
  import { connectMock } from 'email-leads/client'; Object.assign(globalThis, { connectMock, send });`;

const bundle = async (folder: string, entry: string): Promise<string> => {
  const build = await rolldown({
    input: 'entry',
    cwd: folder,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? join(folder, 'entry.js') : null),
        load: (id) => (id === join(folder, 'entry.js') ? entry : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  return output[0].code;
};

const worker = (folder: string): string =>
  readFileSync(join(folder, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8');

const serve = (files: Readonly<Record<string, readonly [type: string, text: string]>>): Server =>
  createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(text);
  }).listen(0, '127.0.0.1');

const addressOf = async (server: Server): Promise<string> => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
};

const checkForm = async (page: Page): Promise<void> => {
  const submit = async (output: string): Promise<void> => {
    await page.fill('input', 'Lena');
    await page.click('button');
    await page.locator('output', { hasText: output }).waitFor();
  };
  await submit('Welcome, lead_000001');
  await page.evaluate(() => (globalThis as InPage).mock.faults.set({ fault: 'EMPTY_RESPONSE', times: 1 }));
  await submit('no connection');
  await page.evaluate(() => (globalThis as InPage).mock.answers.set({ 'lead.note': 'required' }));
  await submit('body/note is required');
  const statuses = await page.evaluate(() =>
    (globalThis as InPage).mock.requests.list().map(({ status }) => status),
  );
  assert.deepEqual(statuses, [400, 0, 200]);
};

const loadSdk = (folder: string): Promise<Sdk> =>
  import(pathToFileURL(join(folder, 'node_modules/email-leads/dist/index.js')).href);

const compareWithHttp = async (page: Page, folder: string, sdk: Sdk): Promise<void> => {
  const { send } = (await import(pathToFileURL(join(folder, 'send.mjs')).href)) as InPage;
  const overHttp = await sdk.startMock({ admin: false });
  overHttp.clock.freeze('2026-03-02T10:15:30Z');
  const expected = await send(serviceRequests, overHttp.url);
  await overHttp.close();
  const actual = await page.evaluate((requests) => {
    const { mock, send } = globalThis as InPage;
    mock.reset();
    mock.clock.freeze('2026-03-02T10:15:30Z');
    return send(requests, 'https://mail.example.com');
  }, serviceRequests);
  assert.deepEqual(actual, expected);
};

/** Tests `email-leads/client` from a page of another origin. */
const steerRemote = async (page: Page, origin: string, { startMock }: Sdk): Promise<void> => {
  const mock = await startMock({ allowedOrigins: [origin] });
  await mock.fetch(`${mock.url}/api/v1/email/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: '{"subject":"Hi","from":"a@example.com","to":"b@example.com","html":"<p>Hello</p>"}',
  });
  const text = await page.evaluate(async (url) => {
    const remote = (globalThis as InPage).connectMock(url);
    await remote.faults.set({ status: 503 });
    const [mail] = await remote.outbox.waitFor({ to: 'b@example.com' });
    return mail.text;
  }, mock.url);
  assert.deepEqual([text, mock.faults.list().length], ['Hello', 1]);
  await mock.close();
  const other = await startMock();
  const problem = await page.evaluate(
    (url) => (globalThis as InPage).connectMock(url).reset().catch(String) as Promise<string>,
    other.url,
  );
  await other.close();
  assert.match(problem, new RegExp(`with --allowed-origin ${origin}`));
};
