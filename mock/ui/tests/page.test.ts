// What only a browser can tell: that the page shows what happens and changes it, and what a page of another origin may do.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sample } from 'fast-check';
import { expect, test, vi } from 'vitest';
import { sh, word } from '../../contract/shell.ts';
import type { connectMock } from '../../index.ts';
import { anyText } from '../../testing/any-text.ts';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';
import { startCheckedMock } from '../../testing/checked-mock.ts';
import { exchange, mailInTest } from '../../testing/mock-server.ts';
import { serve } from '../../testing/temporary.ts';

const lead = { name: 'Lena Fischer', source: 'Webinar', note: 'Call back' };

// The other views and messages are in the files of the proof.
type Reply = { readonly status: number; readonly body: unknown } | string;

describeInBrowser('the page', () => {
  const mock = usePage();
  const add = (body: object = lead) => mock.call('POST', '/api/v1/leads', { body });

  test('requests come in live with why they were refused, are filtered and searched, and deleted without messages', async () => {
    const page = await mock.open('#/requests');
    await page.getByText('No requests yet').waitFor();
    await add();
    await add({ name: 7 });
    await mock.mail({ to: 'amal@example.com', subject: 'Seat reserved' });
    await mock.call('GET', '/api/v1/nothing');
    await rows(page, '400').click();
    await page.getByRole('article').getByText('body/name must be string').first().waitFor();
    await page.getByRole('region', { name: 'Request' }).getByText('"name"').waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText('"success"').waitFor();
    await page.getByLabel('Status').selectOption('2xx');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByLabel('Operation').selectOption('deleteLead');
    await page.getByText('No matching requests').waitFor();
    await press(page, 'Clear the filters');
    await page.getByRole('searchbox').fill('seat reserved');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Path and key').selectOption('Unmatched');
    await rows(page, 'there is no path').waitFor();
    await press(page, 'Delete all requests');
    await press(page.getByRole('dialog'), 'Delete all');
    await page.getByText('No requests yet').waitFor();
    expect(await mock.read('/requests')).toMatchObject({ total: 0 });
    expect(await mock.read('/outbox')).toMatchObject({ total: 1 });
  });

  test('an answer given on the page decides the next call, may be a number, and can be taken back', async () => {
    const page = await mock.open('#/questions?q=lead.name');
    const group = page.getByRole('group', { name: 'Answer of lead.name', exact: true });
    await group.getByRole('button', { name: 'optional' }).click();
    await page.getByText('lead.name is now optional').waitFor();
    expect((await add({ source: 'a', note: 'b' })).status).toBe(200);
    await group.getByRole('button', { name: 'Restore the default of lead.name' }).click();
    await page.getByText('lead.name is back to the server default').waitFor();
    await page.getByRole('searchbox').fill('validation-status');
    const field = page.getByLabel('Another number for failure.validation-status');
    await field.fill('422');
    await field.press('Enter');
    await page.getByText('failure.validation-status is now 422').waitFor();
    expect((await add({ source: 'a', note: 'b' })).status).toBe(422);
    await page.getByRole('searchbox').fill('');
    await page.getByText('lead.list', { exact: true }).waitFor();
    expect(await page.locator('.question.changed').count()).toBe(1);
  });

  const site = serve(({ url }, response) =>
    url === '/client.js'
      ? response.setHeader('content-type', 'text/javascript').end(readFileSync('dist/browser/client.js'))
      : response.setHeader('content-type', 'text/html').end('<title>app</title>'),
  );

  /** A page of another origin, and its `fetch`: the text of the error where the browser does not let it have the reply. */
  const openSite = async () => {
    const page = await mock.open();
    await page.goto((await site).replace('127.0.0.1', 'localhost'));
    const call = (path: string, method = 'GET', body?: string, key = mock.own): Promise<Reply> =>
      page.evaluate(
        async ([url, verb, text, token]) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          // With cookies, as some clients always do.
          const sent = { method: verb as string, headers, credentials: 'include' } as const;
          try {
            const response = await fetch(url as string, text === undefined ? sent : { ...sent, body: text });
            return { status: response.status, body: await response.json() };
          } catch (error) {
            return String(error);
          }
        },
        [mock.url + path, method, body, key] as const,
      );
    return { page, call };
  };

  test.each(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE'])('it meets %s as a rule says', async (fault) => {
    const { call } = await openSite();
    await mock.admin('PUT', '/faults', { body: { rules: [{ operation: 'addLead', fault, times: 1 }] } });
    const addLead = () => call('/api/v1/leads', 'POST', '{"name":"Lena"}');
    expect(await addLead()).toMatch(/Failed to fetch/);
    expect(await addLead()).toMatchObject({ status: 200 });
    expect(await mock.read('/requests')).toMatchObject({ requests: [{ status: 200 }, { status: 0 }] });
  });

  test('it may not read the outbox, unless its origin is allowed: then email-leads/client steers the mock', async () => {
    const { page, call } = await openSite();
    expect(await call('/__admin/outbox')).toMatch(/Failed to fetch/);
    const { origin } = new URL(page.url());
    await using allowing = await startCheckedMock({ allowedOrigins: [origin] });
    const body = { ...mailInTest, to: 'b@example.com' };
    await exchange(`${allowing.url}/api/v1/email/send`, 'POST', { body });
    // As text: Vitest changes an import in a function.
    await page.evaluate(`import('/client.js').then((client) => void Object.assign(globalThis, client))`);
    const steered = await page.evaluate(
      async ([allowed, other]) => {
        const { connectMock: connect } = globalThis as unknown as { connectMock: typeof connectMock };
        const remote = connect(String(allowed));
        await remote.faults.set({ status: 503 });
        const [mail] = await remote.outbox.waitFor({ to: 'b@example.com' });
        return [mail.text, await connect(String(other)).reset().catch(String)];
      },
      [allowing.url, mock.url],
    );
    expect(steered).toEqual(['Hi', expect.stringContaining(`with --allowed-origin ${origin}`)]);
    expect(allowing.faults.list()).toMatchObject([{ status: 503 }]);
  });
});

