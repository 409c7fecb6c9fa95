// The page by the rules of axe: every view, wide and narrow, light and dark, with something in it to look at.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, press, usePage } from '../../testing/browser.ts';
import { viewNames } from '../data/views.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  var axe: { run: (root: unknown, options: RunOptions) => Promise<AxeResults> };
}

const appearances = [1280, 800, 400].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** What a page finds wrong with itself in each appearance. */
const violationsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const { width, colorScheme } of appearances) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() =>
      // Frames hold the mails of others.
      globalThis.axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'], iframes: false }),
    );
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${width} px, ${colorScheme}: ${id}: ${html}: ${failureSummary}`);
  }
  return found;
};

const nothing = async (_page: Page): Promise<void> => undefined;
const items = ['messages/msg_000001', 'requests/req_000001', 'leads/lead_000001', 'templates/1'];

/** The views, and what they show only after a click. */
const places: readonly (readonly [place: string, click: (page: Page) => Promise<void>])[] = [
  ...[...viewNames, ...items].map((place) => [place, nothing] as const),
  ['faults', (page) => press(page, 'Add rule')],
  ['messages/msg_000001', (page) => page.getByRole('radio', { name: /^Warnings/ }).click()],
];

describeInBrowser('axe finds nothing, wide and narrow, light and dark', () => {
  const mock = usePage();

  test.each(places)('%s', async (place, click) => {
    await mock.mail({ html: '<p>{{name}} <img src="http://pictures.example.com/1.png"></p>' });
    await mock.lead({ name: 'Lena Fischer', source: 'Webinar', note: '' });
    const rules = [{ operation: 'listTemplates', status: 503 }];
    await mock.admin('PUT', '/faults', { body: { rules } });
    const page = await mock.open(`#/${place}`);
    await page.getByRole('heading').first().waitFor();
    await click(page);
    await page.evaluate(source);
    expect(await violationsOf(page)).toEqual([]);
  });
});
