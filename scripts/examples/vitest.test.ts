// With Vitest: one mock for the file, a workspace for each test, so that tests may run side by side.
import { type Mock, type MockWorkspace, startMock } from 'email-leads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, signUp } from './sign-up.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const own = (): { workspace: MockWorkspace; api: Api } => {
  const workspace = mock.workspace();
  return { workspace, api: { baseUrl: mock.url, apiKey: workspace.apiKey } };
};

describe.concurrent('signing up', () => {
  test('sends a welcome', async () => {
    const { workspace, api } = own();
    await signUp(api, 'Lena', 'lena@example.com');
    const [mail] = await workspace.outbox.waitFor({ to: 'lena@example.com' });
    expect(mail.html).toContain('Welcome, Lena!');
  });

  test('tries again while the service is busy', async () => {
    const { workspace, api } = own();
    workspace.faults.set({ operation: 'sendEmail', status: 503, times: 2 });
    await signUp(api, 'Ada', 'ada@example.com');
    expect(workspace.requests.count({ operation: 'sendEmail', status: 503 })).toBe(2);
    expect(workspace.outbox.list()).toHaveLength(1);
  });

  test('says why it failed', async () => {
    const { workspace, api } = own();
    workspace.answers.set({ 'lead.note': 'required' });
    await expect(signUp(api, 'Grace', 'grace@example.com')).rejects.toThrow('body/note is required');
    expect(workspace.outbox.latest()).toBeUndefined();
  });

  test('keeps when it was', async () => {
    const { workspace, api } = own();
    workspace.clock.freeze('2026-03-02T10:15:30Z');
    await signUp(api, 'Joan', 'joan@example.com');
    expect(workspace.state().leads).toMatchObject([
      { name: 'Joan', source: 'Website', created_at: '2026-03-02T10:15:30.000Z' },
    ]);
  });
});
