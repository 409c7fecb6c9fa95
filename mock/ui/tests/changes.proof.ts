// The outbox page in a real browser: whole journeys through what can be changed on it.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';

/** Writes into fields of the open dialog by their labels. */
const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await page.getByRole('dialog').getByLabel(label).fill(text);
};

describeInBrowser('changing things on the page', () => {
  const mock = usePage();
  const add = (name: string) => mock.call('POST', '/api/v1/leads', { body: { name } });

  test('a failure at one click, before all other rules', async () => {
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'addLead', status: 500 }] } });
    const page = await mock.open('#/faults');
    await press(page, '503 unavailable');
    await page.getByText('status 503').waitFor();
    expect(await mock.read('/faults')).toMatchObject({ rules: [{ status: 503 }, { status: 500 }] });
    expect((await add('Lena')).headers['retry-after']).toBe('5');
  });

  test('a template is added, changed and deleted', async () => {
    const page = await mock.open('#/templates');
    await press(page, 'Add template');
    await fill(page, { Name: 'Invitation', HTML: '<p>Hello {{name}}</p>' });
    await press(page, 'Add');
    await page.getByRole('link', { name: 'Invitation' }).click();
    await press(page, 'Change');
    await fill(page, { HTML: '<p>Bye {{first}}</p>' });
    await press(page, 'Save');
    await page.frameLocator('iframe').getByText('Bye {{first}}').waitFor();
    await press(page, 'Delete');
    await press(page.getByRole('dialog'), 'Delete');
    await expect.poll(() => page.getByRole('link', { name: 'Invitation' }).count()).toBe(0);
  });

  test('a lead is added, changed and deleted', async () => {
    const page = await mock.open('#/leads');
    const dialog = page.getByRole('dialog');
    await press(page, 'Add lead');
    await dialog.getByLabel('Name').fill('Lena Fischer');
    await dialog.getByLabel('Note').fill('Call back\nafter 17:00');
    await press(dialog, 'Add');
    await rows(page, 'Lena Fischer').click();
    await page.getByRole('article').getByText('after 17:00').waitFor();
    await press(page, 'Change');
    await dialog.getByLabel('Source').fill('Webinar');
    await press(dialog, 'Save');
    await page.getByRole('article').getByText('Webinar').waitFor();
    const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back\nafter 17:00' };
    expect(await mock.read('/leads')).toMatchObject({ leads: [lead] });
    await press(page, 'Delete');
    await press(dialog, 'Delete');
    await page.getByText('No leads yet').waitFor();
    expect(await mock.read('/leads')).toMatchObject({ total: 0 });
  });

  test('a fault rule with all its fields, and what is wrong said at the field', async () => {
    const page = await mock.open('#/faults');
    const form = page.getByRole('dialog').locator('form');
    const problemOf = (label: string) =>
      page.getByLabel(label).evaluate((field: HTMLInputElement) => field.validationMessage);
    await press(page, 'Add rule');
    await page.getByLabel('Operation').selectOption('addLead');
    await page.getByLabel('Only the method').selectOption('POST');
    await fill(page, { 'Only the path': '/api/v1/leads', 'Only with the fields': '{"name":"Slow Joe"' });
    await press(form, 'Add rule');
    await page.getByText('when must be object').waitFor();
    expect(await problemOf('Only with the fields')).toContain('when must be object');
    expect(await page.evaluate('document.activeElement.name')).toBe('when');
    await fill(page, { 'Only with the fields': '{"name":"Slow Joe"}', 'Retry-After': '7' });
    expect(await problemOf('Only with the fields')).toBe('');
    await fill(page, { 'Delay from': '1', 'Delay to': '10', 'Only the nth call': '2' });
    await fill(page, { Body: '{"success":false,"error":"busy"}' });
    await press(form, 'Add rule');
    await page.getByText('delay 1–10 ms, status 503').waitFor();
    const rule = {
      operation: 'addLead',
      method: 'POST',
      path: '/api/v1/leads',
      when: { name: 'Slow Joe' },
      status: 503,
      retry_after: 7,
      delay_ms: { min: 1, max: 10 },
      nth: 2,
      body: { success: false, error: 'busy' },
      times: 1,
    };
    expect(await mock.read('/faults')).toMatchObject({ rules: [rule] });
    for (const name of ['Somebody else', 'Slow Joe', 'Slow Joe']) await add(name);
    await page.getByText('used up').waitFor();
    await press(page, 'Delete rule 1');
    await page.getByText('No fault rules').waitFor();
    expect((await add('Slow Joe')).status).toBe(200);
  });

  test('requests are searched, filtered and cleared, and messages stay', async () => {
    await mock.mail({ to: 'amal@example.com', subject: 'Seat reserved' });
    await mock.call('GET', '/api/v1/nothing');
    const page = await mock.open('#/requests');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('searchbox').fill('seat reserved');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Path and key').selectOption('Unmatched');
    await rows(page, 'there is no path').waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await press(page, 'Clear the filters');
    await press(page, 'Delete all requests');
    await press(page.getByRole('dialog'), 'Delete all');
    await page.getByText('No requests yet').waitFor();
    expect(await mock.read('/requests')).toMatchObject({ total: 0 });
    expect(await mock.read('/outbox')).toMatchObject({ total: 1 });
  });
});
