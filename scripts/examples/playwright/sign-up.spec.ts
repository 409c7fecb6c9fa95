// Each test has its own workspace.
import type { Page } from '@playwright/test';
import { expect, test } from 'email-leads/playwright';

// Your own server serves your app; this example is a page of another origin that calls the mock.
const app = (url: string, apiKey: string): string => `
<input id="name"><button>Sign up</button><output></output>
<script>
  const post = (path, body) =>
    fetch('${url}' + path, {
      method: 'POST',
      headers: { authorization: 'Bearer ${apiKey}', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  document.querySelector('button').onclick = async () => {
    const name = document.querySelector('input').value;
    const output = document.querySelector('output');
    const added = await post('/api/v1/leads', { name });
    if (!added.ok) return (output.value = 'Please try again');
    const { data } = await added.json();
    await post('/api/v1/email/send', {
      subject: 'Welcome, ' + name, from: 'courses@example.com', to: name + '@example.com', html: '<p>Hello!</p>',
    });
    output.value = 'Welcome, ' + data.lead_id;
  };
</script>`;

const signUp = async (page: Page, name: string): Promise<void> => {
  await page.fill('input', name);
  await page.click('button');
};

// Each workspace is empty at first, so that every first lead is lead_000001.
for (const name of ['lena', 'ada', 'grace', 'joan']) {
  test(`${name} signs up and gets a mail`, async ({ page, mock }) => {
    await page.setContent(app(mock.url, mock.apiKey));
    await signUp(page, name);
    const [mail] = await mock.outbox.waitFor({ to: `${name}@example.com` });
    expect(mail.subject).toBe(`Welcome, ${name}`);
    await expect(page.locator('output')).toHaveText('Welcome, lead_000001');
  });
}

test('a failure is shown, and trying again helps', async ({ page, mock }) => {
  await mock.faults.set({ operation: 'addLead', status: 503, times: 1 });
  await page.setContent(app(mock.url, mock.apiKey));
  await signUp(page, 'lena');
  await expect(page.locator('output')).toHaveText('Please try again');
  await signUp(page, 'lena');
  await expect(page.locator('output')).toHaveText('Welcome, lead_000001');
});
