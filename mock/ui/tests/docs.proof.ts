// The reference page at /docs in a real browser.
import { expect, test } from 'vitest';
import { describeInBrowser, usePage } from '../../testing/browser.ts';

describeInBrowser('the reference page', () => {
  const mock = usePage();

  test('shows the contract of the workspace in its address, and sends its key', async () => {
    await mock.admin('PATCH', '/answers', { body: { 'lead.list': 'present' } });
    const page = await mock.open();
    await page.getByRole('link', { name: 'Reference' }).click();
    // Only this workspace lists its leads.
    const list = page.locator('.opblock-get').filter({ hasText: '/api/v1/leads' }).first();
    await list.getByRole('button').first().click();
    await list.getByRole('button', { name: 'Execute' }).click();
    await list.getByText(`Authorization: Bearer ${mock.own}`).waitFor();
    await list.locator('.live-responses-table').getByText('200', { exact: true }).waitFor();
    const requests = [{ operation: 'listLeads', status: 200 }];
    expect(await mock.read('/requests')).toMatchObject({ requests });
  });
});
