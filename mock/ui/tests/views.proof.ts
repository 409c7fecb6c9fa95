// The outbox page in a real browser: more of everything beside messages than `npm test` has time for.
import { describe, expect, test } from 'vitest';
import { browserTestMs, chromiumPath, noBrowser, usePage } from '../../testing/browser.ts';

const hasChromium = chromiumPath() !== undefined;
const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

describe.skipIf(!hasChromium)(
  hasChromium ? 'the other views in detail' : noBrowser,
  { timeout: browserTestMs },
  () => {
    const mock = usePage();
    const add = (key: string, body: object = lead) => mock.call(key, 'POST', '/api/v1/leads', body);

    test('leads show at once, and change', async () => {
      const key = mock.key();
      const page = await mock.open(key, '#/leads');
      await page.getByText('No leads yet').waitFor();
      await add(key);
      await page.getByRole('rowheader', { name: 'Lena Fischer' }).waitFor();
      await mock.call(key, 'PUT', '/api/v1/leads/lead_000001', { note: 'Done' });
      await page.getByRole('cell', { name: 'Done' }).waitFor();
    });

    test('a long note of a lead is cut, with a button that shows all of it', async () => {
      const key = mock.key();
      await add(key, { ...lead, note: `${'word '.repeat(1000)}end` });
      await add(key, { name: 'Ada', source: 'Webinar', note: 'One\nTwo\nThree\nFour' });
      const page = await mock.open(key, '#/leads');
      const note = page.getByRole('row').filter({ hasText: 'Lena Fischer' }).getByRole('cell').nth(1);
      await note.getByText('…').waitFor();
      expect((await note.textContent())?.length).toBeLessThan(150);
      await note.getByRole('button', { name: 'Show all of the note' }).click();
      await note.getByText('end').waitFor();
      await note.getByRole('button', { name: 'Show less of the note' }).click();
      await expect.poll(async () => (await note.textContent())?.length).toBeLessThan(150);
      const lines = page.getByRole('row').filter({ hasText: 'Ada' });
      await lines.getByText('Three…').waitFor();
      await lines.getByRole('button', { name: 'Show all of the note' }).click();
      await lines.getByText('Four').waitFor();
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
      await page.getByText('No fault rules').waitFor();
      await change('PUT', '/faults', { rules: [{ operation: 'addLead', status: 418 }] });
      await page.getByText('Calls to addLead return 418').waitFor();
      const templates = await mock.open(key, '#/templates');
      await templates.getByText('Course welcome').waitFor();
      await templates.getByText('Course welcome').click();
      await templates.frameLocator('iframe').getByText('Hello {{first_name}}').waitFor();
      await change('PUT', '/templates/1', { name: 'Another welcome', body: '<p>Good morning' });
      await templates.getByRole('heading', { name: 'Another welcome' }).waitFor();
      await templates.frameLocator('iframe').getByText('Good morning').waitFor();
      const clock = await mock.open(key, '#/clock');
      await clock.getByText('running').waitFor();
      await change('PUT', '/clock', { now: '2026-03-02T10:15:30Z' });
      await clock.getByText('10:15:30').waitFor();
      const questions = await mock.open(key, '#/questions?changed=1');
      await questions.getByText('No matching questions').waitFor();
      await change('PATCH', '/answers', { 'send.to': 'required' });
      await questions.getByText('send.to', { exact: true }).waitFor();
    });

    test('a fault rule breaks connections until it is deleted', async () => {
      const key = mock.key();
      const page = await mock.open(key, '#/faults');
      await page.getByLabel('The next').fill('');
      await page.getByLabel('Effect of the rule').selectOption('fault');
      await page.getByRole('button', { name: 'Add rule', exact: true }).click();
      await page.getByText('break with CONNECTION_RESET_BY_PEER').waitFor();
      await expect(add(key)).rejects.toThrow();
      await page.getByRole('button', { name: 'Delete rule 1' }).click();
      await page.getByText('No fault rules').waitFor();
      expect((await add(key)).status).toBe(200);
    });

    test('a fault may lose only the reply', async () => {
      const key = mock.key();
      const page = await mock.open(key, '#/faults');
      await page.getByLabel('execute, then lose the response').check();
      await page.getByRole('button', { name: 'Add rule', exact: true }).click();
      await page.getByText('return 503, after the operation is executed').waitFor();
      expect((await add(key)).status).toBe(503);
      expect((await add(key)).body).toMatchObject({ data: { lead_id: 'lead_000002' } });
    });

    test('a file that is no state changes nothing and says why', async () => {
      const key = mock.key();
      const page = await mock.open(key, '#/state');
      const take = (text: string, name = 'wrong.json') =>
        page.getByLabel('State file').setInputFiles({
          name,
          mimeType: 'application/json',
          buffer: Buffer.from(text),
        });
      await take('{');
      await page.getByText('wrong.json is not JSON').waitFor();
      await take('leads: []', 'seed.yaml');
      await page.getByText('seed.yaml is not JSON. The page reads no YAML.').waitFor();
      await page.getByText('Start the mock with --seed seed.yaml').waitFor();
      await take('{"leads": 7}');
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
      await page.getByText('leads').filter({ hasText: 'must be' }).waitFor();
    });
  },
);
