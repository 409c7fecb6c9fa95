// One mock for the file, a workspace for each test.
const { useMock } = require('email-leads/jest');
const { signUp } = require('./sign-up.cjs');

const mock = useMock();

test('sends a welcome', async () => {
  await signUp({ baseUrl: mock.url, apiKey: mock.apiKey }, 'Lena', 'lena@example.com');
  const [mail] = await mock.outbox.waitFor({ to: 'lena@example.com' });
  expect(mail.text).toBe('Welcome, Lena!');
});

test('says why it failed', async () => {
  mock.answers.set({ 'lead.note': 'required' });
  const signingUp = signUp({ baseUrl: mock.url, apiKey: mock.apiKey }, 'Lena', 'lena@example.com');
  await expect(signingUp).rejects.toThrow('body/note is required');
  expect(mock.requests.count()).toBe(1);
});
