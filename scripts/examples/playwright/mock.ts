// What a test needs of the mock. Each worker has a key of its own, so workers never see each other's leads and mails.
import { test as base } from '@playwright/test';
import { connectMock, type RemoteWorkspace } from 'email-leads';

export { expect } from '@playwright/test';

export const test = base.extend<{ mock: RemoteWorkspace }>({
  mock: async ({ baseURL }, use, { workerIndex }) => {
    const mock = connectMock(baseURL ?? '', { apiKey: `test_worker_${workerIndex}` });
    await mock.reset();
    await use(mock);
  },
});
