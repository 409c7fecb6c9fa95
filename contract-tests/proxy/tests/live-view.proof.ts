// The page of the proxy in a browser: an exchange shows while it passes, with what it breaks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserTestMs, chromiumPath, launchChromium, noBrowser } from '../../../mock/testing/browser.ts';
import { bin, type Child, runNode } from '../../../mock/testing/cli-process.ts';
import { inData } from '../../proof/server/mutation.ts';
import { createService } from '../../proof/server/server.ts';
import type { RunningDeployment } from '../../proof/server/types.ts';

const hasChromium = chromiumPath() !== undefined;
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const key = 'sk_live_4f9c1e7ab2d8463095be';

declare global {
  var axe: { run: (root: unknown, options: RunOptions) => Promise<AxeResults> };
}

const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));

const appearances = [1280, 400].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.skipIf(!hasChromium)(
  hasChromium ? 'the page of the proxy' : noBrowser,
  { timeout: browserTestMs },
  () => {
    let service: RunningDeployment;
    let proxy: Child;
    let browser: Browser;
    let url: string;
    const errors: string[] = [];

    beforeAll(async () => {
      service = await createService({ key }, wrongNote).start();
      proxy = runNode([bin, 'proxy', '--upstream', service.url, '--port', '0'], {
        PATH: process.env.PATH ?? '',
      });
      url = await proxy.printed(/(http:\/\/127\.0\.0\.1:\d+) forwards to/);
      browser = await launchChromium();
    }, browserTestMs);
    afterAll(async () => {
      await browser?.close();
      proxy?.process.kill('SIGKILL');
      await service?.close();
    }, browserTestMs);

    const open = async (width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
      page.on('pageerror', (error) => void errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(await proxy.printed(/Requests live: (\S+)/));
      return page;
    };

    const send = async (
      method: string,
      path: string,
      body: object,
    ): Promise<{ data: { lead_id: string } }> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1/leads${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      return (await response.json()) as { data: { lead_id: string } };
    };

    test('shows verdict, claim, section and both sides, and no key', async () => {
      const page = await open();
      await page.getByText('No requests yet').waitFor();
      const { data } = await send('POST', '', { name: 'Lena Fischer', source: 'web', note: 'Met' });
      await page.locator('[data-row]').filter({ hasText: 'conforms' }).waitFor();
      await send('PUT', `/${data.lead_id}`, { note: 'Called back' });
      const row = page.locator('[data-row]').filter({ hasText: 'broken' });
      await row.getByText('leads.update.echoes-note §4.6').waitFor();
      await row.click();
      const findings = page.getByRole('list', { name: 'Findings' });
      await findings.getByText('§4.6, documented').waitFor();
      await page.getByRole('region', { name: 'Request', exact: true }).getByText('"Called back"').waitFor();
      await page.getByRole('region', { name: 'Response', exact: true }).getByText('"another note"').waitFor();
      expect(await page.content()).not.toContain(key);
      await page.getByLabel('Verdict').selectOption('drift');
      await page.getByText('No matching requests').waitFor();
      expect(errors).toEqual([]);
      await page.close();
    });

    test.each(appearances)(
      'has nothing for axe at $width px, $colorScheme',
      async ({ width, colorScheme }) => {
        await send('POST', '', { name: 'Lena Fischer', source: 'web', note: 'Met', phone: '1' });
        const page = await open(width, colorScheme);
        const check = async (): Promise<string[]> => {
          await page.evaluate(source);
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run({ include: ['body'] }, { resultTypes: ['violations'] }),
          );
          return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
        };
        await page.locator('[data-row]').first().waitFor();
        expect(await check()).toEqual([]);
        await page.locator('[data-row]').first().click();
        await page.getByRole('region', { name: 'Response', exact: true }).waitFor();
        expect(await check()).toEqual([]);
        await page.close();
      },
    );
  },
);
