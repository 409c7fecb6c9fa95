import { wallMs } from '../runtime/timers.ts';
import type { Workspaces } from '../workspace/registry.ts';
import { createLocalWorkspace } from './local.ts';
import type { MockWorkspace } from './workspace.ts';

// These types must not require the type libraries of the platform.
type Globals = typeof globalThis;
type Fetch = Globals extends { fetch: infer Type } ? Type : (input: string) => Promise<unknown>;
type ClosedByUsing = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Key in Name]: () => Promise<void> }
  : unknown;

/**
 * A mock in this process. It is itself the workspace of `test_key` (or the first of `acceptKeys`), which is enough for one test
 * at a time. Parallel tests should each use their own `workspace()`.
 */
export type Mock = MockWorkspace &
  ClosedByUsing & {
    /**
     * Answers a request without a connection, in the same way as over HTTP, for any host in its URL. Pass it to a client in place
     * of the global `fetch`.
     * @throws TypeError if a fault rule breaks the connection, as the global `fetch` does
     */
    readonly fetch: Fetch;
    /**
     * A new unique key with an empty workspace, also different from keys of earlier mocks on the same port. For the same lead ids
     * in every run, which may depend on the key, choose a key yourself: `workspace('test_a')`.
     * @throws Error if `acceptKeys` is set
     */
    readonly key: () => string;
    /**
     * The workspace of a key, by default of a new one.
     * @throws Error for a key that is not accepted
     */
    readonly workspace: (key?: string) => MockWorkspace;
    /**
     * Finishes requests in progress for at most 300 ms, then closes every connection. After that the mock and its workspaces
     * can no longer be used. `await using` closes it too.
     */
    readonly close: () => Promise<void>;
  };

/** The workspace of one test, with the URL for the app under test. */
export type TestMock = MockWorkspace & Pick<Mock, 'fetch'> & { readonly url: string };

/** @internal */
type MockParts = {
  readonly workspaces: Workspaces;
  readonly fetch: Fetch;
  readonly acceptKeys: readonly string[] | undefined;
  /** Distinguishes its keys from those of other mocks. */
  readonly name: string | number;
  readonly close: () => Promise<void> | void;
};

/**
 * Creates the SDK's mock from its parts.
 * @internal
 */
export const assembleMock = ({ workspaces, fetch, acceptKeys = [], name, close }: MockParts): Mock => {
  let closed = false;
  const throwIfClosed = (): void => {
    if (closed) throw new Error('the mock is closed');
  };
  const getWorkspaces = (): Workspaces => {
    throwIfClosed();
    return workspaces;
  };
  // The time makes the keys of successive mocks with the same name different.
  const keys = createKeySource(`test_${name}_${wallMs().toString(36)}`);
  const key = (): string => {
    throwIfClosed();
    if (acceptKeys.length > 0) throw new Error('this mock was started with acceptKeys: use one of them');
    return keys();
  };
  const workspace = (workspaceKey = key()): MockWorkspace => {
    const { accepts, rule } = getWorkspaces();
    if (!accepts(workspaceKey)) throw new Error(`the key is not accepted. ${rule}`);
    return createLocalWorkspace(workspaceKey, () => getWorkspaces().getOrCreate(workspaceKey));
  };
  const closeOnce = async (): Promise<void> => {
    closed = true;
    await close();
  };
  return {
    ...workspace(acceptKeys[0] ?? 'test_key'),
    fetch: async (...args) => {
      throwIfClosed();
      return fetch(...args);
    },
    key,
    workspace,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
};

const createKeySource = (name: string): (() => string) => {
  let last = 0;
  return () => {
    last += 1;
    return `${name}_${last}`;
  };
};
