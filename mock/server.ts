import { buildApp } from './app.ts';
import type { Answers } from './generated/questions.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { answersIn, readProfile } from './profile.ts';
import type { MockOptions } from './program/mock-options.ts';
import { resolveAnswers } from './questions.ts';
import { startTimer, stopTimer } from './real-time.ts';
import type { StateDocument } from './state-document.ts';
import { version } from './version.ts';
import type { Workspaces } from './workspaces.ts';

/** A mock that listens, without what a program uses of it: all that the command line needs, and faster to start. */
export type MockServer = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly workspaces: Workspaces;
  /** The answers of workspaces that have none of their own. */
  readonly answers: Answers;
  readonly close: () => Promise<void>;
};

// A process that was told to stop is to be gone within a second, on a busy machine too.
const graceMs = 300;

/** @throws Error with `code: 'EADDRINUSE'` when the port is taken, and for a seed, a profile or an answer that is none */
export const startServer = async (options: MockOptions): Promise<MockServer> => {
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
  const close = async (): Promise<void> => {
    const deadline = startTimer(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    stopTimer(deadline);
  };
  return { ...address, workspaces: app.workspaces, answers, close };
};

// What reads and judges a seed is loaded only where there is one.
const seedOf = async (seed: string | StateDocument): Promise<StateDocument> => {
  if (typeof seed === 'string') return (await import('./seed-file.ts')).readSeed(seed);
  return (await import('./state-rules.ts')).checkState(structuredClone(seed));
};
