// The outbox page in a real browser: everything beside messages. What is changed on the page counts from the next call on.
import { expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';

const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

describeInBrowser('the other views', () => {
  const mock = usePage({ answers: { 'lead.list': 'present' } });
  const add = (body: object = lead) => mock.call('POST', '/api/v1/leads', { body });

  test('requests come in live, with why they were refused and a curl that sends them again', async () => {
    const page = await mock.open('#/requests');
    await page.getByText('No requests yet').waitFor();
    await add();
    await add({ name: 7 });
    await rows(page, '400').click();
    await page.getByRole('article').getByText('body/name must be string').first().waitFor();
    await page.getByRole('region', { name: 'Request' }).getByText('"name"').waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText('"success"').waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel('Operation').selectOption('deleteLead');
    await page.getByText('No matching requests').waitFor();
  });

  test('an answer given on the page decides the next call, and can be taken back', async () => {
    const page = await mock.open('#/questions?q=lead.name');
    const group = page.getByRole('group', { name: 'Answer of lead.name', exact: true });
    await group.getByRole('button', { name: 'optional' }).click();
    await page.getByText('lead.name is now optional').waitFor();
    expect((await add({ source: 'a', note: 'b' })).status).toBe(200);
    await group.getByRole('button', { name: 'Restore the default of lead.name' }).click();
    await page.getByText('lead.name is back to the server default').waitFor();
    expect((await add({ source: 'a', note: 'b' })).status).toBe(400);
  });

  test('a fault armed on the page takes the next call, and only as many as it says', async () => {
    const page = await mock.open('#/faults');
    await page.getByText('No fault rules').waitFor();
    await press(page, 'Add rule');
    await page.getByLabel('Operation').selectOption('addLead');
    await press(page.getByRole('dialog'), 'Add rule');
    await page.getByText('Calls to addLead: status 503').waitFor();
    expect((await add()).status).toBe(503);
    expect((await add()).status).toBe(200);
    await page.getByText('matched 1 of 1').waitFor();
    await press(page, 'Delete all');
    await page.getByText('No fault rules').waitFor();
  });
});
