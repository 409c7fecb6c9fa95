// The outbox page in a real browser: everything beside messages. What is changed on the page counts from the next call on.
import { describe, expect, test } from 'vitest';
import { chromiumPath, noBrowser } from '../chromium.ts';
import { usePage } from '../use-page.ts';

const found = chromiumPath() !== undefined;
const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

describe.skipIf(!found)(found ? 'the other views' : noBrowser, () => {
  const mock = usePage();
  const add = (key: string, body: object = lead) => mock.call(key, 'POST', '/api/v1/leads', body);

  test('requests come in live, with why they were refused and a curl that sends them again', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/requests');
    await page.getByText('No requests yet').waitFor();
    await add(key);
    await add(key, { name: 7 });
    await page.locator('a[data-row]').filter({ hasText: '400' }).click();
    await page.getByRole('article').getByText('body/name must be string').first().waitFor();
    await page.getByRole('region', { name: 'Request' }).getByText('"name"').waitFor();
    await page.getByRole('region', { name: 'Reply' }).getByText('"success"').waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await expect.poll(() => page.locator('a[data-row]').count()).toBe(1);
    await page.getByLabel('Operation').selectOption('deleteLead');
    await page.getByText('No request like that').waitFor();
  });

  test('leads show at once, and change', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/leads');
    await page.getByText('No leads yet').waitFor();
    await add(key);
    await page.getByRole('rowheader', { name: 'Lena Fischer' }).waitFor();
    await mock.call(key, 'PUT', '/api/v1/leads/lead_000001', { note: 'Done' });
    await page.getByRole('cell', { name: 'Done' }).waitFor();
  });

  test('a template shows its variables and how it looks', async () => {
    const page = await mock.open(mock.key(), '#/templates');
    await page.getByRole('link', { name: 'Course welcome' }).click();
    await page.getByRole('article').getByText('course_name', { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('Hello {{first_name}}').waitFor();
  });

  test('an answer given on the page decides the next call, and can be taken back', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/questions?q=lead.name');
    const group = page.getByRole('group', { name: 'Answer of lead.name', exact: true });
    await group.getByRole('button', { name: 'optional' }).click();
    await page.getByText('lead.name is now optional').waitFor();
    expect((await add(key, { source: 'a', note: 'b' })).status).toBe(200);
    await group.getByRole('button', { name: 'Put lead.name back' }).click();
    await page.getByText('lead.name is as the server has it again').waitFor();
    expect((await add(key, { source: 'a', note: 'b' })).status).toBe(400);
  });

  test('an answer may be a number', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/questions?q=validation-status');
    const field = page.getByLabel('Another number for failure.validation-status');
    await field.fill('422');
    await field.press('Enter');
    await page.getByText('failure.validation-status is now 422').waitFor();
    expect((await add(key, {})).status).toBe(422);
  });

  test('what is changed elsewhere shows at once', async () => {
    const key = mock.key();
    const change = (method: string, path: string, body: object) =>
      mock.call(key, method, `/__admin${path}`, body);
    const page = await mock.open(key, '#/faults');
    await page.getByText('Nothing armed').waitFor();
    await change('PUT', '/faults', { rules: [{ operation: 'addLead', status: 418 }] });
    await page.getByText('Calls of addLead answer 418').waitFor();
    const templates = await mock.open(key, '#/templates');
    await templates.getByText('Course welcome').waitFor();
    await change('PUT', '/templates/1', { name: 'Another welcome', body: 'x' });
    await templates.getByText('Another welcome').waitFor();
    const clock = await mock.open(key, '#/clock');
    await clock.getByText('running').waitFor();
    await change('PUT', '/clock', { now: '2026-03-02T10:15:30Z' });
    await clock.getByText('10:15:30').waitFor();
    const questions = await mock.open(key, '#/questions?changed=1');
    await questions.getByText('No question found').waitFor();
    await change('PATCH', '/answers', { 'send.to': 'required' });
    await questions.getByText('send.to', { exact: true }).waitFor();
  });

  test('a fault armed on the page takes the next call, and only as many as it says', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/faults');
    await page.getByText('Nothing armed').waitFor();
    await page.getByLabel('calls to').selectOption('addLead');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Calls of addLead answer 503').waitFor();
    expect((await add(key)).status).toBe(503);
    expect((await add(key)).status).toBe(200);
    await page.getByText('took 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Disarm all' }).click();
    await page.getByText('Nothing armed').waitFor();
  });

  test('a fault may break the connection until it is disarmed', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/faults');
    await page.getByLabel('The next').fill('');
    await page.getByLabel('What happens').selectOption('fault');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('break with CONNECTION_RESET_BY_PEER').waitFor();
    await expect(add(key)).rejects.toThrow();
    await page.getByRole('button', { name: 'Disarm rule 1' }).click();
    await page.getByText('Nothing armed').waitFor();
    expect((await add(key)).status).toBe(200);
  });

  test('a fault may lose only the reply', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/faults');
    await page.getByLabel('after it took effect').check();
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('answer 503, after taking effect').waitFor();
    expect((await add(key)).status).toBe(503);
    expect((await add(key)).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
  });

  test('the clock stands still, goes on by days, and runs again', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/clock');
    await page.getByLabel('Set to (UTC)').fill('2030-01-02T03:04:05');
    await page.getByRole('button', { name: 'Set and freeze' }).click();
    await page.getByText('03:04:05').waitFor();
    await page.getByRole('button', { name: '1 day' }).click();
    await page.getByText('2030-01-03').waitFor();
    const { body } = await add(key);
    expect(body).toMatchObject({ data: { created_at: '2030-01-03T03:04:05.000Z' } });
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByText('running').waitFor();
  });

  test('the state goes out to a file and comes back from it', async () => {
    const key = mock.key();
    await add(key);
    const page = await mock.open(key, '#/state');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the state' }).click();
    const file = await (await download).path();
    await page.getByRole('button', { name: 'Reset the workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Back to the seed', { exact: true }).waitFor();
    const leads = async () => (await mock.call(key, 'GET', '/__admin/leads')).body;
    expect(await leads()).toMatchObject({ total: 0 });
    await page.getByLabel('State file').setInputFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByText('is in force').waitFor();
    expect(await leads()).toMatchObject({ total: 1, leads: [lead] });
  });

  test('a file that is no state changes nothing and says why', async () => {
    const key = mock.key();
    const page = await mock.open(key, '#/state');
    const take = (text: string) =>
      page.getByLabel('State file').setInputFiles({
        name: 'wrong.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      });
    await take('{');
    await page.getByText('wrong.json is not JSON').waitFor();
    await take('{"leads": 7}');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByText('leads').filter({ hasText: 'must be' }).waitFor();
  });
});
