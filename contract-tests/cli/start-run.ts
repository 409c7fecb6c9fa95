import { printError } from '../../mock/contract/printable.ts';
import type { Redact } from '../../mock/contract/redaction.ts';
import manifest from '../../package.json' with { type: 'json' };
import { createLedger, type Ledger } from '../client/ledger.ts';
import { type LedgerFile, leftoverLines, openLedgerFile } from '../client/ledger-file.ts';
import type { Permissions } from '../client/permissions.ts';
import { abortReason } from '../reports/build-report.ts';
import type { TargetOptions } from '../runner/run.ts';
import { newRunId } from '../session/shared.ts';
import { redactorFor, type Target } from '../session/target.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import { interruptible } from './lifecycle.ts';
import { intervalFor, type TargetFlags } from './target-options.ts';

/** The context of a run: options, ledger, and lines about the leads that it leaves. */
type RunContext = {
  readonly options: TargetOptions & { readonly runId: string; readonly ledger: Ledger };
  readonly ledger: Ledger | LedgerFile;
  readonly describeLeftovers: () => string[];
};

type RunSettings = {
  readonly target: Target;
  readonly flags: TargetFlags;
  readonly permissions: Permissions;
  readonly sink: ConsoleSink;
  /** The checks that the run decides. */
  readonly ids?: readonly string[];
};

/** Does the work of a run. If it fails or is interrupted, the leads that it leaves are printed. @returns the exit code */
export const withRun = async (
  { target, flags, permissions, sink, ids = [] }: RunSettings,
  work: (context: RunContext) => Promise<number>,
): Promise<number> => {
  const redact = redactorFor(target);
  const runId = newRunId();
  const ledger = ledgerFor(target, flags, runId, redact);
  const describeLeftovers = (): string[] => leftoverLines({ target, runId, ledger, redact });
  const interruption = interruptible(describeLeftovers);
  const options = {
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
  };
  try {
    return await work({ options, ledger, describeLeftovers });
  } catch (error) {
    for (const line of describeLeftovers()) printError(line);
    const reason = abortReason(error);
    if (!reason) throw error;
    printError(reason.headline);
    return reason.exitCode;
  } finally {
    interruption.end();
    sink.end();
    if ('close' in ledger) ledger.close();
  }
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
