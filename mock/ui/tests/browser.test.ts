// What only a browser can tell: pages of another origin may call the service, and none may call the admin API.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mock } from '../../index.ts';
import { browserTestMs, describeInBrowser, launchChromium } from '../../testing/browser.ts';
import { startCheckedMock } from '../../testing/checked-mock.ts';
import { serve } from '../../testing/serve.ts';

type Reply = { readonly status: number; readonly body: unknown } | string;

describeInBrowser('a page of another origin', () => {
  let browser: Browser;
  let page: Page;
  let mock: Mock;

  beforeAll(async () => {
    mock = await startCheckedMock();
    const site = await serve((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<title>app</title>'),
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
        try {
          const response = await fetch(url as string, {
            method: verb as string,
            headers,
            ...(text === undefined ? {} : { body: text }),
          });
          return { status: response.status, body: await response.json() };
        } catch (error) {
          return String(error);
        }
      },
      [mock.url + path, method, body, key] as const,
    );

  test('adds, updates and deletes a lead', async () => {
    expect(await call('/api/v1/leads', 'POST', '{"name":"Lena"}')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await call('/api/v1/leads/lead_000001', 'PUT', '{"note":"called"}')).toMatchObject({
      status: 200,
    });
    expect(await call('/api/v1/leads/lead_000001', 'DELETE')).toMatchObject({ status: 200 });
  });

  test.each([
    ['a wrong key', '/api/v1/email/templates', 'GET', undefined, 'nobody', 401],
    ['a bad body', '/api/v1/leads', 'POST', '{', 'test_page', 400],
  ] as const)('reads why it is refused: %s', async (_what, path, method, body, key, status) => {
    expect(await call(path, method, body, key)).toMatchObject({
      status,
      body: { success: false, error: expect.any(String) },
    });
  });

  test.each(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE', 'RANDOM_DATA_THEN_CLOSE'] as const)(
    'meets %s as often as a rule says',
    async (fault) => {
      const { faults, requests, apiKey } = mock.workspace();
      const add = () => call('/api/v1/leads', 'POST', '{"name":"Lena"}', apiKey);
      expect(await add()).toMatchObject({ status: 200 });
      faults.set({ operation: 'addLead', fault, times: 1 });
      expect(await add()).toMatch(/Failed to fetch/);
      expect(await add()).toMatchObject({ status: 200 });
      expect(requests.list().map(({ status }) => status)).toEqual([200, 0, 200]);
    },
  );

  test('may send cookies along, as some clients always do', async () => {
    const url = `${mock.url}/api/v1/email/templates`;
    const status = await page.evaluate(async (address) => {
      const sent = { headers: { authorization: 'Bearer test_page' }, credentials: 'include' } as const;
      return (await fetch(address, sent)).status;
    }, url);
    expect(status).toBe(200);
  });

  test('sees a reply whose body breaks off', async () => {
    const { faults, apiKey } = mock.workspace();
    faults.set({ fault: 'MALFORMED_RESPONSE_CHUNK' });
    const url = `${mock.url}/api/v1/email/templates`;
    const seen = await page.evaluate(
      async ([address, key]) => {
        const response = await fetch(address as string, { headers: { authorization: `Bearer ${key}` } });
        return [response.status, await response.text().catch(String)];
      },
      [url, apiKey] as const,
    );
    expect(seen).toEqual([200, expect.stringMatching(/Failed to fetch/)]);
  });

  test('may not read the outbox', async () => {
    expect(await call('/__admin/outbox')).toMatch(/Failed to fetch/);
  });
});
