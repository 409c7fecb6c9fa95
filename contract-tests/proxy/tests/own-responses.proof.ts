// The same in a browser: it reads what the proxy says, and sends a request once.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserTestMs, chromiumPath, launchChromium, noBrowser } from '../../../mock/testing/browser.ts';
import { startProxyInTest } from '../../testing/proxy.ts';
import type { RunningProxy } from '../server.ts';

const hasChromium = chromiumPath() !== undefined;
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.skipIf(!hasChromium)(
  hasChromium ? 'a page of another origin' : noBrowser,
  { timeout: browserTestMs },
  () => {
    const servers: Server[] = [];
    const proxies: RunningProxy[] = [];
    let browser: Browser;
    let page: Page;

    const listen = async (server: Server): Promise<string> => {
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return addressOf(server);
    };
    const startBefore = async (upstream: string): Promise<string> => {
      const proxy = await startProxyInTest(upstream);
      proxies.push(proxy);
      return proxy.url;
    };

    beforeAll(async () => {
      const app = await listen(createServer((_req, res) => res.end('an app')));
      browser = await launchChromium();
      page = await browser.newPage();
      await page.goto(app);
    }, browserTestMs);
    afterAll(async () => {
      await browser?.close();
      for (const proxy of proxies) await proxy.close();
      for (const server of servers) server.close().closeAllConnections();
    }, browserTestMs);

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
        const url = await startBefore('http://127.0.0.1:1');
        for (const method of ['GET', 'POST'])
          expect(await send(method, `${url}/api/v1/leads`, credentials)).toMatch(
            /^502 own response: .*connect ECONNREFUSED/,
          );
      },
    );

    test('sends a POST once when the upstream resets a connection that was used before', async () => {
      const arrived: string[] = [];
      let isReset = false;
      const upstream = createServer((req, res) => {
        arrived.push(`${req.method}`);
        if (req.method === 'POST' && isReset) return void req.socket.resetAndDestroy();
        const { origin = '' } = req.headers;
        const allowed = { 'access-control-allow-headers': 'authorization, content-type' };
        res.writeHead(200, { 'access-control-allow-origin': origin, ...allowed }).end('{}');
      });
      const url = await startBefore(await listen(upstream));
      for (const _ of [1, 2, 3]) expect(await send('POST', url)).toBe('200 null: {}');
      arrived.length = 0;
      isReset = true;
      expect(await send('POST', url)).toMatch(/^502 own response: .*does not send it again/);
      expect(arrived.filter((method) => method === 'POST')).toHaveLength(1);
    });
  },
);
