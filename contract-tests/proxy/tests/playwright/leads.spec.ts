// A small app for leads, in a browser. It looks at nothing but what it shows.
import { expect, test } from '@playwright/test';

const app = `
<form><input name="name" aria-label="Name"><input name="note" aria-label="Note"><button>Save</button></form><output></output>
<script>
  const output = document.querySelector('output');
  const call = async (method, path, body) => {
    const response = await fetch('/api/v1' + path, {
      method,
      headers: { authorization: 'Bearer ${process.env.SERVICE_KEY}', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.json();
  };
  let id;
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault();
    const { name, note } = Object.fromEntries(new FormData(event.target));
    if (id === undefined) {
      const { data } = await call('POST', '/leads', { name, note, source: 'app' });
      id = data.lead_id;
      output.value = 'Added ' + data.name;
    } else {
      const { success } = await call('PUT', '/leads/' + id, { note });
      output.value = success ? 'Changed' : 'Please try again';
    }
  };
</script>`;

test('a lead is added and changed', async ({ page }) => {
  // The page comes from the app's own server; the service may forbid scripts on its pages.
  await page.route('/', (route) => route.fulfill({ contentType: 'text/html', body: app }));
  await page.goto('/');
  await page.getByLabel('Name').fill('Lena Fischer');
  await page.getByLabel('Note').fill('Met at the fair');
  await page.getByRole('button').click();
  await expect(page.getByText('Added Lena Fischer')).toBeVisible();
  await page.getByLabel('Note').fill('Wants the evening course');
  await page.getByRole('button').click();
  await expect(page.getByText('Changed')).toBeVisible();
});
