import type { Redact } from '../../mock/contract/redaction.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createLedger, type Ledger } from '../client/ledger.ts';
import { type LedgerFile, leftoverLines, openLedgerFile } from '../client/ledger-file.ts';
import type { Permissions } from '../client/permissions.ts';
import type { TargetOptions } from '../runner/run.ts';
import { newRunId } from '../session/shared.ts';
import { redactorFor, type Target } from '../session/target.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import { interruptible } from './lifecycle.ts';
import { intervalFor, type TargetFlags } from './target-options.ts';

/** The context of a run: options, ledger and what to print when it is interrupted. */
type RunContext = {
  readonly options: TargetOptions & { readonly runId: string; readonly ledger: Ledger };
  readonly ledger: Ledger | LedgerFile;
  readonly describeLeftovers: () => string[];
  /** Must be called when the run has ended, with or without an error. */
  readonly end: () => void;
};

/** @param ids the checks that the run decides */
export const startRun = (
  target: Target,
  flags: TargetFlags,
  permissions: Permissions,
  sink: ConsoleSink,
  ids: readonly string[] = [],
): RunContext => {
  const redact = redactorFor(target);
  const runId = newRunId();
  const ledger = ledgerFor(target, flags, runId, redact);
  const describeLeftovers = (): string[] => leftoverLines({ target, runId, ledger, redact });
  const interruption = interruptible(describeLeftovers);
  return {
    ledger,
    describeLeftovers,
    options: {
      ...target,
      permissions,
      runId,
      ledger,
      timeout: flags.timeout,
      interval: intervalFor(target, flags),
      maxWait: flags.maxWait,
      waitForStart: flags.wait,
      ...sink.watch(ids),
      version: manifest.version,
      signal: interruption.signal,
      ...(flags.from === undefined ? {} : { sender: flags.from }),
    },
    end: () => {
      interruption.end();
      sink.end();
      if ('close' in ledger) ledger.close();
    },
  };
};

/** A ledger file if the run may leave leads on a deployment, otherwise a ledger in memory. */
const ledgerFor = (
  { kind, url }: Target,
  { allowWrites, reportDir: directory }: TargetFlags,
  runId: string,
  redact: Redact,
): Ledger | LedgerFile =>
  kind === 'embedded mock' || !allowWrites
    ? createLedger()
    : openLedgerFile({ directory, url, runId, redact });
