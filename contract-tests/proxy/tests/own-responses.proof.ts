// The same in a browser: it reads what the proxy says, and sends a request once.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTestMs, describeInBrowser, launchChromium } from '../../../mock/testing/browser.ts';
import { serve } from '../../../mock/testing/serve.ts';
import { nobodyListens, startProxyInTest } from '../../testing/proxy.ts';

describeInBrowser('a page of another origin', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(await serve((_req, res) => res.end('an app')));
  }, browserTestMs);
  afterAll(() => browser?.close(), browserTestMs);

  const send = (method: string, url: string, credentials: 'same-origin' | 'include' = 'same-origin') =>
    page.evaluate(
      async ([method, url, credentials]) => {
        const headers = { authorization: 'Bearer test_key', 'content-type': 'application/json' };
        const body = method === 'GET' ? null : '{}';
        const response = await fetch(url, { method, headers, body, credentials });
        return `${response.status} ${response.headers.get('email-leads-proxy')}: ${await response.text()}`;
      },
      [method, url, credentials] as const,
    );

  test.each(['same-origin', 'include'] as const)(
    'reads that the upstream is not there, with the credentials %s',
    async (credentials) => {
      const { url } = await startProxyInTest(nobodyListens);
      for (const method of ['GET', 'POST'])
        expect(await send(method, `${url}/api/v1/leads`, credentials)).toMatch(
          /^502 own response: .*connect ECONNREFUSED/,
        );
    },
  );

  test('sends a POST once when the upstream resets a connection that was used before', async () => {
    const arrived: string[] = [];
    let isReset = false;
    const upstream = await serve((req, res) => {
      arrived.push(`${req.method}`);
      if (req.method === 'POST' && isReset) return void req.socket.resetAndDestroy();
      const { origin = '' } = req.headers;
      const allowed = { 'access-control-allow-headers': 'authorization, content-type' };
      res.writeHead(200, { 'access-control-allow-origin': origin, ...allowed }).end('{}');
    });
    const { url } = await startProxyInTest(upstream);
    for (const _ of [1, 2, 3]) expect(await send('POST', url)).toBe('200 null: {}');
    arrived.length = 0;
    isReset = true;
    expect(await send('POST', url)).toMatch(/^502 own response: .*does not send it again/);
    expect(arrived.filter((method) => method === 'POST')).toHaveLength(1);
  });
});
