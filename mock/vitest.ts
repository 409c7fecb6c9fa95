// `email-leads/vitest`: a mock for each file of tests, and a workspace for each test.
import { test as base, type TestAPI } from 'vitest';
import { type Mock, startMock } from './index.ts';
import type { TestMock } from './sdk/mock.ts';

export type { TestMock };

export type MockFixtures = {
  /** The mock of the file. It is closed when the file is done. */
  readonly mockServer: Mock;
  /** The workspace of the test. */
  readonly mock: TestMock;
};

export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture uses.
    async ({}, use) => {
      const mock = await startMock();
      await use(mock);
      await mock.close();
    },
    { scope: 'file' },
  ],
  mock: async ({ mockServer: { workspace, url, fetch } }, use) => use({ ...workspace(), url, fetch }),
});

export const it: typeof test = test;
