// The outbox page in a real browser: a mock that goes away, or refuses to report changes.
import { expect, test } from 'vitest';
import { startMock } from '../../index.ts';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';
import { exchange } from '../../testing/mock-server.ts';

describeInBrowser('the connection', () => {
  const mock = usePage();
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
