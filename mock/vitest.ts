// `email-leads/vitest`: a mock for each test file, and a workspace for each test.
import { test as base, type TestAPI } from 'vitest';
import { type Mock, type MockOptions, startMock } from './index.ts';
import type { TestMock } from './sdk/mock.ts';

export type { TestMock };

export type MockFixtures = {
  /** Options of the mock for the file: `test.extend({ mockOptions: [{ seed: 'leads.yaml' }, { scope: 'file' }] })`. */
  readonly mockOptions: MockOptions;
  /** The mock of the file. It is closed after the last test of the file. */
  readonly mockServer: Mock;
  /** The workspace of the test. */
  readonly mock: TestMock;
};

export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: [{}, { scope: 'file' }],
  mockServer: [
    async ({ mockOptions }, use) => {
      const mock = await startMock(mockOptions);
      await use(mock);
      await mock.close();
    },
    { scope: 'file' },
  ],
  mock: async ({ mockOptions: { acceptKeys }, mockServer: { workspace, url, fetch } }, use) => {
    const own = workspace(acceptKeys?.[0]);
    // With one key, the workspace is that of the test before.
    own.reset();
    await use({ ...own, url, fetch });
  },
});

export const it: typeof test = test;
