import type { Answers } from '../generated/questions.ts';
import { wallMs } from '../runtime/timers.ts';
import { explainAbsence, type Workspaces } from '../workspace/registry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createLocalWorkspace } from './local.ts';
import type { MockWorkspace } from './workspace.ts';

// These types must not require the libraries that know what they name.
type Globals = typeof globalThis;
type Fetch = Globals extends { fetch: infer Type } ? Type : (input: string) => Promise<unknown>;
type ClosedByUsing = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Key in Name]: () => Promise<void> }
  : unknown;

/**
 * A mock in this process. What it has of a workspace is that of `test_key` (of the first of `acceptKeys`): enough for one test
 * at a time. Tests that run side by side each take a workspace of their own.
 */
export type Mock = MockWorkspace &
  ClosedByUsing & {
    /**
     * Answers a request as the mock answers it over HTTP, without a connection, whatever the host of its URL is. Give it to a
     * client in place of the global `fetch`.
     * @throws TypeError where a fault rule breaks the connection, as the global `fetch` does
     */
    readonly fetch: Fetch;
    /**
     * A key that nobody else was given, not by an earlier mock on the same port either: an untouched workspace of your own.
     * Where ids of leads that depend on the key are to be the same in every run, name a key yourself: `workspace('test_a')`.
     * @throws Error where `acceptKeys` lists the only keys there are
     */
    readonly key: () => string;
    /**
     * The workspace of a key, by default of a fresh one.
     * @throws Error for a key that is not accepted
     */
    readonly workspace: (key?: string) => MockWorkspace;
    /**
     * Finishes what is under way for at most 300 ms, then closes every connection. After that the mock and its workspaces
     * can no longer be used. `await using` closes it too.
     */
    readonly close: () => Promise<void>;
  };

/** A workspace that no other test has, and where the app under test reaches it. */
export type TestMock = MockWorkspace & Pick<Mock, 'fetch'> & { readonly url: string };

/** @internal */
type MockParts = {
  readonly workspaces: Workspaces;
  readonly fetch: Fetch;
  readonly answers: Answers;
  readonly acceptKeys: readonly string[] | undefined;
  /** What sets its keys apart from those of other mocks. */
  readonly name: string | number;
  readonly close: () => Promise<void> | void;
};

/**
 * A mock as a program in the same process uses it.
 * @internal
 */
export const assembleMock = ({
  workspaces,
  fetch,
  answers,
  acceptKeys = [],
  name,
  close,
}: MockParts): Mock => {
  let closed = false;
  const throwIfClosed = (): void => {
    if (closed) throw new Error('the mock is closed');
  };
  const getWorkspaces = (): Workspaces => {
    throwIfClosed();
    return workspaces;
  };
  // The time sets apart the keys of mocks that had the same name one after the other.
  const keys = createKeySource(`test_${name}_${wallMs().toString(36)}`);
  const key = (): string => {
    throwIfClosed();
    if (acceptKeys.length > 0) throw new Error('this mock was started with acceptKeys: use one of them');
    return keys();
  };
  const workspace = (workspaceKey = key()): MockWorkspace => {
    const { accepts, rule } = getWorkspaces();
    if (!accepts(workspaceKey)) throw new Error(`the key is not accepted. ${rule}`);
    const getWorkspace = (): Workspace => getWorkspaces().getOrCreate(workspaceKey);
    return createLocalWorkspace(
      workspaceKey,
      getWorkspace,
      (item) => explainAbsence(item, getWorkspace(), getWorkspaces()),
      answers,
      () => getWorkspaces().refreshSeed(),
    );
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
