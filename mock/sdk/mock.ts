import { copyOf } from '../contract/document.ts';
import type { FaultRule, FaultState } from '../faults/faults.ts';
import type { Answers } from '../generated/questions.ts';
import type { CapturedMessage } from '../mail/captured.ts';
import type { MessageFilter } from '../mail/template.ts';
import type { ClockChange, ClockReading, Time } from '../nouns/clock.ts';
import { checkFaultRules, checkState } from '../nouns/index.ts';
import type { JournalEntry, RequestFilter, Side } from '../nouns/journal.ts';
import { messages } from '../nouns/outbox.ts';
import { requests } from '../nouns/requests.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state.ts';
import { pageOf, waitIn } from '../route/logs.ts';
import { AdminError, type AdminRequest } from '../route/noun.ts';
import { wallMs } from '../runtime/timers.ts';
import type { Workspaces } from '../workspace/registry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ClientReply, createClient } from './client.ts';

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
  /** The workspaces of a mock that is not closed. @throws Error */
  const open = (): Workspaces => {
    if (closed) throw new Error('the mock is closed');
    return workspaces;
  };
  // The time makes the keys of successive mocks with the same name different.
  const prefix = `test_${name}_${wallMs().toString(36)}`;
  let last = 0;
  const key = (): string => {
    open();
    if (acceptKeys.length > 0) throw new Error('this mock was started with acceptKeys: use one of them');
    last += 1;
    return `${prefix}_${last}`;
  };
  const workspace = (workspaceKey = key()): MockWorkspace => {
    const { accepts, rule } = open();
    if (!accepts(workspaceKey)) throw new Error(`the key is not accepted. ${rule}`);
    return createLocalWorkspace(workspaceKey, () => open().getOrCreate(workspaceKey));
  };
  const end = async (): Promise<void> => {
    closed = true;
    await close();
  };
  return {
    ...workspace(acceptKeys[0] ?? 'test_key'),
    fetch: async (...args) => {
      open();
      return fetch(...args);
    },
    key,
    workspace,
    close: end,
    [Symbol.asyncDispose]: end,
  };
};

type Request = Pick<AdminRequest, 'query'> & { readonly body: never };

/**
 * What the routes that the SDK calls do in the same process. The admin API itself would double the build for browsers. Arguments
 * and results are copied: changing them does not change the workspace.
 */
const routes: Readonly<Record<string, (workspace: Workspace, request: Request) => unknown>> = {
  'GET /outbox': (workspace, { query }) => pageOf(messages, workspace, query),
  'GET /outbox/wait': (workspace, request) => waitIn(messages, workspace, request),
  'DELETE /outbox': ({ outbox }) => outbox.clear(),
  'GET /requests': (workspace, { query }) => copyOf(pageOf(requests, workspace, query)),
  'GET /requests/wait': (workspace, request) => waitIn(requests, workspace, request),
  'DELETE /requests': ({ requests }) => requests.clear(),
  'GET /faults': ({ faults }) => ({ rules: copyOf(faults.list()) }),
  'PUT /faults': ({ faults }, { body }: { readonly body: { readonly rules: unknown } }) =>
    faults.replace(checkFaultRules(copyOf(body.rules))),
  'DELETE /faults': ({ faults }) => faults.replace([]),
  'GET /clock': ({ clock }) => clock.reading(),
  'PUT /clock': ({ clock }, { body }: { readonly body: ClockChange }) => clock.change(body),
  'DELETE /clock': ({ clock }) => clock.reset(),
  'GET /answers': ({ answers }) => answers.get(),
  'PATCH /answers': ({ answers }, { body }) => answers.change(body),
  'GET /state': ({ whole }) => copyOf(whole.exportState()),
  'PUT /state': ({ whole }, { body }) => whole.seed(checkState(copyOf(body))),
  'POST /reset': ({ whole }) => whole.reset(),
};

/** A wait is answered later, and may end with an error that says what came instead. */
const replyOf = (body: unknown): ClientReply | Promise<ClientReply> =>
  body instanceof Promise
    ? body.then(replyOf, (error: Error) => {
        if (!(error instanceof AdminError)) throw error;
        const { status, message, hint, details } = error;
        return { status, body: { error: message, message: hint, ...details } };
      })
    : { status: 200, body };

