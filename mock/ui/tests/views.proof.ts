// The page in a real browser: everything beside messages, requests and answers. What is changed on it counts from the next call on.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';

const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

/** Writes into fields of the open dialog by their labels. */
const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await page.getByRole('dialog').getByLabel(label).fill(text);
};

describeInBrowser('the other views', () => {
  const mock = usePage({ answers: { 'lead.list': 'present' } });
  const add = (fields: object = {}) => mock.call('POST', '/api/v1/leads', { body: { ...lead, ...fields } });

  test('a failure at one click, before all other rules', async () => {
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'addLead', status: 500 }] } });
    const page = await mock.open('#/faults');
    await press(page, '503 unavailable');
    await page.getByText('"status":503').waitFor();
    expect(await mock.read('/faults')).toMatchObject({ rules: [{ status: 503 }, { status: 500 }] });
    expect((await add()).headers['retry-after']).toBe('5');
  });

  test('a fault rule is written as JSON, and what is wrong is said at the field', async () => {
    const page = await mock.open('#/faults');
    const form = page.getByRole('dialog').locator('form');
    const field = page.getByLabel('The rule as JSON');
    const submit = async (text: string): Promise<void> => {
      await field.fill(text);
      await press(form, 'Add rule');
    };
    const problem = () => field.evaluate(({ validationMessage }: HTMLTextAreaElement) => validationMessage);
    await press(page, 'Add rule');
    await submit('{"status": 503');
    await page.getByText('rules/0 must be object, for example {').waitFor();
    await submit('{"operation":"addLead","when":"Slow Joe","status":503}');
    await page.getByText('when must be object').waitFor();
    expect(await problem()).toContain('when must be object');
    expect(await page.evaluate('document.activeElement.name')).toBe('rules');
    const rule = { operation: 'addLead', when: { name: 'Slow Joe' }, status: 503, nth: 2, times: 1 };
    await field.fill(JSON.stringify(rule));
    expect(await problem()).toBe('');
    await press(form, 'Add rule');
    await page.getByText(JSON.stringify(rule)).waitFor();
    expect(await mock.read('/faults')).toMatchObject({ rules: [rule] });
    for (const name of ['Somebody else', 'Slow Joe', 'Slow Joe']) await add({ name });
    await page.getByText('used up').waitFor();
    await press(page, 'Delete rule 1');
    await page.getByText('No fault rules').waitFor();
    expect((await add({ name: 'Slow Joe' })).status).toBe(200);
  });

  test.each<[string, Record<string, string>, Record<string, string>, (page: Page, text: string) => Locator]>([
    [
      'template',
      { Name: 'Invitation', HTML: '<p>Hello {{name}}</p>' },
      { HTML: 'Bye {{first}}' },
      (page, text) => page.frameLocator('iframe').getByText(text),
    ],
    [
      'lead',
      { Name: 'Lena Fischer', Note: 'Call back\nafter 17:00' },
      { Source: 'Webinar' },
      (page, text) => page.getByRole('article').getByText(text),
    ],
  ])('a %s is added, changed and deleted', async (noun, added, changed, shown) => {
    const page = await mock.open(`#/${noun}s`);
    const dialog = page.getByRole('dialog');
    await press(page, `Add ${noun}`);
    await fill(page, added);
    await press(dialog, 'Add');
    await rows(page, added.Name).click();
    await press(page, 'Change');
    await fill(page, changed);
    await press(dialog, 'Save');
    await shown(page, Object.values(changed)[0] ?? '').waitFor();
    const fields = Object.entries({ ...added, ...changed }).map(([name, text]) => [
      name === 'HTML' ? 'body' : name.toLowerCase(),
      text,
    ]);
    const all = await mock.read<Record<string, object[]>>(`/${noun}s`);
    expect(all[`${noun}s`]?.at(-1)).toMatchObject(Object.fromEntries(fields));
    await press(page, 'Delete');
    await press(dialog, 'Delete');
    await expect.poll(() => rows(page, added.Name).count()).toBe(0);
    expect((await mock.read<Record<string, object[]>>(`/${noun}s`))[`${noun}s`]).toHaveLength(
      noun === 'lead' ? 0 : 5,
    );
  });

  test('the clock stands still, goes on by days, and runs again', async () => {
    const page = await mock.open('#/clock');
    await press(page, 'Set…');
    await fill(page, { Time: '2030-01-02' });
    await press(page.getByRole('dialog'), 'Set and freeze');
    const problem = () =>
      page.getByLabel('Time').evaluate((field: HTMLInputElement) => field.validationMessage);
    await expect.poll(problem).toContain('now');
    await fill(page, { Time: '2030-01-02T03:04:05Z' });
    await press(page.getByRole('dialog'), 'Set and freeze');
    await page.getByText('03:04:05').waitFor();
    await page.getByRole('button', { name: '1 day' }).click();
    await page.getByText('2030-01-03').waitFor();
    expect(await mock.lead()).toMatchObject({ created_at: '2030-01-03T03:04:05.000Z' });
    await press(page, 'Reset to real time');
    await page.getByText('running').waitFor();
  });

  test('the state goes out to a file and comes back from it; another file says what is wrong', async () => {
    await add();
    const page = await mock.open('#/state');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the state' }).click();
    const file = await (await download).path();
    await press(page, 'Reset the workspace');
    await press(page.getByRole('dialog'), 'Reset');
    await page.getByText('Workspace reset', { exact: true }).waitFor();
    expect(await mock.read('/leads')).toMatchObject({ total: 0 });
    const take = (text: string, name = 'wrong.json') =>
      page
        .getByLabel('State file')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await take('{');
    await page.getByText('wrong.json is not JSON').waitFor();
    await take('leads: []', 'seed.yaml');
    await page.getByText('seed.yaml is not JSON: nothing was changed').waitFor();
    await take('{"leads": 7}');
    await press(page.getByRole('dialog'), 'Replace');
    await page.getByText('leads').filter({ hasText: 'must be' }).waitFor();
    await page.getByLabel('State file').setInputFiles(file);
    await press(page.getByRole('dialog'), 'Replace');
    await page.getByText('imported').waitFor();
    expect(await mock.read('/leads')).toMatchObject({ total: 1, leads: [lead] });
  });

  test('an empty list tells of requests without an accepted key and of other workspaces, as they come', async () => {
    const other = mock.key();
    const page = await mock.open();
    await page.getByText('No messages yet').waitFor();
    await mock.call('GET', '/api/v1/email/templates', { key: 'sk_live_1' });
    await page.getByText('1 request came without an accepted key').waitFor();
    await mock.mail({}, other);
    const hint = page.getByText(`The workspace ${other} has 1 message:`);
    await hint.waitFor();
    await page.getByRole('link', { name: 'show it', exact: true }).click();
    await rows(page, '401').waitFor();
    await page.getByText('Those without an accepted key belong to no workspace').waitFor();
    await page.getByRole('link', { name: 'Messages', exact: true }).first().click();
    await hint.getByRole('link', { name: 'switch to it' }).click();
    await rows(page, 'Hello').waitFor();
    expect(page.url()).toContain(`?key=${other}#/messages`);
    // Beside requests there are, what came without a key is one line.
    await page.getByRole('link', { name: /^Requests/ }).click();
    await page.getByText('1 request came without an accepted key').waitFor();
  });

  test('a key that the mock does not accept is asked for again, and not shown', async () => {
    const page = await mock.open('#/leads', { key: 'sk_live_1' });
    await page.getByRole('alert').getByText('This mock does not accept the key').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('sk_live_1');
    await page.getByRole('link', { name: 'Open the page without it' }).waitFor();
    await page.getByLabel('API key').fill(mock.key());
    await press(page, 'Show');
    await page.getByText('No leads yet').waitFor();
  });

  test('what cannot be loaded says why', async () => {
    const page = await mock.open();
    const refusal = { status: 503, json: { error: 'too busy', message: 'Ask again.' } };
    await page.route(/openapi\.json$/, (route) => route.fulfill(refusal));
    await page.goto(`${page.url()}#/questions`);
    await page.getByText('too busy. Ask again.').waitFor();
    await page.unroute(/openapi\.json$/);
    await mock.admin('POST', '/reset');
    await page.getByText('lead.list', { exact: true }).waitFor();
  });

  test('what is changed elsewhere shows at once', async () => {
    const change = (method: string, path: string, body: object) => mock.admin(method, path, { body });
    const templates = await mock.open('#/templates/1');
    await templates.frameLocator('iframe').getByText('Hello {{first_name}}').waitFor();
    await change('PUT', '/templates/1', { name: 'Another welcome', body: '<p>Good morning' });
    await templates.getByRole('heading', { name: 'Another welcome' }).waitFor();
    await templates.frameLocator('iframe').getByText('Good morning').waitFor();
    const leads = await mock.open('#/leads/lead_000001');
    await leads.getByText('No leads yet').waitFor();
    await add();
    await rows(leads, 'Lena Fischer').waitFor();
    const page = await mock.open('#/faults');
    await page.getByText('No fault rules').waitFor();
    await change('PUT', '/faults', { rules: [{ operation: 'deleteLead', status: 418 }] });
    await page.getByText('{"operation":"deleteLead","status":418}').waitFor();
    const clock = await mock.open('#/clock');
    await clock.getByText('running').waitFor();
    await change('PUT', '/clock', { now: '2026-03-02T10:15:30Z' });
    await clock.getByText('10:15:30').waitFor();
    const questions = await mock.open('#/questions');
    await questions.locator('.question').first().waitFor();
    await change('PATCH', '/answers', { 'send.to': 'required' });
    await questions.locator('.question.changed').getByText('send.to', { exact: true }).waitFor();
  });

  test('the reference shows the contract of the workspace in its address, and sends its key', async () => {
    const page = await mock.open();
    await page.getByRole('link', { name: 'Reference' }).click();
    // Only by its answers this mock lists leads.
    const list = page.locator('.opblock-get').filter({ hasText: '/api/v1/leads' }).first();
    await list.getByRole('button').first().click();
    await press(list, 'Execute');
    await list.getByText(`Authorization: Bearer ${mock.own}`).waitFor();
    await list.locator('.live-responses-table').getByText('200', { exact: true }).waitFor();
    const requests = [{ operation: 'listLeads', status: 200 }];
    expect(await mock.read('/requests')).toMatchObject({ requests });
  });
});
