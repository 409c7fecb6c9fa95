// One mock for the file, a workspace for each test, so that tests may run side by side.
import { type TestMock, test } from 'email-leads/vitest';
import { describe, expect } from 'vitest';
import { type Api, signUp } from './sign-up.ts';

const apiOf = ({ url, apiKey }: TestMock): Api => ({ baseUrl: url, apiKey });

describe.concurrent('signing up', () => {
  test('sends a welcome', async ({ mock }) => {
    await signUp(apiOf(mock), 'Lena', 'lena@example.com');
    const [mail] = await mock.outbox.waitFor({ to: 'lena@example.com' });
    expect(mail.html).toContain('Welcome, Lena!');
  });

  test('tries again while the service is busy', async ({ mock }) => {
    mock.faults.set({ operation: 'sendEmail', status: 503, times: 2 });
    await signUp(apiOf(mock), 'Ada', 'ada@example.com');
    expect(mock.requests.count({ operation: 'sendEmail', status: 503 })).toBe(2);
    expect(mock.outbox.list()).toHaveLength(1);
  });

  test('says why it failed', async ({ mock }) => {
    mock.answers.set({ 'lead.note': 'required' });
    await expect(signUp(apiOf(mock), 'Grace', 'grace@example.com')).rejects.toThrow('body/note is required');
    expect(mock.outbox.latest()).toBeUndefined();
  });

  test('keeps when it was', async ({ mock }) => {
    mock.clock.freeze('2026-03-02T10:15:30Z');
    await signUp(apiOf(mock), 'Joan', 'joan@example.com');
    expect(mock.state().leads).toMatchObject([
      { name: 'Joan', source: 'Website', created_at: '2026-03-02T10:15:30.000Z' },
    ]);
  });
});

// A mock with options of its own, here with a seed.
const seeded = test.extend({
  mockOptions: [{ seed: { leads: [{ name: 'Lena', source: 'Webinar', note: '' }] } }, { scope: 'file' }],
});

seeded('begins with the leads of the seed', ({ mock }) => {
  expect(mock.state().leads).toMatchObject([{ name: 'Lena', source: 'Webinar' }]);
});
