import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';

type InPage = typeof globalThis & {
  readonly mock: import('../../mock/index.ts').MockInProcess;
  readonly connectMock: Sdk['connectMock'];
};
type Sdk = typeof import('../../mock/index.ts');

/** Checks the example page and its service worker in a browser. @param folder the folder with the example and MSW */
export const checkPage = async (folder: string, executablePath: string): Promise<void> => {
  const server = await createServer({
    root: folder,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await server.listen();
    const url = server.resolvedUrls?.local[0] ?? '';
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForSelector('form');
    await checkForm(page);
    await page.evaluate(importInPage);
    const sdk = await loadSdk(folder);
    await steerRemote(page, new URL(url).origin, sdk);
  } finally {
    await browser.close();
    await server.close();
  }
};

// As Vite names a package.
const importInPage = `import('/@id/email-leads/client').then((client) => { Object.assign(globalThis, client); })`;

const checkForm = async (page: Page): Promise<void> => {
  const submit = async (output: string): Promise<void> => {
    await page.fill('input', 'Lena');
    await page.click('button');
    await page.locator('output', { hasText: output }).waitFor();
  };
  await submit('Welcome, lead_000001');
  await page.evaluate(() => (globalThis as InPage).mock.faults.set({ fault: 'EMPTY_RESPONSE', times: 1 }));
  await submit('Failed to fetch');
  await page.evaluate(() => (globalThis as InPage).mock.answers.set({ 'lead.note': 'required' }));
  await submit('body/note is required');
  const statuses = await page.evaluate(() =>
    (globalThis as InPage).mock.requests.list().map(({ status }) => status),
  );
  assert.deepEqual(statuses, [400, 0, 200, 200]);
};

const loadSdk = (folder: string): Promise<Sdk> =>
  import(pathToFileURL(join(folder, 'node_modules/email-leads/dist/index.js')).href);

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
