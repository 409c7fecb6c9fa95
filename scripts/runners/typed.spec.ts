// As in a project with Jest and TypeScript.
import { createMock, type MockInProcess } from 'email-leads';
import { useMock } from 'email-leads/jest';

const mock = useMock();

test('is typed', async () => {
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  const other: MockInProcess = createMock();
  for (const { fetch } of [mock, other])
    expect((await fetch('https://mail.example.com/api/v1/email/templates', { headers })).status).toBe(200);
});
