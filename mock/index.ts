import manifest from '../package.json' with { type: 'json' };
import { buildApp } from './app.ts';
import type { Answers } from './generated/questions.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { answersIn, readProfile } from './profile.ts';
import { checkOptions, type MockOptions } from './program/mock-options.ts';
import type { MockWorkspace } from './program/mock-workspace.ts';
import { accessTo } from './program/workspace-access.ts';
import { resolveAnswers } from './questions.ts';
import { startTimer, stopTimer, wallMs } from './real-time.ts';
import type { StateDocument } from './state-document.ts';
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

// A process that was told to stop is to be gone within a second, on a busy machine too.
const graceMs = 300;

export const version: string = manifest.version;

/**
 * Starts a mock in this process. Mocks share nothing: start as many as you like. They keep real time when the timers of the
 * process are faked, all but `process.nextTick`, without which Node.js serves nobody; `queueMicrotask` must be real to start.
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken, and for an option or an answer that is none.
 */
export const startMock = async (options: MockOptions = {}): Promise<Mock> => {
  checkOptions(options);
  const { acceptKeys = [] } = options;
  const answers = resolveAnswers({
    ...(options.profile === undefined ? {} : answersIn(readProfile(options.profile))),
    ...options.answers,
  });
  const app = await buildApp({
    acceptKeys,
    answers,
    outboxLimit: options.outboxLimit ?? 1000,
    delay: options.delay ?? 0,
    ...(options.seed === undefined ? {} : { seed: await seedOf(options.seed) }),
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    admin: options.admin ?? true,
    validateReplies: options.validateReplies ?? false,
    version,
    log: createLog(options.log ?? 'silent', (text) => void process.stdout.write(text), acceptKeys),
  });
  const address = await listen(app, options);
  let closed = false;
  const inUse = (): Workspaces => {
    if (closed) throw new Error('the mock is closed');
    return app.workspaces;
  };
  // The time sets apart the keys of mocks that had the same port one after the other.
  const keys = numbered(`test_${address.port}_${wallMs().toString(36)}`);
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
    const deadline = startTimer(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    stopTimer(deadline);
  };
  const first = workspace(acceptKeys[0] ?? 'test_key');
  return { ...first, ...address, key, workspace, close, [Symbol.asyncDispose]: close };
};

const numbered = (name: string): (() => string) => {
  let last = 0;
  return () => {
    last += 1;
    return `${name}_${last}`;
  };
};

// What reads and judges a seed is loaded only where there is one.
const seedOf = async (seed: string | StateDocument): Promise<StateDocument> => {
  if (typeof seed === 'string') return (await import('./seed-file.ts')).readSeed(seed);
  return (await import('./state-rules.ts')).checkState(structuredClone(seed));
};
