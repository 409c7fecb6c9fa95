import manifest from '../package.json' with { type: 'json' };
import { buildApp } from './app.ts';
import type { Answers } from './generated/questions.ts';
import { createLog, type LogStyle } from './log.ts';
import type { MockWorkspace } from './mock-workspace.ts';
import { answersIn, readProfile } from './profile.ts';
import { resolveAnswers } from './questions.ts';
import { startTimer, stopTimer } from './real-time.ts';
import type { StateDocument } from './state-document.ts';
import { accessTo } from './workspace-access.ts';

export type { FaultRule } from './faults.ts';
export type { JournalEntry } from './journal-entry.ts';
export type { Message, MessageFilter } from './message.ts';
export type { MockWorkspace, RequestFilter, WaitForOptions } from './mock-workspace.ts';
export type { StateDocument } from './state-document.ts';
export type { Answers };

export type MockOptions = {
  /** TCP port; 0, the default, takes any free one. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** The only keys accepted. Without it every key `test_…` is, and each has a workspace of its own. */
  readonly acceptKeys?: readonly string[];
  /** What every workspace starts from and resets to: a file, JSON or YAML, or what would be in it. */
  readonly seed?: string | StateDocument;
  /** File with the answers of a deployment, as `email-leads observe` writes it; `answers` win over it. */
  readonly profile?: string;
  /** Answers to open questions, by id; the assumed ones for the rest. */
  readonly answers?: Readonly<Partial<Answers>>;
  /** Messages kept in the outbox of a workspace; the oldest are dropped. 1000 by default. */
  readonly outboxLimit?: number;
  /** Milliseconds every reply to an accepted key waits; 0 by default. */
  readonly delay?: number;
  /** Host names beside loopback under which the admin API may be called. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may call the admin API. */
  readonly allowedOrigins?: readonly string[];
  /** False leaves out the admin API. */
  readonly admin?: boolean;
  /** What is printed of each request; `silent` by default. */
  readonly log?: 'pretty' | 'json' | 'silent';
  /** For tests of the mock itself: a reply that breaks the contract in force becomes a 500. */
  readonly validateReplies?: boolean;
};

/**
 * A running mock. What it has of a workspace is that of `test_key` (of the first of `acceptKeys`): enough for one test at a
 * time. Tests that run side by side each take a workspace of their own.
 */
export type Mock = MockWorkspace & {
  /** Base URL without a trailing slash, e.g. `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  /**
   * A key that nobody else was given: an untouched workspace of your own.
   * @throws Error where `acceptKeys` lists the only keys there are
   */
  readonly key: () => string;
  /**
   * The workspace of a key, by default of a fresh one.
   * @throws Error for a key that is not accepted
   */
  readonly workspace: (key?: string) => MockWorkspace;
  /** Finishes what is under way for at most 300 ms, then closes every connection. */
  readonly close: () => Promise<void>;
};

// A process that was told to stop is to be gone within a second, on a busy machine too.
const graceMs = 300;

export const version: string = manifest.version;

/**
 * Starts a mock in this process. Mocks share nothing: start as many as you like.
 * @throws Error with `code: 'EADDRINUSE'` when the port is taken, and for an answer outside its question's space.
 */
export const startMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0 } = options;
  const style: LogStyle = options.log ?? 'silent';
  const answers = resolveAnswers({
    ...(options.profile === undefined ? {} : answersIn(readProfile(options.profile))),
    ...options.answers,
  });
  const app = await buildApp({
    acceptKeys: options.acceptKeys ?? [],
    answers,
    outboxLimit: options.outboxLimit ?? 1000,
    delay: options.delay ?? 0,
    ...(options.seed === undefined ? {} : { seed: await seedOf(options.seed) }),
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    admin: options.admin ?? true,
    validateReplies: options.validateReplies ?? false,
    version,
    log: createLog(style, (text) => void process.stdout.write(text), options.acceptKeys),
  });
  await app.listen({ host, port });
  const address = app.server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  let keys = 0;
  const freshKey = (): string => {
    if (options.acceptKeys?.length) throw new Error('startMock was given acceptKeys: use one of those');
    keys += 1;
    return `test_${bound}_${keys}`;
  };
  const { workspaces } = app;
  const workspace = (key = freshKey()): MockWorkspace => {
    if (!workspaces.accepts(key)) throw new Error(`the key is not accepted. ${workspaces.rule}`);
    return accessTo(key, () => workspaces.open(key), answers);
  };
  return {
    ...workspace(options.acceptKeys?.[0] ?? 'test_key'),
    url: `http://${reachable(host)}:${bound}`,
    port: bound,
    key: freshKey,
    workspace,
    close: async () => {
      const deadline = startTimer(() => app.server.closeAllConnections(), graceMs);
      await app.close();
      stopTimer(deadline);
    },
  };
};

// What reads and judges a seed is loaded only where there is one.
const seedOf = async (seed: string | StateDocument): Promise<StateDocument> => {
  if (typeof seed === 'string') return (await import('./seed-file.ts')).readSeed(seed);
  return (await import('./state-rules.ts')).checkState(structuredClone(seed));
};

/** An address to connect to, for one to listen on. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};
