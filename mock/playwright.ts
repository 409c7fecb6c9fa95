// `email-leads/playwright`: a mock for each worker, or one that is already running, and a workspace for each test.
import { test as base, expect, type TestType } from '@playwright/test';
import { connectMock, type RemoteWorkspace, type MockOptions as StartOptions, startMock } from './index.ts';

export type MockFixtures = {
  /** The workspace of the test. */
  readonly mock: RemoteWorkspace;
};

export type MockOptions = {
  /** Option: the base URL of a running mock, started by `webServer` for example. Without it each worker starts a mock. */
  readonly mockUrl: string;
  /** Option: how each worker starts its mock, for example with a seed. */
  readonly mockOptions: StartOptions;
  /** The base URL of the mock of the worker. */
  readonly mockBaseUrl: string;
};

type Args<Type> = Type extends TestType<infer TestArgs, infer WorkerArgs> ? [TestArgs, WorkerArgs] : never;
type Base = Args<typeof base>;

export const test: TestType<Base[0] & MockFixtures, Base[1] & MockOptions> = base.extend<
  MockFixtures,
  MockOptions
>({
  mockUrl: ['', { scope: 'worker', option: true }],
  mockOptions: [{}, { scope: 'worker', option: true }],
  mockBaseUrl: [
    async ({ mockUrl, mockOptions }, use) => {
      if (mockUrl !== '') return use(mockUrl);
      const mock = await startMock(mockOptions);
      await use(mock.url);
      await mock.close();
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockBaseUrl, mockOptions: { acceptKeys } }, use, { testId, retry, repeatEachIndex }) => {
    const apiKey = acceptKeys?.[0] ?? `test_${testId}_${repeatEachIndex}_${retry}`;
    const mock = connectMock(mockBaseUrl, { apiKey });
    // A running mock may contain data of an earlier run of the test.
    await mock.reset();
    await use(mock);
  },
});

export { expect };
