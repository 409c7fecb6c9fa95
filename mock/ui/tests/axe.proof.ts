// The page by the rules of axe: every view, wide and narrow, light and dark, with something in it to look at.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserTestMs, chromiumPath, noBrowser, usePage } from '../../testing/browser.ts';
import { viewNames } from '../data/router.ts';

const hasChromium = chromiumPath() !== undefined;
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  var axe: { run: (root: unknown, options: RunOptions) => Promise<AxeResults> };
}

const appearances = [1280, 800, 400].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.skipIf(!hasChromium)(
  hasChromium ? 'axe finds nothing' : noBrowser,
  { timeout: browserTestMs },
  () => {
    const mock = usePage();

    test.each(appearances)('$width px wide, $colorScheme', async ({ width, colorScheme }) => {
      const key = mock.key();
      await mock.mail(key, { html: '<p>{{name}} <img src="http://pictures.example.com/1.png"></p>' });
      await mock.call(key, 'POST', '/api/v1/leads', { name: 'Lena Fischer', source: 'Webinar', note: '' });
      await mock.call(key, 'PUT', '/__admin/faults', {
        rules: [{ operation: 'listTemplates', status: 503 }],
      });
      const items = ['messages/msg_000001', 'requests/req_000001', 'leads/lead_000001', 'templates/1'];
      const places = [...viewNames, ...items];
      const found: string[] = [];
      const check = async (page: Page, place: string): Promise<void> => {
        const { violations } = await page.evaluate(() =>
          // Frames hold the mails of others.
          globalThis.axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'], iframes: false }),
        );
        for (const { id, nodes } of violations)
          found.push(
            ...nodes.map(({ html, failureSummary }) => `${place}: ${id}: ${html}: ${failureSummary}`),
          );
      };
      for (const place of places) {
        const page = await mock.open(key, `#/${place}`, { viewport: { width, height: 800 }, colorScheme });
        await page.getByRole('heading').first().waitFor();
        await page.evaluate(source);
        await check(page, place);
        if (place === 'faults') {
          await page.getByRole('button', { name: 'Add rule' }).click();
          await page.getByRole('dialog').waitFor();
          await check(page, 'the form of a rule');
        }
        if (place === 'messages/msg_000001') {
          await page.getByRole('tab', { name: /^Warnings/ }).click();
          await page.getByRole('list', { name: 'Warnings' }).waitFor();
          await check(page, 'the warnings about a message');
        }
        await page.close();
      }
      expect(found).toEqual([]);
    });
  },
);
