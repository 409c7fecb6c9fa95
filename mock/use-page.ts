import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type Mock, type MockOptions, startMock } from './index.ts';
import { exchange, type Received } from './use-mock.ts';

export type PageInTest = {
  readonly url: string;
  /** A workspace nobody else uses. */
  readonly key: () => string;
  /**
   * The page of a workspace, at a place like `#/messages`. Pages without settings share a browser that forgets between tests,
   * which is quicker by far than a new one each.
   */
  readonly open: (key: string, place?: string, options?: BrowserContextOptions) => Promise<Page>;
  readonly call: (key: string, method: string, path: string, body?: object | string) => Promise<Received>;
  /** Sends a mail. */
  readonly mail: (key: string, fields?: object) => Promise<void>;
};

// Generous: the machine may be busy with other tests.
const time = 12_000;

/** A mock and a browser for the tests of one file. A test fails for any error of the page, and for any dialog of the browser. */
export const usePage = (options: MockOptions = {}): PageInTest => {
  let mock: Mock;
  let browser: Browser;
  let shared: BrowserContext;
  let complaints: string[] = [];
  const makeContext = async (settings: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
    context.setDefaultTimeout(time);
    return context;
  };
  beforeAll(async () => {
    mock = await startMock(options);
    browser = await launchChromium();
    shared = await makeContext();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  });
  afterEach(async () => {
    await forget(shared, mock.url);
    for (const context of browser.contexts()) if (context !== shared) await context.close();
    const heard = complaints;
    complaints = [];
    expect(heard).toEqual([]);
  });
  const call: PageInTest['call'] = (key, method, path, body) =>
    exchange(mock.url + path, method, { key, ...(body === undefined ? {} : { body }) });
  return {
    get url() {
      return mock.url;
    },
    key: () => mock.key(),
    open: async (key, place = '', settings) => {
      const page = await (settings ? await makeContext(settings) : shared).newPage();
      page.on('pageerror', (error) => void complaints.push(String(error)));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(`${mock.url}/__admin/ui/?key=${key}${place}`);
      return page;
    },
    call,
    mail: async (key, fields = {}) => {
      const mail = {
        subject: 'Hello',
        from: 'courses@example.com',
        to: 'lena@example.com',
        html: '<p>Hi</p>',
      };
      const { status, text } = await call(key, 'POST', '/api/v1/email/send', { ...mail, ...fields });
      expect(status, text).toBe(200);
    },
  };
};

const forget = async (context: BrowserContext, url: string): Promise<void> => {
  for (const page of context.pages()) {
    if (page.url().startsWith(url)) await page.evaluate('localStorage.clear()');
    await page.close();
  }
};
