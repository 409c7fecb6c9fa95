// The page of the proxy in a browser: an exchange shows while it passes, with what it breaks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser, launchChromium } from '../../../mock/testing/browser.ts';
import { inData } from '../../proof/server/mutation.ts';
import { call, key, serve, startProxySession, temporaryDirectory } from '../../testing/command.ts';

declare global {
  var axe: { run: (root: unknown, options: RunOptions) => Promise<AxeResults> };
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({ include: ['body'] }, { resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

describeInBrowser('the page of the proxy', () => {
  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)(
    'shows verdict, claim, section and both sides, and no key: %i px, %s',
    async (width, colorScheme) => {
      const service = await serve(inData('updateLead', (data) => ({ ...data, note: 'another note' })));
      const { url, printed, end } = await startProxySession(service.url, [
        '--report-dir',
        temporaryDirectory(),
      ]);
      const browser = await launchChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
      const errors: string[] = [];
      page.on('pageerror', (error) => void errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(await printed(/Requests live: (\S+)/));
      await page.getByText('No requests yet').waitFor();
      const { data } = await call(url, 'POST', '/leads', {
        name: 'Lena Fischer',
        source: 'web',
        note: 'Met',
      });
      await page.locator('[data-row]').filter({ hasText: 'conforms' }).waitFor();
      await call(url, 'PUT', `/leads/${data.lead_id}`, { note: 'Called back' });
      const row = page.locator('[data-row]').filter({ hasText: 'broken' });
      await row.getByText('leads.update.echoes-note §4.6').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await row.click();
      await page.getByRole('list', { name: 'Findings' }).getByText('§4.6, documented').waitFor();
      await page.getByRole('region', { name: 'Request', exact: true }).getByText('"Called back"').waitFor();
      await page.getByRole('region', { name: 'Response', exact: true }).getByText('"another note"').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.content()).not.toContain(key);
      await page.goBack();
      await page.getByLabel('Verdict').selectOption('drift');
      await page.getByText('No matching requests').waitFor();
      expect(errors).toEqual([]);
      await end();
    },
  );
});
