// The outbox page in a real browser: keyboard, colours, sizes, a mock that goes away.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, noBrowser } from '../chromium.ts';
import { startMock } from '../index.ts';
import { exchange } from '../use-mock.ts';
import { usePage } from '../use-page.ts';

const found = chromiumPath() !== undefined;

const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.row ?? null');
const ground = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');

const views = [
  'messages',
  'messages/msg_000001',
  'requests',
  'requests/req_000001',
  'leads',
  'templates',
  'templates/1',
  'questions',
  'faults',
  'clock',
  'state',
];

const show = async (page: Page, view: string): Promise<void> => {
  await page.goto(`${page.url().split('#')[0]}#/${view}`);
  await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(60);
};

describe.skipIf(!found)(found ? 'using the page' : noBrowser, () => {
  const mock = usePage();
  const three = async () => {
    const key = mock.key();
    for (const subject of ['One', 'Two', 'Three']) await mock.mail(key, { subject });
    return key;
  };

  test('by keyboard: move, open, move on, go back, delete', async () => {
    const page = await mock.open(await three());
    await page.getByText('Three').waitFor();
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('msg_000003');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('msg_000002');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Two' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'One' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('a[data-row]').count()).toBe(3);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('a[data-row]').count()).toBe(2);
  });

  test('what is typed into the search is no command', async () => {
    const page = await mock.open(await three());
    await page.getByText('Three').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('jk?o');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk?o');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByText('Three').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  });

  test('the focus shows', async () => {
    const page = await mock.open(await three());
    await page.getByText('Three').waitFor();
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).not.toBe('none');
    }
  });

  test('is dark where the system is, and otherwise where one says so', async () => {
    const key = mock.key();
    const dark = await mock.open(key, '', { colorScheme: 'dark' });
    await dark.getByText('Nothing sent yet').waitFor();
    const night = await ground(dark);
    const page = await mock.open(key, '', { colorScheme: 'light' });
    await page.getByText('Nothing sent yet').waitFor();
    expect(await ground(page)).not.toBe(night);
    const button = page.getByRole('button', { name: /Colours/ });
    await button.click();
    await button.click();
    expect(await ground(page)).toBe(night);
    await page.reload();
    await page.getByText('Nothing sent yet').waitFor();
    expect(await ground(page)).toBe(night);
  });

  test('every view fits 400 pixels, and every control in it has a name', async () => {
    const page = await mock.open(await three(), '', { viewport: { width: 400, height: 800 } });
    const found: Record<string, unknown> = {};
    for (const view of views) {
      await show(page, view);
      found[view] = await page.evaluate(() => ({
        widths: [document.documentElement.scrollWidth, document.querySelector('main')?.scrollWidth],
        unnamed: [...document.querySelectorAll<HTMLInputElement>('button, a[href], input, select')]
          .filter((control) => {
            const label = control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent;
            return !(label || control.textContent)?.trim();
          })
          .map((control) => control.outerHTML),
      }));
    }
    const right = { widths: [400, 400], unnamed: [] };
    expect(found).toEqual(Object.fromEntries(views.map((view) => [view, right])));
  });

  test('says when the mock is gone, and goes on by itself when it is back', async () => {
    const first = await startMock();
    const page = await mock.open('test_key');
    await page.goto(`${first.url}/`);
    await page.getByText('Live').waitFor();
    expect(page.url()).toContain('/__admin/ui/?key=test_key');
    await first.close();
    await page.getByText('Not connected').waitFor();
    const second = await startMock({ port: first.port });
    await exchange(`${second.url}/api/v1/email/send`, 'POST', {
      body: { subject: 'Back again', from: 'a@example.com', html: '' },
    });
    await page.getByText('Back again').waitFor();
    await page.getByText('Live').waitFor();
    await second.close();
  });
});
