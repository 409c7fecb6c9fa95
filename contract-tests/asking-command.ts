// What the commands that ask a deployment something share: `contract`, `contract --clean` and `observe`.
import { runCommand, UsageError } from '../mock/flags.ts';
import manifest from '../package.json' with { type: 'json' };
import { NoAnswer } from './client.ts';
import { ConfigurationError } from './configuration-error.ts';
import { interruptible, outliveReaders, suiteFailure } from './interrupt.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type LedgerFile, openLedgerFile } from './ledger-file.ts';
import { leftoverLines } from './leftovers.ts';
import type { Permissions } from './permissions.ts';
import { CannotTest } from './preflight.ts';
import { ProfileError } from './profile.ts';
import { createRedactor, type Redact } from './redact.ts';
import type { TargetOptions } from './run.ts';
import { newRunId } from './session.ts';
import type { Target } from './target.ts';
import type { TargetFlags } from './target-flags.ts';
import { exitCodes } from './verdict.ts';

/** Runs a command to its exit code. An error nobody expected is "could not test": Node's own 1 means a broken promise. */
export const runAsking = async (command: () => Promise<number>): Promise<number> => {
  outliveReaders();
  try {
    return await runCommand(command);
  } catch (error) {
    console.error(createRedactor(process.env.EMAIL_LEADS_API_KEY ?? '')(suiteFailure(error)));
    return exitCodes.couldNotTest;
  }
};

/** @throws UsageError for what is wrong with a flag or with a file it names */
export const usage = <Result>(attempt: () => Result): Result => {
  try {
    return attempt();
  } catch (error) {
    throw asUsage(error);
  }
};

/** An error about a flag, or a file it names, as one of usage; any other as it is. */
export const asUsage = (error: unknown): unknown =>
  error instanceof ConfigurationError || error instanceof ProfileError
    ? new UsageError(error.message)
    : error;

/** A run in the making: how to ask, what it has added, and what to say where it is cut off. */
export type Asking = {
  readonly options: TargetOptions & { readonly runId: string };
  readonly ledger: Ledger | LedgerFile;
  readonly redact: Redact;
  readonly whatIsLeft: () => string[];
  /** To be called when the run is over, however it went. */
  readonly end: () => void;
};

export const beginAsking = (target: Target, flags: TargetFlags, permissions: Permissions): Asking => {
  const redact = createRedactor(target.key);
  const runId = newRunId();
  const ledger = usage(() => ledgerFor(target, flags, runId, redact));
  const whatIsLeft = (): string[] => leftoverLines({ url: target.url, runId, ledger, redact });
  const interruption = interruptible(whatIsLeft, redact);
  return {
    ledger,
    redact,
    whatIsLeft,
    options: {
      ...target,
      permissions,
      runId,
      ledger,
      timeout: flags.timeout,
      interval: flags.rateLimit,
      version: manifest.version,
      signal: interruption.signal,
      ...(flags.from === undefined ? {} : { sender: flags.from }),
    },
    end: () => {
      interruption.end();
      if ('close' in ledger) ledger.close();
    },
  };
};

/** A file where leads could be left on somebody's deployment, memory otherwise. */
const ledgerFor = (
  { kind, url }: Target,
  { allowWrites, reportDir: directory }: TargetFlags,
  runId: string,
  redact: Redact,
): Ledger | LedgerFile =>
  kind === 'embedded mock' || !allowWrites
    ? createLedger()
    : openLedgerFile({ directory, url, runId, redact });

/** Why a run came to nothing, if that is no fault of the suite. */
export const whyNothing = (error: unknown): { exitCode: number; headline: string } | undefined => {
  if (error instanceof NoAnswer && error.kind === 'interrupted')
    return { exitCode: exitCodes.interrupted, headline: 'interrupted before anything was created' };
  if (!(error instanceof CannotTest)) return undefined;
  return { exitCode: exitCodes.couldNotTest, headline: `could not test: ${error.message}` };
};