/**
 * The SDK's workspace for programs in the same process.
 * @param get called every time, because an unused workspace may be dropped
 */
const createLocalWorkspace = (apiKey: string, get: () => Workspace): MockWorkspace => {
  const client = createClient({
    request: (address, request) => replyOf(routes[address]?.(get(), request as Request)),
    chain: (value, next) => next(value as never),
  });
  return { apiKey, ...client } as MockWorkspace;
};

export type WaitForOptions = {
  /** Maximum milliseconds to wait; 3,000 by default, `Infinity` for no limit. */
  readonly timeout?: number;
  /** Number of matching items to wait for, at most 1,000; 1 by default. */
  readonly count?: number;
};

export type WaitForNoneOptions = {
  /** Milliseconds to wait; 1,000 by default. A passing test always waits this long. */
  readonly timeout?: number;
};

/** A request as it was received. */
export type ReceivedRequest = JournalEntry & {
  readonly request: Side & {
    /** The body as parsed JSON; `undefined` if it is not JSON or was too long to be kept. */
    readonly json: unknown;
  };
};

/** At least one, newest first: `const [mail] = await outbox.waitFor({ to })`. */
export type OneOrMore<Item> = [Item, ...Item[]];

type LogOf<Filter, Item> = {
  /** Newest first. */
  readonly list: (filter?: Filter) => Item[];
  readonly latest: (filter?: Filter) => Item | undefined;
  readonly count: (filter?: Filter) => number;
  /**
   * Resolves as soon as enough items match; earlier ones count too.
   * @throws Error after `timeout`, naming the nearest items
   */
  readonly waitFor: (filter?: Filter, options?: WaitForOptions) => Promise<OneOrMore<Item>>;
  /**
   * Resolves when no item matches until `timeout`.
   * @throws Error as soon as an item matches
   */
  readonly waitForNone: (filter?: Filter, options?: WaitForNoneOptions) => Promise<void>;
  readonly clear: () => void;
};

/** Everything that belongs to one API key. Calls do not use HTTP; returned objects are copies. */
export type MockWorkspace = {
  /** The key an app must use to work in this workspace. */
  readonly apiKey: string;
  /** The messages captured instead of sent. */
  readonly outbox: LogOf<MessageFilter, CapturedMessage>;
  /** The requests with the key, and their responses. */
  readonly requests: LogOf<RequestFilter, ReceivedRequest>;
  /** Fault injection. */
  readonly faults: {
    /** Replaces all rules. The first matching rule handles a request. */
    readonly set: (rules: FaultRule | readonly FaultRule[]) => void;
    /** The rules and their counters. */
    readonly list: () => FaultState[];
    readonly clear: () => void;
  };
  /** The time that leads, messages and requests get. */
  readonly clock: {
    readonly now: () => ClockReading;
    /** Freezes the clock, now or at a given time. Fake timers of an app do not move it. */
    readonly freeze: (at?: Time) => void;
    /** Sets the time; a running clock continues from there. */
    readonly set: (time: Time) => void;
    /** Advances the clock by milliseconds. */
    readonly advance: (ms: number) => void;
    /** Returns to real time. */
    readonly reset: () => void;
  };
  /** The answers to the open questions in this workspace. */
  readonly answers: {
    /** All answers in force. */
    readonly get: () => Answers;
    /**
     * Overrides answers; `null` restores the server default.
     * @throws Error for an unknown id or answer, and for `auth.*`, which are the server's
     */
    readonly set: (changes: { readonly [Id in keyof Answers]?: Answers[Id] | null }) => void;
  };
  /** Replaces the state, now and after every reset. Omitted parts get their defaults. */
  readonly seed: (data: StateDocument) => void;
  /** The complete state, in the form that `seed` takes. */
  readonly state: () => WorkspaceState;
  /**
   * Resets everything to the seed, including ids, clock, faults and answers. Reads the seed file again if it has changed.
   * @throws Error for a changed file that cannot be read; then nothing was reset
   */
  readonly reset: () => void;
};

/** The same methods, returning promises. */
type Promised<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Part[Name] extends object
      ? Promised<Part[Name]>
      : Part[Name];
};

/** A workspace of a mock in another process: the methods of `MockWorkspace`, returning promises. */
export type RemoteWorkspace = Promised<MockWorkspace> & {
  /** Base URL of the mock, without a trailing slash. */
  readonly url: string;
};
