// The outbox page in a real browser: keyboard, colours, sizes.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, usePage } from '../../testing/browser.ts';

const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.row ?? null');

/** The views, and an element of each that is there once its data are loaded. */
const views: Readonly<Record<string, string>> = {
  messages: 'a[data-row]',
  'messages/msg_000001': 'iframe',
  requests: 'a[data-row]',
  'requests/req_000001': '.sides',
  leads: '.empty',
  templates: 'a[data-row]',
  'templates/1': 'iframe',
  questions: '.question',
  faults: '.empty',
  clock: '.face',
  state: 'input[type=file]',
};

const show = async (page: Page, view: string): Promise<void> => {
  await page.goto(`${page.url().split('#')[0]}#/${view}`);
  await page.locator(`nav [aria-current][data-view=${view.split('/')[0]}]`).waitFor();
  await page.locator(`main ${views[view]}`).first().waitFor({ state: 'attached' });
};

type Stop = { readonly control: number; readonly text: string; readonly outline: string };

/** Remembers the controls that Tab must reach, in document order: what a person can use and see. */
const collectControls = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';
    const controls = [...document.querySelectorAll<HTMLInputElement>(selector)].filter(
      (element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility(),
    );
    Object.assign(globalThis, { controls: controls.filter(({ tagName }) => tagName !== 'IFRAME') });
  });

/** Every stop of Tab from the start of the page until the focus leaves it or begins again, which depends on the browser. */
const tabStops = async (page: Page): Promise<Stop[]> => {
  await collectControls(page);
  const stops: Stop[] = [];
  let isInside = true;
  while (isInside) {
    expect(stops.length, 'the focus must come to an end').toBeLessThan(200);
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element || element === document.body || element === document.documentElement) return undefined;
      const scope = globalThis as unknown as { controls: Element[]; last?: Element };
      // A date field has several stops inside.
      const isSame = scope.last === element;
      scope.last = element;
      const { outlineStyle } = getComputedStyle(element);
      const text = element.textContent ?? '';
      return { control: scope.controls.indexOf(element), text, outline: outlineStyle, isSame };
    });
    const isAgain = stop?.control === 0 && stops.length > 0;
    isInside = stop !== undefined && !isAgain;
    if (stop && isInside && !stop.isSame) stops.push({ ...stop });
  }
  return stops;
};

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describeInBrowser('using the page', () => {
  const mock = usePage();
  /** The page of a workspace with three messages. */
  const openThree: typeof mock.open = async (...place) => {
    for (const subject of ['One', 'Two', 'Three']) await mock.mail({ subject });
    return mock.open(...place);
  };

  test('a request for an operation that the answers exclude has a button that sets the answer', async () => {
    await mock.call('GET', '/api/v1/leads');
    const page = await mock.open('#/requests');
    await page.locator('a[data-row]').first().click();
    await page.getByRole('button', { name: 'Set lead.list = present' }).click();
    await page.getByText('The operation exists from the next request on').waitFor();
    expect((await mock.call('GET', '/api/v1/leads')).status).toBe(200);
  });

  test('a request without a key says why, and copies the header that it lacked', async () => {
    const { own } = mock;
    await fetch(`${mock.url}/api/v1/email/templates?for=${own}`);
    const page = await mock.open(`#/requests?unmatched=true&q=${own}`, clipboard);
    await page.locator('a[data-row]').first().click();
    await page.getByText('authentication_missing').waitFor();
    await page.getByRole('button', { name: `Copy Authorization: Bearer ${own}` }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Authorization: Bearer ${own}`);
  });

  test('by keyboard: move, open, move on, go back, delete', async () => {
    const page = await openThree();
    await page.getByText('Three').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toBe('msg_000003');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toBe('msg_000002');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Two' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'One' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).not.toBeNull();
    const row = await focused(page);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('a[data-row]').count()).toBe(3);
    // The row has the focus again a moment after the dialog is gone.
    await expect.poll(() => focused(page)).toBe(row);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('a[data-row]').count()).toBe(2);
  });

  test('what is typed into the search is no command; the skip link leads past the navigation', async () => {
    const page = await openThree();
    await page.getByText('Three').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    await page.keyboard.type('jk?o');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk?o');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByText('Three').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  });

  test.each(['messages', 'requests/req_000001', 'templates/1', 'faults', 'clock', 'state'])(
    'Tab in %s starts at the skip link, reaches every control in order and shows the focus',
    async (view) => {
      const page = await openThree(`#/${view}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await show(page, view);
      const stops = await tabStops(page);
      expect(stops[0]?.text).toBe('Skip to content');
      expect(stops.filter(({ outline }) => outline === 'none')).toEqual([]);
      // Browsers may stop at areas that scroll, too.
      const reached = stops.filter(({ control }) => control >= 0);
      const controls = await page.evaluate(() => Reflect.get(globalThis, 'controls').length as number);
      expect(controls).toBeGreaterThan(13);
      expect(reached.map(({ control }) => control)).toEqual(Array.from({ length: controls }, (_, at) => at));
    },
  );

  test('every view fits 400 pixels', async () => {
    const page = await openThree('', { viewport: { width: 400, height: 800 } });
    const found: Record<string, unknown> = {};
    for (const view of Object.keys(views)) {
      await show(page, view);
      found[view] = await page.evaluate(() =>
        [document.documentElement, document.querySelector('main')].map((part) => part?.scrollWidth),
      );
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(views).map((view) => [view, [400, 400]])));
  });

  // The second is 200 % zoom of 1280 × 800.
  test.each([1, 2])(
    'at 640 × 400 and %i device pixels each, every control can be scrolled to and clicked',
    async (deviceScaleFactor) => {
      const viewport = { width: 640, height: 400 };
      const page = await openThree('', { viewport, deviceScaleFactor });
      for (const view of Object.keys(views)) {
        await show(page, view);
        expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(640);
        const controls = await page
          .locator('main :is(button:enabled, a[href], input:not([type=file]), select, summary):visible')
          .all();
        // Of many, the first and the last.
        for (const control of [...controls.slice(0, 8), ...controls.slice(8).slice(-8)])
          await control.click({ trial: true });
      }
    },
  );
});
