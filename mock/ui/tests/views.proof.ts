// The outbox page in a real browser: more of everything beside messages than `npm test` has time for.
import { expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';

const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

describeInBrowser('the other views in detail', () => {
  const mock = usePage({ answers: { 'lead.list': 'present' } });
  const add = (body: object = lead) => mock.call('POST', '/api/v1/leads', { body });

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
    await page.getByRole('link', { name: 'show the workspace test_key' }).waitFor();
    await page.getByLabel('API key').fill(mock.key());
    await press(page, 'Show');
    await page.getByText('No leads yet').waitFor();
  });

  test('an answer that the server starts with is no change, and one may be a number', async () => {
    const page = await mock.open('#/questions?q=validation-status');
    const field = page.getByLabel('Another number for failure.validation-status');
    await field.fill('422');
    await field.press('Enter');
    await page.getByText('failure.validation-status is now 422').waitFor();
    expect((await add({})).status).toBe(422);
    await page.getByRole('searchbox').fill('');
    await page.getByText('lead.list', { exact: true }).waitFor();
    expect(await page.locator('.question.changed').count()).toBe(1);
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

  test('the clock stands still, goes on by days, and runs again', async () => {
    const page = await mock.open('#/clock');
    await page.getByLabel('Set to (UTC)').fill('2030-01-02T03:04:05');
    await press(page, 'Set and freeze');
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
      page.getByLabel('State file').setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      });
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
    await page.getByText('Calls to deleteLead: status 418').waitFor();
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
