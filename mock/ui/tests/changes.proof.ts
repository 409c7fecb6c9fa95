// The outbox page in a real browser: whole journeys through what can be changed on it.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, usePage } from '../../testing/browser.ts';

const rows = (page: Page) => page.locator('a[data-row]');

describeInBrowser('changing things on the page', () => {
  const mock = usePage();
  const add = (name: string) => mock.call('POST', '/api/v1/leads', { body: { name } });

  test('a failure at one click, before all other rules', async () => {
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'addLead', status: 500 }] } });
    const page = await mock.open('#/faults');
    await page.getByRole('button', { name: '503 unavailable' }).click();
    await page.getByText('return 503').waitFor();
    expect(await mock.read('/faults')).toMatchObject({ rules: [{ status: 503 }, { status: 500 }] });
    expect((await add('Lena')).headers['retry-after']).toBe('5');
  });

  test('a template is added, changed and deleted', async () => {
    const page = await mock.open('#/templates');
    await page.getByRole('button', { name: 'Add template' }).click();
    await page.getByLabel('Name').fill('Invitation');
    await page.getByLabel('HTML').fill('<p>Hello {{name}}</p>');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: 'Invitation' }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('HTML').fill('<p>Bye {{first}}</p>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.frameLocator('iframe').getByText('Bye {{first}}').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Invitation' }).count()).toBe(0);
  });

  test('the open row of a long list is in view', async () => {
    for (let at = 0; at < 40; at += 1) await mock.mail();
    const page = await mock.open('#/messages/msg_000001');
    const row = page.locator('[data-row=msg_000001]');
    await row.waitFor();
    const isInView = () =>
      row.evaluate((element) => element.getBoundingClientRect().bottom <= globalThis.innerHeight);
    await expect.poll(isInView).toBe(true);
  });

  test('a fault rule with all its fields, changed later, and what is wrong said at the field', async () => {
    const page = await mock.open('#/faults');
    await page.getByText('No fault rules').waitFor();
    const form = page.getByRole('dialog').locator('form');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Operation').selectOption('addLead');
    await page.getByLabel('Only the method').selectOption('POST');
    await page.getByLabel('Only the path').fill('/api/v1/leads');
    await page.getByLabel('Only with the fields').fill('{"name":"Slow Joe"');
    const submit = () => form.getByRole('button', { name: 'Add rule' }).click();
    const problemOf = (label: string) =>
      page.getByLabel(label).evaluate((field: HTMLInputElement) => field.validationMessage);
    await submit();
    await page.getByText('when must be object').waitFor();
    expect(await problemOf('Only with the fields')).toContain('when must be object');
    expect(await page.evaluate('document.activeElement.name')).toBe('when');
    expect(await page.getByText('No fault rules').count()).toBe(1);
    await page.getByLabel('Only with the fields').fill('{"name":"Slow Joe"}');
    expect(await problemOf('Only with the fields')).toBe('');
    await page.getByLabel('Break the connection').selectOption('EMPTY_RESPONSE');
    await submit();
    await page.getByText('has both a status and a fault').waitFor();
    await page.getByLabel('Break the connection').selectOption('');
    await page.getByLabel('Retry-After').fill('7');
    await page.getByLabel('Delay from').fill('11');
    await page.getByLabel('Delay to').fill('10');
    await submit();
    await page.getByText('delay_ms has a min above its max').waitFor();
    expect(await problemOf('Delay from')).toContain('delay_ms has a min above its max');
    await page.getByLabel('Delay from').fill('1');
    await page.getByLabel('Only the nth call').fill('2');
    await page.getByLabel('Body').fill('{"success":false,"error":"busy"}');
    await submit();
    await page.getByText('waits 1–10 ms, returns 503').waitFor();
    expect(await mock.read('/faults')).toMatchObject({
      rules: [
        {
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
        },
      ],
    });
    await add('Somebody else');
    expect((await add('Slow Joe')).status).toBe(200);
    const fault = await add('Slow Joe');
    expect(fault).toMatchObject({ status: 503, body: { error: 'busy' }, headers: { 'retry-after': '7' } });
    await page.getByText('used up').waitFor();

    await page.getByRole('button', { name: 'Change rule 1' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('times');
    expect(await page.getByLabel('Only the path').inputValue()).toBe('/api/v1/leads');
    expect(await page.getByLabel('Only the method').inputValue()).toBe('POST');
    expect(await page.getByLabel('Body').inputValue()).toBe('{"success":false,"error":"busy"}');
    await page.getByLabel('Body').fill('');
    await page.getByLabel('Only the nth call').fill('');
    await page.getByLabel('Return the status').fill('418');
    await page.getByLabel('Execute, then lose the response').check();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('return 418, Retry-After 7, after the operation is executed').waitFor();
    expect((await add('Slow Joe')).status).toBe(418);
    await page.getByRole('button', { name: 'Delete rule 1' }).click();
    await page.getByText('No fault rules').waitFor();
    expect((await add('Slow Joe')).status).toBe(200);
  });

  test('a fault rule keeps what it says of an operation that only some answers have', async () => {
    const rule = { operation: 'listLeads', method: 'head', path: '/api/v1/leads' };
    await mock.admin('PUT', '/faults', { body: { rules: [{ ...rule, status: 503 }] } });
    const page = await mock.open('#/faults');
    await page.getByRole('button', { name: 'Change rule 1' }).click();
    await page.getByLabel('Only the path').fill('/api/v1/lead');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('is not a path of the service; did you mean /api/v1/leads?').waitFor();
    await page.getByLabel('Only the path').fill('');
    await page.getByLabel('Return the status').fill('500');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Calls to listLeads with HEAD return 500').waitFor();
  });

  test('a lead is added, changed and deleted', async () => {
    const page = await mock.open('#/leads');
    await page.getByRole('button', { name: 'Add lead' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lena Fischer');
    await dialog.getByLabel('Note').fill('Call back\nafter 17:00');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await rows(page).filter({ hasText: 'Lena Fischer' }).click();
    await page.getByRole('article').getByText('after 17:00').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Source').fill('Webinar');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article').getByText('Webinar').waitFor();
    const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back\nafter 17:00' };
    expect(await mock.read('/leads')).toMatchObject({ leads: [lead] });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No leads yet').waitFor();
    expect(await mock.read('/leads')).toMatchObject({ total: 0 });
  });

  test('requests are searched with words, fields, phrases and exclusions, filtered, and cleared', async () => {
    await mock.mail({ to: 'amal@example.com', subject: 'Seat reserved' });
    await mock.mail({ subject: 'Reserved: a seat' });
    await add('');
    await mock.call('GET', '/api/v1/nothing');
    const page = await mock.open('#/requests');
    await expect.poll(() => rows(page).count()).toBe(4);
    const search = page.getByRole('searchbox');
    for (const [query, count] of [
      ['email send', 2],
      ['to:amal', 1],
      ['subject:"seat reserved"', 1],
      ['reserved -amal', 1],
      ['"there is no"', 1],
      ['404', 1],
    ] as const) {
      await search.fill(query);
      await expect.poll(() => rows(page).count(), { message: query }).toBe(count);
    }
    await search.fill('');
    await page.getByLabel('Unmatched').check();
    await expect.poll(() => rows(page).count()).toBe(1);
    await rows(page).first().getByText('there is no path').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('button', { name: 'Delete all requests' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await mock.read('/requests')).toMatchObject({ total: 0 });
    expect(await mock.read('/outbox')).toMatchObject({ total: 2 });
  });

  test('the dark design of a mail follows the system, as the page does', async () => {
    const html =
      '<style>@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }</style><p>Hello</p>';
    await mock.mail({ html });
    const page = await mock.open('#/messages/msg_000001', { colorScheme: 'light' });
    const text = page.frameLocator('iframe').getByText('Hello');
    const colour = () => text.evaluate((element) => getComputedStyle(element).color);
    await text.waitFor();
    expect(await colour()).not.toBe('rgb(1, 2, 3)');
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const day = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(colour).toBe('rgb(1, 2, 3)');
    expect(await ground()).not.toBe(day);
  });

  test('a full outbox says which limit dropped messages', async () => {
    const html = 'x'.repeat(1_000_000);
    for (let count = 0; count < 40; count++) await mock.mail({ html });
    const page = await mock.open();
    await page.getByText(/The list was full \(32 Mi characters\): \d+ of the oldest were dropped/).waitFor();
  });
});
