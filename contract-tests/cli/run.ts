// What the commands do around a run: its ledger, its end, and what is recorded of it.
import { printError } from '../../mock/contract/printable.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createLedger, type Ledger } from '../client/ledger.ts';
import { type LedgerFile, leftoverLines, openLedgerFile } from '../client/ledger-file.ts';
import type { Permissions } from '../client/permissions.ts';
import { abortReason } from '../reports/build-report.ts';
import type { RunFacts, TargetOptions } from '../runner/run.ts';
import { newRunId } from '../session/shared.ts';
import { redactorFor, type Target } from '../session/target.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import { asObserved } from '../traffic/record.ts';
import type { Flags } from './flags.ts';
import { interruptible } from './lifecycle.ts';
import { startRecordings } from './output.ts';
import { intervalFor, type TargetFlags } from './target.ts';

type RunSettings = {
  readonly target: Target;
  readonly flags: TargetFlags & Flags<'record' | 'reportDir'> & Partial<Flags<'seed'>>;
  readonly permissions: Permissions;
  readonly sink: ConsoleSink;
  /** The checks that the run decides. */
  readonly ids?: readonly string[];
};

/** Does the work of a run. If it fails or is interrupted, the leads that it leaves are printed. @returns the exit code */
export const withRun = async (
  { target, flags, permissions, sink, ids = [] }: RunSettings,
  work: (context: {
    readonly options: TargetOptions & { readonly runId: string; readonly ledger: Ledger };
    readonly ledger: Ledger | LedgerFile;
    /** Lines about the leads that the run leaves. */
    readonly describeLeftovers: () => string[];
    /** Writes what `--record` and `--seed` ask for. @throws ConfigurationError */
    readonly record: (run: RunFacts) => void;
  }) => Promise<number>,
): Promise<number> => {
  const redact = redactorFor(target);
  const runId = newRunId();
  const { kind, url } = target;
  const { allowWrites, reportDir: directory, timeout, maxWait, wait: waitForStart, from: sender } = flags;
  const recordings = startRecordings(flags, sink);
  // Only on a deployment can leads be left.
  const isFiled = kind !== 'embedded mock' && allowWrites;
  const file = isFiled ? openLedgerFile({ directory, url, runId, redact }) : undefined;
  const ledger = file ?? createLedger();
  const describeLeftovers = (): string[] => leftoverLines({ target, runId, ledger, redact });
  const record = (run: RunFacts): void => {
    // A run that came to nothing does not replace the recording of an earlier one.
    if (run.exchanges.length === 0) return;
    for (const exchange of run.exchanges) recordings.add(asObserved(exchange));
    recordings.write(url, run);
  };
  const interruption = interruptible(describeLeftovers);
  const options = {
    ...target,
    permissions,
    runId,
    ledger,
    timeout,
    interval: intervalFor(target, flags),
    maxWait,
    waitForStart,
    ...sink.watch(ids),
    version: manifest.version,
    signal: interruption.signal,
    ...(sender === undefined ? {} : { sender }),
  };
  try {
    return await work({ options, ledger, describeLeftovers, record });
  } catch (error) {
    for (const line of describeLeftovers()) printError(line);
    const reason = abortReason(error);
    if (!reason) throw error;
    printError(reason.headline);
    return reason.exitCode;
  } finally {
    interruption.end();
    sink.end();
    file?.close();
  }
};
