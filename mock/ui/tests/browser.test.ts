// What only a browser can tell: pages of another origin may call the service, and none may call the admin API.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { connectMock, Mock } from '../../index.ts';
import { browserTestMs, describeInBrowser, launchChromium } from '../../testing/browser.ts';
import { startCheckedMock } from '../../testing/checked-mock.ts';
import { exchange, mailInTest } from '../../testing/mock-server.ts';
import { serve } from '../../testing/serve.ts';

type Reply = { readonly status: number; readonly body: unknown } | string;

describeInBrowser('a page of another origin', () => {
  let browser: Browser;
  let page: Page;
  let mock: Mock;

  beforeAll(async () => {
    mock = await startCheckedMock();
    const site = await serve(({ url }, response) =>
      url === '/client.js'
        ? response.setHeader('content-type', 'text/javascript').end(readFileSync('dist/browser/client.js'))
        : response.setHeader('content-type', 'text/html').end('<title>app</title>'),
    );
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(site.replace('127.0.0.1', 'localhost'));
  }, browserTestMs);

  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  }, browserTestMs);

  /** `fetch` as the page does it; the text of the error where the browser does not let it have the reply. */
  const call = (path: string, method = 'GET', body?: string, key = 'test_page'): Promise<Reply> =>
    page.evaluate(
      async ([url, verb, text, token]) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        // With cookies, as some clients always do.
        const sent = { method: verb as string, headers, credentials: 'include' } as const;
        try {
          const response = await fetch(url as string, text === undefined ? sent : { ...sent, body: text });
          return { status: response.status, body: await response.json() };
        } catch (error) {
          return String(error);
        }
      },
      [mock.url + path, method, body, key] as const,
    );

  test.each([
    ['/api/v1/leads', 'POST', '{"name":"Lena"}', 'test_page', 200, true],
    ['/api/v1/leads/lead_000001', 'PUT', '{"note":"called"}', 'test_page', 200, true],
    ['/api/v1/leads/lead_000001', 'DELETE', undefined, 'test_page', 200, true],
    ['/api/v1/email/templates', 'GET', undefined, 'nobody', 401, false],
    ['/api/v1/leads', 'POST', '{', 'test_page', 400, false],
  ])('may call %s with %s %s and the key %s: %d', async (path, method, body, key, status, success) => {
    const error = success ? {} : { error: expect.any(String) };
    expect(await call(path, method, body, key)).toMatchObject({ status, body: { success, ...error } });
  });

  test.each([
    'CONNECTION_RESET_BY_PEER',
    'EMPTY_RESPONSE',
    'RANDOM_DATA_THEN_CLOSE',
    'MALFORMED_RESPONSE_CHUNK',
  ] as const)('meets %s as often as a rule says', async (fault) => {
    const { faults, requests, apiKey } = mock.workspace();
    const add = () => call('/api/v1/leads', 'POST', '{"name":"Lena"}', apiKey);
    faults.set({ operation: 'addLead', fault, times: 1 });
    expect(await add()).toMatch(/Failed to fetch/);
    expect(await add()).toMatchObject({ status: 200 });
    expect(requests.list().map(({ status }) => status)).toEqual([200, 0]);
  });

  test('may not read the outbox, unless its origin is allowed: then email-leads/client steers the mock', async () => {
    expect(await call('/__admin/outbox')).toMatch(/Failed to fetch/);
    const { origin } = new URL(page.url());
    await using allowing = await startCheckedMock({ allowedOrigins: [origin] });
    await exchange(`${allowing.url}/api/v1/email/send`, 'POST', {
      body: { ...mailInTest, to: 'b@example.com' },
    });
    // As text: Vitest changes an import in a function.
    await page.evaluate(`import('/client.js').then((client) => void Object.assign(globalThis, client))`);
    const steered = await page.evaluate(
      async ([allowed, other]) => {
        const { connectMock: connect } = globalThis as unknown as { connectMock: typeof connectMock };
        const remote = connect(String(allowed));
        await remote.faults.set({ status: 503 });
        const [mail] = await remote.outbox.waitFor({ to: 'b@example.com' });
        return [mail.text, await connect(String(other)).reset().catch(String)];
      },
      [allowing.url, mock.url],
    );
    expect(steered).toEqual(['Hi', expect.stringContaining(`with --allowed-origin ${origin}`)]);
    expect(allowing.faults.list()).toMatchObject([{ status: 503 }]);
  });
});
