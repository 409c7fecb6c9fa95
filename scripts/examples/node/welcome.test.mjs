// One mock for the file, a workspace for each test.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startMock } from 'email-leads';
import { welcome } from './welcome.mjs';

const mock = await startMock();
after(() => mock.close());

test('sends a welcome', async () => {
  const { apiKey, outbox } = mock.workspace();
  await welcome({ baseUrl: mock.url, apiKey }, 'Lena', 'lena@example.com');
  const [mail] = await outbox.waitFor({ to: 'lena@example.com' });
  assert.equal(mail.text, 'Welcome, Lena!');
});
