// `npm run screenshot`: the README's screenshots of the page, light and dark, from the built mock, with fixed data and a frozen clock.
// For a Chromium that is not under /usr/bin: npm run screenshot -- PATH
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const outputs = { light: 'scripts/screenshot.png', dark: 'scripts/screenshot-dark.png' } as const;
const executablePath = process.argv[2] ?? '/usr/bin/chromium';
const time = '2026-03-02T10:15:30Z';

// The built package, because only the build contains the page.
const sdk: typeof import('../mock/index.ts') = await import(pathToFileURL(resolve('dist/index.js')).href);

const seatHtml = `
<h1 style="color:#174ea6;font:600 24px sans-serif">Your seat is reserved</h1>
<p style="font:16px sans-serif">Hello Lena, your place in <b>Watercolour for beginners</b> is confirmed.</p>
<p style="font:16px sans-serif">Your code at the door is <b>482913</b>.</p>
<p><a href="https://app.example.com/courses/42" style="font:16px sans-serif">Show my course</a></p>`;

const from = 'courses@example.com';
const outbox = [
  { from, to: 'ada@example.com', subject: 'Welcome, Ada', html: '<p>Welcome to the school!</p>' },
  { from, to: 'joan@example.com', subject: 'Your invoice for March', html: '<p>Thank you, Joan.</p>' },
  { from, to: 'grace@example.com', subject: 'Course moved to Thursday', html: '<p>Same room.</p>' },
  { from, to: 'lena@example.com', subject: 'Your seat is reserved', html: seatHtml },
].map((message) => ({ ...message, operation: 'sendEmail', created_at: time }) as const);

const mock = await sdk.startMock({
  log: 'silent',
  seed: { leads: [{ name: 'Lena Fischer', source: 'Website' }], outbox },
});
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text'],
});
try {
  mock.clock.freeze(time);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      colorScheme,
      viewport: { width: 1060, height: 520 },
      // Sharp where a page is some 900 pixels wide, as on GitHub.
      deviceScaleFactor: 1.5,
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    await page.goto(`${mock.url}/__admin/ui/?key=${mock.apiKey}`);
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
