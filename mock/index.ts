import type { Answers } from './generated/questions.ts';
import { checkOptions, type MockOptions } from './program/mock-options.ts';
import type { MockWorkspace } from './program/mock-workspace.ts';
import { accessTo } from './program/workspace-access.ts';
import { wallMs } from './real-time.ts';
import { startServer } from './server.ts';
import type { Workspaces } from './workspaces.ts';

export type { ClockReading, ClockSetting } from './clock.ts';
export type { ConnectionFault, Delay, FaultRule, FaultState } from './faults.ts';
export type { JournalEntry, Why } from './journal-entry.ts';
export type { Lead } from './lead-store.ts';
export type { Message, MessageFilter } from './message.ts';
export type { OperationId, OperationName } from './operation-id.ts';
export { type ConnectOptions, connectMock } from './program/connect-mock.ts';
export type {
  CapturedMessage,
  MockWorkspace,
  OneOrMore,
  ReceivedRequest,
  RequestFilter,
  Time,
  WaitForNoneOptions,
  WaitForOptions,
} from './program/mock-workspace.ts';
export type { RemoteWorkspace } from './program/remote-workspace.ts';
export type { Content as WorkspaceState, StateDocument } from './state-document.ts';
export type { Template } from './template.ts';
export { version } from './version.ts';
export type { Answers, MockOptions };

// Only where the compiler has been told of `await using`: nobody needs newer libraries for the sake of these types.
type ClosedByUsing = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Key in Name]: () => Promise<void> }
  : unknown;

/**
 * A running mock. What it has of a workspace is that of `test_key` (of the first of `acceptKeys`): enough for one test at a
 * time. Tests that run side by side each take a workspace of their own.
 */
export type Mock = MockWorkspace &
  ClosedByUsing & {
    /** Base URL without a trailing slash, e.g. `http://127.0.0.1:4010`. */
    readonly url: string;
    readonly port: number;
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
     * can no longer be used. `await using mock = await startMock()` closes it too.
     */
    readonly close: () => Promise<void>;
  };

/**
 * Starts a mock in this process. Mocks share nothing: start as many as you like. They keep real time when the timers of the
 * process are faked, all but `process.nextTick`, without which Node.js serves nobody; `queueMicrotask` must be real to start.
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken, and for an option or an answer that is none.
 */
export const startMock = async (options: MockOptions = {}): Promise<Mock> => {
  checkOptions(options);
  const { acceptKeys = [] } = options;
  const { url, port, workspaces, answers, close: closeServer } = await startServer(options);
  let closed = false;
  const inUse = (): Workspaces => {
    if (closed) throw new Error('the mock is closed');
    return workspaces;
  };
  // The time sets apart the keys of mocks that had the same port one after the other.
  const keys = numbered(`test_${port}_${wallMs().toString(36)}`);
  const key = (): string => {
    inUse();
    if (acceptKeys.length > 0) throw new Error('startMock was given acceptKeys: use one of those');
    return keys();
  };
  const workspace = (own = key()): MockWorkspace => {
    const { accepts, rule } = inUse();
    if (!accepts(own)) throw new Error(`the key is not accepted. ${rule}`);
    return accessTo(own, () => inUse().open(own), answers);
  };
  const close = async (): Promise<void> => {
    closed = true;
    await closeServer();
  };
  const first = workspace(acceptKeys[0] ?? 'test_key');
  return { ...first, url, port, key, workspace, close, [Symbol.asyncDispose]: close };
};

const numbered = (name: string): (() => string) => {
  let last = 0;
  return () => {
    last += 1;
    return `${name}_${last}`;
  };
};
