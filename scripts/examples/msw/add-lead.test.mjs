// No server: requests to the service's own address are answered in this process.
import { createHandlers, createMock } from 'email-leads/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addLead } from './add-lead.mjs';

const mock = createMock();
const server = setupServer(...createHandlers(mock));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => mock.reset());
afterAll(() => server.close());

const api = { baseUrl: 'https://mail.example.com', apiKey: mock.apiKey };

test('adds a lead', async () => {
  mock.clock.freeze('2026-03-02T10:15:30Z');
  expect(await addLead(api, 'Lena')).toBe('lead_000001');
  const lead = { name: 'Lena', source: 'Website', created_at: '2026-03-02T10:15:30.000Z' };
  expect(mock.state().leads).toMatchObject([lead]);
});

test('says why it failed', async () => {
  mock.answers.set({ 'lead.note': 'required' });
  await expect(addLead(api, 'Lena')).rejects.toThrow('body/note is required');
  expect(mock.requests.latest()).toMatchObject({ operation: 'addLead', status: 400 });
});

test('a broken connection is a network error', async () => {
  mock.faults.set({ operation: 'addLead', fault: 'CONNECTION_RESET_BY_PEER' });
  await expect(addLead(api, 'Lena')).rejects.toThrow(TypeError);
});
