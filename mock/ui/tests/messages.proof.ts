// The outbox page in a real browser: messages.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, usePage } from '../../testing/browser.ts';

const rows = (page: Page) => page.locator('a[data-row]');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

describeInBrowser('messages', () => {
  const mock = usePage();

  test('a mail arrives while one looks', async () => {
    const page = await mock.open();
    await page.getByText('No messages yet').waitFor();
    await page.getByText('Live').waitFor();
    await mock.mail({ subject: 'Your seat', html: '<p>See you on Monday</p>' });
    await row(page, 'Your seat').waitFor();
    expect(await row(page, 'Your seat').textContent()).toContain('See you on Monday');
    expect(await page.title()).toBe(`Outbox · ${mock.own}`);
  });

  test('the empty page shows a command that works', async () => {
    const page = await mock.open();
    const command = (await page.locator('.command pre').textContent()) ?? '';
    const [, body = ''] = /--data-raw '(.*)'/.exec(command) ?? [];
    expect(command).toContain(`-X 'POST' '${mock.url}/api/v1/email/send'`);
    expect(command).toContain(`Bearer ${mock.own}`);
    await mock.call('POST', '/api/v1/email/send', { body });
    await row(page, 'Your seat is reserved').waitFor();
  });

  test('a notification for each new message while the page is in the background, when it is switched on', async () => {
    const page = await mock.open();
    // Chromium without a screen shows none.
    await page.evaluate(() => {
      const shown: { title: string; onclick?: () => void }[] = [];
      class FakeNotification {
        static permission = 'denied';
        static requestPermission = async () => FakeNotification.permission;
        close = (): void => undefined;
        readonly title: string;
        constructor(title: string) {
          this.title = title;
          shown.push(this);
        }
      }
      Object.assign(window, { Notification: FakeNotification, shown });
      Object.defineProperty(document, 'hidden', { value: true });
    });
    const titles = () =>
      page.evaluate(() =>
        (window as unknown as { shown: { title: string }[] }).shown.map(({ title }) => title),
      );
    const button = page.getByRole('button', { name: /^Notifications/ });
    await mock.mail({ subject: 'Before' });
    await row(page, 'Before').waitFor();
    await button.click();
    await page.getByText('Allow them in its settings').waitFor();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await page.evaluate(() => Object.assign(Notification, { permission: 'granted' }));
    const loaded = page.waitForResponse(/outbox\?limit=10$/);
    await button.click();
    await loaded;
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await mock.mail({ subject: 'After' });
    await expect.poll(titles).toEqual(['After']);
    await Promise.all(['Second', ''].map((subject) => mock.mail({ subject })));
    await expect.poll(async () => (await titles()).sort()).toEqual(['(no subject)', 'After', 'Second']);
    await page.evaluate(() =>
      (window as unknown as { shown: { onclick: () => void }[] }).shown[0]?.onclick(),
    );
    await page.getByRole('heading', { name: 'After' }).waitFor();
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await mock.mail({ subject: 'Not shown' });
    await row(page, 'Not shown').waitFor();
    expect(await titles()).toHaveLength(3);
  });

  test('search finds recipient, subject and text, and stays in the address', async () => {
    await mock.mail({ to: 'amal@example.com', subject: 'One' });
    await mock.mail({ subject: 'Two', html: '<p>watercolours</p>' });
    const page = await mock.open('#/messages');
    await row(page, 'Two').waitFor();
    await page.keyboard.press('/');
    for (const [words, subject] of [
      ['amal', 'One'],
      ['WATERCOLOUR', 'Two'],
    ] as const) {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(words);
      await page.waitForURL(`**/*q=${words}`);
      await row(page, subject).waitFor();
      await expect.poll(() => page.locator('a[data-row]').count()).toBe(1);
    }
    await page.reload();
    await row(page, 'Two').waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No matching messages').waitFor();
  });

  test('a letter that is typed while the search starts is kept', async () => {
    const page = await mock.open();
    const search = page.getByRole('searchbox');
    await search.evaluate((field: HTMLInputElement) => {
      const type = (letter: string): void => {
        field.value += letter;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      // The URL has `am` then. The second letter comes when the page has shown that URL.
      const typeOn = (): void => {
        type('a');
        requestAnimationFrame(() => setTimeout(() => type('l'), 20));
      };
      addEventListener('moved', typeOn, { once: true });
    });
    await search.fill('am');
    await page.waitForURL('**/*q=amal');
  });

  test('the chosen tab is kept from message to message', async () => {
    await mock.mail({ subject: 'One', html: '<p>first</p>' });
    await mock.mail({ subject: 'Two', html: '<p>second</p>' });
    const page = await mock.open('#/messages/msg_000001');
    await page.getByRole('tab', { name: 'HTML source' }).click();
    await page.getByRole('tabpanel').getByText('first').waitFor();
    await row(page, 'Two').click();
    await page.getByRole('tabpanel').getByText('second').waitFor();
    await page.getByRole('tab', { name: 'HTML source' }).press('ArrowRight');
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Text');
  });

  test('every tab shows its part, links and codes are found, and reading changes nothing', async () => {
    const html = '<p>Hello {{name}}, your code is 482913, <a href="https://example.com/reset?a=1">here</a>';
    await mock.admin('POST', '/templates', { body: { id: 'code', name: 'Code', body: html } });
    const body = { template_id: 'code', variables: { name: 'Lena' } };
    await mock.call('POST', '/api/v1/email/send-template', { body });
    const before = await mock.read('/state');
    const page = await mock.open('#/messages/msg_000001');
    const panel = page.getByRole('tabpanel');
    await panel.frameLocator('iframe').getByText('Hello Lena').waitFor();
    await page.getByRole('list', { name: 'Codes' }).getByText('482913').waitFor();
    const link = page.getByRole('list', { name: 'Links' }).getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://example.com/reset?a=1');
    expect(await link.getAttribute('target')).toBe('_blank');
    for (const [tab, text] of [
      ['HTML source', '<p>Hello Lena,'],
      ['Text', 'Hello Lena, your code is 482913, here'],
      ['Variables', 'Lena'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await expect.poll(() => panel.textContent()).toContain(text);
    }
    expect(await mock.read('/state')).toEqual(before);
    await page.getByRole('link', { name: 'req_000001' }).click();
    await page.getByRole('region', { name: 'Request' }).getByText('"Lena"').waitFor();
  });

  test('warnings are counted in the list, and a tab says what is wrong', async () => {
    await mock.mail({ subject: 'Fine', html: '<p>See you</p>' });
    await mock.mail({
      subject: 'Broken',
      html: '<p>Hi {{name}}</p>\n<a href="#">Go</a>',
    });
    const page = await mock.open('#/messages/msg_000002');
    await row(page, 'Broken').getByText('2 warnings', { exact: true }).waitFor();
    expect(await row(page, 'Fine').textContent()).not.toContain('warning');
    await page.getByRole('tab', { name: 'Warnings (2)' }).click();
    const warnings = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem');
    await expect.poll(() => warnings.count()).toBe(2);
    expect(await warnings.nth(1).textContent()).toContain('empty-link a link to # in line 2');
    const more = warnings.nth(1).getByRole('link', { name: 'More about empty-link' });
    expect(await more.getAttribute('href')).toMatch(/^https:/);
    expect(await more.getAttribute('target')).toBe('_blank');
    await page.getByRole('link', { name: 'All messages with it' }).last().click();
    await row(page, 'Fine').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'empty-link' }).click();
    await row(page, 'Fine').click();
    await page.getByRole('tab', { name: 'Warnings', exact: true }).waitFor();
    await page.getByText('Nothing was found').waitFor();
  });

  test('all are deleted, and the page begins anew', async () => {
    for (const subject of ['One', 'Two']) await mock.mail({ subject });
    const page = await mock.open();
    await row(page, 'Two').waitFor();
    await page.getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No messages yet').waitFor();
    expect(await mock.read('/outbox')).toMatchObject({ total: 0 });
  });

  test('a deleted message shows that it is gone', async () => {
    const page = await mock.open('#/messages/msg_000042');
    await page.getByText('Message not found').waitFor();
    await page.getByRole('link', { name: 'Back to the messages' }).click();
    await page.getByText('No messages yet').waitFor();
  });

  test('two workspaces do not mix, and the picker leads from one to the other', async () => {
    const two = mock.key();
    await mock.mail({ subject: 'Of one' });
    await mock.mail({ subject: 'Of two' }, two);
    const page = await mock.open();
    await row(page, 'Of one').waitFor();
    await page.getByLabel('Workspace').focus();
    await page.locator(`option[value=${two}]`).waitFor({ state: 'attached' });
    await page.getByLabel('Workspace').selectOption(two);
    await row(page, 'Of two').waitFor();
    expect(page.url()).toContain(`?key=${two}`);
    await mock.mail({ subject: 'Late' });
    await mock.mail({ subject: 'Last' }, two);
    await row(page, 'Last').waitFor();
    expect(await rows(page).count()).toBe(2);
  });

  test('of a thousand messages the page shows fifty at a time, also while mails keep coming', async () => {
    const send = (at: number) => mock.mail({ subject: `Receipt ${at}`, html: `<p>${'word '.repeat(200)}` });
    for (let at = 1; at <= 1000; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => send(at + i)));
    const page = await mock.open();
    await page.getByText('1–50 of 1,000').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('51–100 of 1,000').waitFor();
    expect(await rows(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('1–50 of 1,000').waitFor();
    for (let at = 1001; at <= 1040; at++) await send(at);
    await row(page, 'Receipt 1040').waitFor();
    await page.getByRole('searchbox').fill('Receipt 77');
    await row(page, 'Receipt 770').waitFor();
    expect(await rows(page).count()).toBeLessThanOrEqual(50);
  });
});
