// The page in a real browser: keyboard, sizes, and the rules of axe for every view, wide and narrow, light and dark.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';

const focused = (page: Page) => page.evaluate('document.activeElement?.dataset.row ?? null');

/** The views, and an element of each that is there once its data are loaded. */
const views: Readonly<Record<string, string>> = {
  messages: 'a[data-row]',
  'messages/msg_000001': 'iframe',
  requests: 'a[data-row]',
  'requests/req_000001': '.sides',
  leads: '.empty, a[data-row]',
  templates: 'a[data-row]',
  'templates/1': 'iframe',
  questions: '.question',
  faults: '.empty, .card',
  'leads/lead_000001': 'article h2, article .empty',
  clock: '.face',
  state: 'input[type=file]',
};

const show = async (page: Page, view: string): Promise<void> => {
  await page.goto(`${page.url().split('#')[0]}#/${view}`);
  await page.locator(`nav [aria-current][data-view=${view.split('/')[0]}]`).waitFor();
  await page.locator(`main ${views[view]}`).first().waitFor({ state: 'attached' });
};

/** Every stop of Tab from the start of the page, and how many controls there are that a person can use and see. */
const tabStops = async (page: Page) => {
  const controls = await page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex]';
    // Of radio buttons the checked one is the stop.
    const isStop = (control: HTMLInputElement): boolean =>
      control.tabIndex >= 0 &&
      !control.disabled &&
      control.checkVisibility() &&
      (control.type !== 'radio' || control.checked);
    const found = [...document.querySelectorAll<HTMLInputElement>(selector)].filter(isStop);
    Object.assign(globalThis, { controls: found });
    return found.length;
  });
  const stops: { readonly control: number; readonly text: string | null; readonly outline: string }[] = [];
  while (stops.at(-1)?.control !== controls - 1) {
    expect(stops.length, 'the focus must reach the last control').toBeLessThan(200);
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { controls } = globalThis as unknown as { controls: Element[] };
      const outline = getComputedStyle(element).outlineStyle;
      return { control: controls.indexOf(element), text: element.textContent, outline };
    });
    // A date field has several stops inside.
    if (stop.control < 0 || stop.control !== stops.at(-1)?.control) stops.push(stop);
  }
  return { stops, controls };
};

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  var axe: { run: (root: unknown, options: RunOptions) => Promise<AxeResults> };
}

/** What is wrong with a page in each appearance, by the rules of axe and by its width. */
const problemsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  await page.evaluate(axeSource);
  for (const width of [1280, 800, 400])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const isWider = await page.evaluate(() =>
        [document.documentElement, document.querySelector('main')].some(
          (part) => part && part.scrollWidth > part.clientWidth,
        ),
      );
      if (isWider) found.push(`${width} px: it scrolls sideways`);
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

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

describeInBrowser('using the page', () => {
  const mock = usePage();
  /** The page of a workspace with three messages. */
  const openThree: typeof mock.open = async (...place) => {
    for (const subject of ['One', 'Two', 'Three']) await mock.mail({ subject });
    return mock.open(...place);
  };

  test('a request for an operation that the answers exclude leads to the question', async () => {
    await mock.call('GET', '/api/v1/leads');
    const page = await mock.open('#/requests');
    await rows(page).first().click();
    await page.getByRole('link', { name: 'It exists with lead.list = present' }).click();
    const group = page.getByRole('group', { name: 'Answer of lead.list', exact: true });
    await group.getByRole('button', { name: 'present' }).click();
    await page.getByText('lead.list is now present').waitFor();
    expect((await mock.call('GET', '/api/v1/leads')).status).toBe(200);
  });

  test('a request without a key says why, and copies the header that it lacked', async () => {
    const { own } = mock;
    await fetch(`${mock.url}/api/v1/email/templates?for=${own}`);
    const page = await mock.open(`#/requests?unmatched=true&q=${own}`, clipboard);
    await rows(page).first().click();
    await page.getByText('authentication_missing').waitFor();
    await press(page, `Copy Authorization: Bearer ${own}`);
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
    expect(await rows(page).count()).toBe(3);
    // The row has the focus again a moment after the dialog is gone.
    await expect.poll(() => focused(page)).toBe(row);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBe(2);
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

  const tabbed = ['messages', 'requests/req_000001', 'templates/1', 'faults', 'clock', 'state'];

  test.each(tabbed)('Tab in %s reaches every control in order, and shows the focus', async (view) => {
    const page = await openThree(`#/${view}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await show(page, view);
    const { stops, controls } = await tabStops(page);
    expect(stops[0]?.text).toBe('Skip to content');
    expect(stops.filter(({ outline }) => outline === 'none')).toEqual([]);
    // Browsers may stop at areas that scroll, too.
    const reached = stops.flatMap(({ control }) => (control < 0 ? [] : [control]));
    expect(controls).toBeGreaterThan(13);
    expect(reached).toEqual(Array.from({ length: controls }, (_, at) => at));
  });

  test('at 640 × 400, which is 200 % zoom of 1280 × 800, every control can be scrolled to and clicked', async () => {
    const page = await openThree('', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
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
  });

  test.each(['clock', 'state', 'faults', 'questions'])('at 400 px the link to #/%s is seen', async (view) => {
    await mock.admin('PUT', '/clock', { body: { frozen: true } });
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'addLead', status: 503 }] } });
    const page = await openThree(`#/${view}`, { viewport: { width: 400, height: 800 } });
    await page.getByRole('link', { name: /^Clock\s*frozen/ }).waitFor();
    const edges = async () => {
      const { x, width } = (await page.locator('nav [aria-current]').boundingBox()) ?? { x: -1, width: 0 };
      return [Math.round(x) >= 0, Math.round(x + width) <= 400];
    };
    await expect.poll(edges).toEqual([true, true]);
  });

  test.each<[string, string, click?: (page: Page) => Promise<void>]>([
    ...Object.keys(views).map((view): [string, string] => [view, 'at first']),
    ['faults', 'the form of a rule', (page) => press(page, 'Add rule')],
    ['messages/msg_000001', 'warnings', (page) => page.getByRole('radio', { name: /^Warnings/ }).click()],
  ])('axe finds nothing in %s, and it fits: %s', async (view, _what, click) => {
    await mock.mail({ html: '<p>{{name}} <img src="http://pictures.example.com/1.png"></p>' });
    await mock.lead({ name: 'Lena Fischer', source: 'Webinar', note: '' });
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'listTemplates', status: 503 }] } });
    const page = await mock.open();
    await page.getByText('Live', { exact: true }).waitFor();
    await show(page, view);
    await click?.(page);
    expect(await problemsOf(page)).toEqual([]);
  });
});
