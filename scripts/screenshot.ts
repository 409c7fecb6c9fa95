// `npm run screenshot`: the README's screenshots of the page, light and dark, from the built mock, with fixed data and a frozen clock.
// For a Chromium that is not under /usr/bin: npm run screenshot -- PATH
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const outputs = { light: 'scripts/screenshot.png', dark: 'scripts/screenshot-dark.png' } as const;
const executablePath = process.argv[2] ?? '/usr/bin/chromium';
const apiKey = 'test_key';

type Sdk = typeof import('../mock/index.ts');

/** Loads the built package, because only the build contains the page. */
const loadSdk = (): Promise<Sdk> => import(pathToFileURL(resolve('dist/index.js')).href);

const callService = async (url: string, path: string, body: object): Promise<void> => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
};

const seatHtml = `
<h1 style="color:#174ea6;font:600 24px sans-serif">Your seat is reserved</h1>
<p style="font:16px sans-serif">Hello Lena, your place in <b>Watercolour for beginners</b> is confirmed.</p>
<p style="font:16px sans-serif">Your code at the door is <b>482913</b>.</p>
<p><a href="https://app.example.com/courses/42" style="font:16px sans-serif">Show my course</a></p>`;

const from = 'courses@example.com';
const messages = [
  { from, to: 'ada@example.com', subject: 'Welcome, Ada', html: '<p>Welcome to the school!</p>' },
  { from, to: 'joan@example.com', subject: 'Your invoice for March', html: '<p>Thank you, Joan.</p>' },
  { from, to: 'grace@example.com', subject: 'Course moved to Thursday', html: '<p>Same room.</p>' },
  { from, to: 'lena@example.com', subject: 'Your seat is reserved', html: seatHtml },
];

/** Sends the requests for the screenshot: messages, a lead, and one that gets an error response. */
const generateTraffic = async (url: string): Promise<void> => {
  await callService(url, '/leads', { name: 'Lena Fischer', source: 'Website' });
  await callService(url, '/email/send', { ...messages[0], from: 'nobody' });
  for (const message of messages) await callService(url, '/email/send', message);
};

const mock = await (await loadSdk()).startMock({ log: 'silent' });
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text'],
});
try {
  mock.clock.freeze('2026-03-02T10:15:30Z');
  await generateTraffic(mock.url);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      colorScheme,
      viewport: { width: 1060, height: 520 },
      // Sharp where a page is some 900 pixels wide, as on GitHub.
      deviceScaleFactor: 1.5,
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    await page.goto(`${mock.url}/__admin/ui/?key=${apiKey}`);
    await page.getByText('Your seat is reserved').first().click();
    await page.frameLocator('iframe').getByText('482913').waitFor();
    await page.screenshot({ path: outputs[colorScheme], animations: 'disabled' });
    await page.close();
    console.log(`wrote ${outputs[colorScheme]}`);
  }
} finally {
  await browser.close();
  await mock.close();
}
