// `email-leads/jest`: a mock for each test file, and a workspace for each test.
import { type Mock, type MockOptions, startMock } from './index.ts';
import type { TestMock } from './sdk/mock.ts';

export type { TestMock };

type Hook = (run: () => unknown) => void;
type Hooks = { readonly beforeAll: Hook; readonly beforeEach: Hook; readonly afterAll: Hook };

/**
 * Call it once in a file, outside of the tests: `const mock = useMock()`. It returns the workspace of the current test,
 * so do not destructure it outside of a test. Not for `test.concurrent`, which Jest starts before all hooks.
 */
export const useMock = (options: MockOptions = {}): TestMock => {
  const { beforeAll, beforeEach, afterAll } = globalThis as unknown as Hooks;
  let mock: Mock | undefined;
  let current: TestMock | undefined;
  beforeAll(async () => {
    mock = await startMock(options);
  });
  beforeEach(() => {
    if (!mock) return;
    const own = mock.workspace(options.acceptKeys?.[0]);
    // With one key, the workspace is that of the test before.
    own.reset();
    current = { ...own, url: mock.url, fetch: mock.fetch };
  });
  afterAll(() => mock?.close());
  return new Proxy({} as TestMock, {
    get: (_, name) => {
      if (!current)
        throw new Error(
          'the mock has no workspace yet: keep `const mock = useMock()` whole, and read its members inside of a test or a hook. Jest starts `test.concurrent` before all hooks, so such a test makes its own: `const mock = await startMock()`',
        );
      return current[name as keyof TestMock];
    },
  });
};
