// The page in a real browser: messages, and a mock that goes away or refuses to report changes.
import { expect, test } from 'vitest';
import { startMock } from '../../index.ts';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';
import { exchange } from '../../testing/mock-server.ts';

describeInBrowser('messages and the connection', () => {
  const mock = usePage();

  test('a mail arrives while one looks at an empty page, which shows a command that sends one', async () => {
    const page = await mock.open();
    await page.getByText('No messages yet').waitFor();
    await page.getByText('Live').waitFor();
    expect(await page.title()).toBe(`Outbox · ${mock.own}`);
    const command = (await page.locator('.command pre').textContent()) ?? '';
    const [, body = ''] = /--data-raw '(.*)'/.exec(command) ?? [];
    expect(command).toContain(`-X 'POST' '${mock.url}/api/v1/email/send'`);
    expect(command).toContain(`Bearer ${mock.own}`);
    await mock.call('POST', '/api/v1/email/send', { body });
    await rows(page, 'Your seat is reserved').waitFor();
  });

  test('search finds recipient, subject and text, and stays in the address', async () => {
    await mock.mail({ to: 'amal@example.com', subject: 'One' });
    await mock.mail({ subject: 'Two', html: '<p>watercolours</p>' });
    const page = await mock.open('#/messages');
    await rows(page, 'Two').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('WATERCOLOUR');
    await page.waitForURL('**/*q=WATERCOLOUR');
    await rows(page, 'One').waitFor({ state: 'detached' });
    await page.reload();
    await rows(page, 'Two').waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No matching messages').waitFor();
  });

  test('every tab shows its part, links and codes are found, and reading changes nothing', async () => {
    const html = '<p>Hello {{name}}, your code is 482913, <a href="https://example.com/reset?a=1">here</a>';
    await mock.admin('POST', '/templates', { body: { id: 'code', name: 'Code', body: html } });
    const body = { template_id: 'code', variables: { name: 'Lena' } };
    await mock.call('POST', '/api/v1/email/send-template', { body });
    await mock.mail({ subject: 'Another', html: '<p>second</p>' });
    const before = await mock.read('/state');
    const page = await mock.open('#/messages/msg_000001');
    const panel = page.locator('.tab-panel');
    await panel.frameLocator('iframe').getByText('Hello Lena').waitFor();
    await page.getByRole('list', { name: 'Codes' }).getByText('482913').waitFor();
    const link = page.getByRole('list', { name: 'Links' }).getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://example.com/reset?a=1');
    expect(await link.getAttribute('target')).toBe('_blank');
    for (const [tab, text] of [
      ['Text', 'Hello Lena, your code is 482913, here'],
      ['Variables', 'Lena'],
      ['HTML source', '<p>Hello Lena,'],
    ] as const) {
      await page.getByRole('radio', { name: tab }).click();
      await expect.poll(() => panel.textContent()).toContain(text);
    }
    expect(await mock.read('/state')).toEqual(before);
    // The next message opens in the same tab.
    await rows(page, 'Another').click();
    await expect.poll(() => panel.textContent()).toContain('<p>second</p>');
    await page.getByRole('link', { name: 'req_000002' }).click();
    await page.getByRole('region', { name: 'Request' }).getByText('second').waitFor();
  });

  test('warnings are counted in the list, and a tab says what is wrong', async () => {
    await mock.mail({ subject: 'Fine', html: '<p>See you</p>' });
    const html = '<p>Hi {{name}}</p>\n<a href="#">Go</a>';
    await mock.mail({ subject: 'Broken', html });
    const page = await mock.open('#/messages/msg_000002');
    await rows(page, 'Broken').getByText('2 warnings', { exact: true }).waitFor();
    expect(await rows(page, 'Fine').textContent()).not.toContain('warning');
    await page.getByRole('radio', { name: 'Warnings (2)' }).click();
    const warning = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').nth(1);
    await warning.getByText('a link to # in line 2').waitFor();
    const more = warning.getByRole('link', { name: 'More about empty-link' });
    expect(await more.getAttribute('href')).toMatch(/^https:/);
    await warning.getByRole('link', { name: 'All messages with it' }).click();
    await rows(page, 'Fine').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'empty-link' }).click();
    await rows(page, 'Fine').click();
    await page.getByText('Nothing was found').waitFor();
  });

  test('all are deleted, and one that is gone says so', async () => {
    for (const subject of ['One', 'Two']) await mock.mail({ subject });
    const page = await mock.open('#/messages/msg_000042');
    await page.getByText('there is no such message').waitFor();
    await page.getByRole('link', { name: 'Back to the messages' }).click();
    await rows(page, 'Two').waitFor();
    await press(page, 'Delete all messages');
    await press(page.getByRole('dialog'), 'Delete all');
    await page.getByText('No messages yet').waitFor();
    expect(await mock.read('/outbox')).toMatchObject({ total: 0 });
  });

  test('two workspaces do not mix, and the picker leads from one to the other', async () => {
    const two = mock.key();
    await mock.mail({ subject: 'Of one' });
    await mock.mail({ subject: 'Of two' }, two);
    const page = await mock.open();
    await rows(page, 'Of one').waitFor();
    await page.getByLabel('Workspace').focus();
    await page.locator(`option[value=${two}]`).waitFor({ state: 'attached' });
    await page.getByLabel('Workspace').selectOption(two);
    await rows(page, 'Of two').waitFor();
    expect(page.url()).toContain(`?key=${two}`);
    expect(await rows(page).count()).toBe(1);
  });

  test('of a thousand messages the page shows fifty at a time, the open one in view, and how many were dropped', async () => {
    const send = (at: number) => mock.mail({ subject: `Receipt ${at}` });
    for (let at = 0; at < 1010; at += 10)
      await Promise.all(Array.from({ length: 10 }, (_, i) => send(at + i)));
    const page = await mock.open('#/messages/msg_000970');
    await page.getByText('1–50 of 1,000').waitFor();
    const row = page.locator('[data-row=msg_000970]');
    const isInView = () =>
      row.evaluate((open) => open.getBoundingClientRect().bottom <= globalThis.innerHeight);
    await expect.poll(isInView).toBe(true);
    await page.getByText('The list was full: 10 of the oldest were dropped').waitFor();
    await press(page, 'Older');
    await page.getByText('51–100 of 1,000').waitFor();
    expect(await rows(page).count()).toBe(50);
    await press(page, 'Newer');
    await send(2000);
    await rows(page, 'Receipt 2000').waitFor();
  });

  const send = (url: string, subject: string, html = '<p>Hi</p>') =>
    exchange(`${url}/api/v1/email/send`, 'POST', { body: { subject, from: 'a@example.com', html } });

  test('what is shown stays when the mock stops, and all of it is loaded again when the mock is back', async () => {
    const first = await startMock();
    await send(first.url, 'One', '<p>of the first</p>');
    await send(first.url, 'Two');
    const page = await mock.open('test_key');
    await page.goto(`${first.url}/`);
    await rows(page, 'One').click();
    const mail = page.frameLocator('iframe');
    await mail.getByText('of the first').waitFor();
    await first.close();
    await page.getByRole('alert').getByText('Not connected').waitFor();
    await mail.getByText('of the first').waitFor();
    await press(page, 'Delete');
    await press(page.getByRole('dialog'), 'Delete');
    await page.getByText('The mock does not respond. Try again when it runs.').waitFor();
    await rows(page, 'Two').click();
    await page.getByRole('article').getByText('Not loaded').waitFor();

    const second = await startMock({ port: first.port });
    await send(second.url, 'One again', '<p>of the second</p>');
    await page.getByRole('link', { name: 'One again' }).click();
    await mail.getByText('of the second').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await second.close();
  });

  test('a refused event stream is no mock that is gone', async () => {
    await mock.mail();
    const page = await mock.open('#/messages/msg_000001');
    await page.frameLocator('iframe').getByText('Hi').waitFor();
    const json = { error: 'too many event streams', message: 'Close one.' };
    await page.route('**/events*', (route) => route.fulfill({ status: 429, json }));
    await page.reload();
    await page.getByRole('alert').getByText('too many event streams. Close one.').waitFor();
    await page.frameLocator('iframe').getByText('Hi').waitFor();
    await page.unroute('**/events*');
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
  });
});
