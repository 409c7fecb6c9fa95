import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { type MockOptions, startMock } from '../index.ts';
import { useMock } from './mock-server.ts';

const candidates = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
    (name) => `/usr/bin/${name}`,
  ),
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The title of skipped browser tests, and the line that is printed. */
const noBrowser = 'browser tests skipped: no Chromium found (apt-get install chromium)';

/** The path of an installed Chromium, or `undefined`. Then a line says that the browser tests are skipped. */
export const chromiumPath = [...candidates, chromium.executablePath()].find((path) => existsSync(path));
if (chromiumPath === undefined) console.warn(noBrowser);

/** Time for one browser test, in ms. Only a test that hangs needs more, even on a busy machine. */
const browserTestMs = 180_000;

/** Starts a headless Chromium that makes no network requests of its own. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    timeout: browserTestMs,
    executablePath: chromiumPath ?? '',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });

/** Tests in a browser, which are skipped where there is none. */
export const describeInBrowser = (name: string, tests: () => void): void =>
  void describe.skipIf(!chromiumPath)(chromiumPath ? name : noBrowser, { timeout: browserTestMs }, tests);

/** The rows of the open list, or those with a text. */
export const rows = (page: Page, hasText: string | RegExp = ''): Locator =>
  page.locator('a[data-row]').filter({ hasText });

/** Clicks the button of that name. */
export const press = (place: Page | Locator, name: string): Promise<void> =>
  place.getByRole('button', { name, exact: true }).click();

type PageOptions = BrowserContextOptions & { readonly key?: string };

/** A mail from and to somebody, in whose page there is something to see. */
const mailOnPage = { subject: 'Hello', from: 'courses@example.com', to: 'lena@example.com' };

/** A mock and a browser for the tests of one file. A test fails for any error of the page, and for any dialog of the browser. */
export const usePage = (options: MockOptions = {}) => {
  const mock = useMock(options, startMock);
  let browser: Browser;
  let shared: BrowserContext;
  let pageErrors: string[] = [];
  const makeContext = async (settings: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
    // Generous: the machine may be busy with other tests.
    context.setDefaultTimeout(30_000);
    return context;
  };
  beforeAll(async () => {
    browser = await launchChromium();
    shared = await makeContext();
  }, browserTestMs);
  afterAll(() => browser?.close(), browserTestMs);
  afterEach(async () => {
    for (const page of shared.pages()) {
      if (page.url().startsWith(mock.url)) await page.evaluate('localStorage.clear()');
      await page.close();
    }
    for (const context of browser.contexts()) if (context !== shared) await context.close();
    const errors = pageErrors;
    pageErrors = [];
    expect(errors).toEqual([]);
  }, browserTestMs);
  const { mail } = mock;
  return Object.assign(mock, {
    /**
     * Opens the page of the test's workspace at an address like `#/messages`. Pages without options share a browser context,
     * which is emptied between tests: much faster than a new context each.
     */
    open: async (place = '', { key = mock.own, ...settings }: PageOptions = {}) => {
      const isShared = Object.keys(settings).length === 0;
      const page = await (isShared ? shared : await makeContext(settings)).newPage();
      page.on('pageerror', (error) => void pageErrors.push(String(error)));
      page.on('dialog', (dialog) => {
        pageErrors.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(`${mock.url}/__admin/ui/?key=${key}${place}`);
      return page;
    },
    mail: async (fields: object = {}, key = mock.own) => {
      const reply = await mail({ ...mailOnPage, ...fields }, key);
      expect(reply.status, reply.text).toBe(200);
      return reply;
    },
  });
};
