// No server: requests to the service's own address are answered in this process.
import { createHandlers, createMock } from 'email-leads/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signUp } from './sign-up.mjs';

const mock = createMock();
const server = setupServer(...createHandlers(mock));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

const api = { baseUrl: 'https://mail.example.com', apiKey: mock.apiKey };

test('sends a welcome', async () => {
  mock.clock.freeze('2026-03-02T10:15:30Z');
  expect(await signUp(api, 'Lena', 'lena@example.com')).toBe('lead_000001');
  expect(mock.outbox.latest()).toMatchObject({
    to: 'lena@example.com',
    text: 'Welcome, Lena!',
    created_at: '2026-03-02T10:15:30.000Z',
  });
});

test('says why it failed', async () => {
  mock.answers.set({ 'lead.note': 'required' });
  await expect(signUp(api, 'Lena', 'lena@example.com')).rejects.toThrow('body/note is required');
  expect(mock.requests.latest()).toMatchObject({ operation: 'addLead', status: 400 });
});

test('a broken connection is a network error', async () => {
  mock.faults.set({ operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER' });
  await expect(signUp(api, 'Lena', 'lena@example.com')).rejects.toThrow(TypeError);
});