// What becomes of texts: commands for a shell, also in the scripts of the suite.
/** The arguments that a shell passes on to curl, and what else it prints. */
const runInShell = (shell: string, command: string): string[] =>
  execFileSync(shell, ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test.each([
  '$(echo injected) `echo injected` "; echo injected; "',
  "\\'; echo injected; ' # $'x41'",
  '-o /tmp/x\n echo injected',
  '\u001b[31m\r\u0007\u0085 ! & | > ~ * ? {a,b} [1-9] %0a я 😀',
])('a curl command passes %j on unchanged in every part', async (text) => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:4010/__admin/ui/' });
  const { curlCommand } = await import('../data/curl.ts');
  vi.unstubAllGlobals();
  const command = curlCommand({ method: text, path: `/${text}`, type: text, body: text }, text);
  expect(command).not.toMatch(/[^\P{Cc}\n]/u);
  for (const shell of ['dash', 'bash'])
    expect(runInShell(shell, command)).toEqual([
      ...['-g', '--path-as-is', '-X', text, `http://127.0.0.1:4010/${text}`],
      ...['-H', `Authorization: Bearer ${text}`, '-H', `Content-Type: ${text}`, '--data-raw', text],
    ]);
});

test('random texts stay one word each in a command and in a script, also beside a variable', () => {
  const texts = sample(anyText(), { numRuns: 400, seed: 12 });
  const words = texts.flatMap((text) => [sh`${text}`, word(text, sh`$lead1`, text)]);
  const { code } = sh`lead1='a "$b"'; curl ${words}`;
  expect(code).not.toMatch(/[^\P{Cc}\n]/u);
  // No argument of a command can contain the character 0.
  const expected = texts
    .map((text) => text.replaceAll('\0', ''))
    .flatMap((text) => [text, `${text}a "$b"${text}`]);
  for (const shell of ['dash', 'bash']) expect(runInShell(shell, code)).toEqual(expected);
});
