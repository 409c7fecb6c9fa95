// An app in a browser works through the proxy: its page shows each exchange while it passes, and the HAR file of the browser is
// judged like the session.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser, launchChromium } from '../../../mock/testing/browser.ts';
import { runInProcess } from '../../../mock/testing/in-process.ts';
import { temporaryDirectory } from '../../../mock/testing/temporary.ts';
import { runCheckCommand } from '../../cli/check.ts';
import { inData } from '../../proof/server/mutation.ts';
import { key, serve, startProxySession } from '../../testing/command.ts';

const wrongNote = inData('updateLead', (data) => ({ ...data, note: 'another note' }));

/** Runs in the browser: what an app sends. */
const send = async ([method, path, body, apiKey]: readonly [string, string, object, string]) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  return (await response.json()) as { data: { lead_id: string } };
};

describeInBrowser('the proxy between a browser and a service', () => {
  test('shows verdict, claim, section and both sides, and no key; so does check of the recording', async () => {
    const directory = temporaryDirectory();
    const { url, printed, end, ended } = await startProxySession((await serve(wrongNote)).url, [
      ...['--report-dir', directory],
    ]);
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const recordHar = { path: join(directory, 'session.har'), content: 'embed' } as const;
    const context = await browser.newContext({ recordHar });
    const app = await context.newPage();
    await app.route('**/app', (route) => route.fulfill({ contentType: 'text/html', body: 'app' }));
    await app.goto(`${url}/app`);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => void errors.push(String(error)));
    await page.goto(await printed(/Requests live: (\S+)/));
    await page.getByText('No requests yet').waitFor();

    const lead = { name: 'Lena Fischer', source: 'web', note: 'Met' };
    const { data } = await app.evaluate(send, ['POST', '/leads', lead, key] as const);
    await page.locator('[data-row]').filter({ hasText: 'conforms' }).waitFor();
    await app.evaluate(send, ['PUT', `/leads/${data.lead_id}`, { note: 'Called back' }, key] as const);
    const row = page.locator('[data-row]').filter({ hasText: 'broken' });
    await row.getByText('leads.update.echoes-note §4.6').waitFor();
    await row.click();
    await page.getByRole('list', { name: 'Findings' }).getByText('§4.6, documented').waitFor();
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('"Called back"').waitFor();
    await page.getByRole('region', { name: 'Response', exact: true }).getByText('"another note"').waitFor();
    expect(await page.content()).not.toContain(key);
    expect(errors).toEqual([]);

    await context.close();
    await end();
    expect(await ended).toBe(1);
    const args = [recordHar.path, '--require', 'addLead,updateLead'];
    const { code, stdout } = await runInProcess(runCheckCommand, args);
    expect(code, stdout).toBe(1);
    expect(stdout).toContain('2 exchanges checked, 1 of them broken');
    expect(stdout).toContain('FAIL leads.update.echoes-note');
  });
});
