// What the commands do around a run: its target, its ledger and its end, its reports, and the files of its exchanges.
import { printError } from '../../mock/contract/printable.ts';
import manifest from '../../package.json' with { type: 'json' };
import { redactorFor } from '../client/gateway.ts';
import { createLedger, type Ledger, leftoverLines, openLedgerFile } from '../client/ledger.ts';
import { expectWritable, writeOutput } from '../client/output-file.ts';
import { loadProfile } from '../questions/profile.ts';
import { abortReason } from '../reports/build-report.ts';
import { prepareReports, type ReportKind, reportKinds } from '../reports/index.ts';
import type { RunFacts, TargetOptions } from '../runner/run.ts';
import { newRunId } from '../session/shared.ts';
import { embeddedTarget, type Target } from '../session/target.ts';
import type { ObservedExchange } from '../traffic/exchanges/observed.ts';
import { asObserved, createRecorder } from '../traffic/record.ts';
import { createSeedCollector } from '../traffic/seed.ts';
import { readWaivers } from '../waivers/waivers.ts';
import { type ConsoleSink, createConsoleSink } from './console-sink.ts';
import type { Flags } from './flags.ts';
import { forFlag, interruptible } from './lifecycle.ts';
import { deploymentAt, limitsOf, permissionsOf, type TargetFlags } from './target.ts';

type RunSettings = {
  readonly command: 'contract' | 'observe';
  readonly flags: TargetFlags & Flags<'record' | 'reportDir'> & Partial<Flags<'seed'>>;
  readonly sink: ConsoleSink;
  /** Whether the run needs many mails. */
  readonly isThorough: boolean;
  /** The checks that the run decides. */
  readonly ids?: readonly string[];
};

/** What the work of a command needs. */
export type RunContext = {
  /** The first line of the output: the command, its version, and what it tests. */
  readonly title: string;
  readonly options: TargetOptions &
    Pick<Target, 'kind'> & { readonly runId: string; readonly ledger: Ledger };
  /** Lines about the leads that the run leaves. */
  readonly describeLeftovers: () => string[];
  /** Writes what `--record` and `--seed` ask for. @throws UsageError */
  readonly record: (run: RunFacts) => void;
};

type Work = (context: RunContext) => Promise<number>;

/** Does work on the deployment of `--url`, or on a mock started for it. @returns the exit code. @throws UsageError */
export const withRun = async (settings: RunSettings, work: Work): Promise<number> => {
  const { flags } = settings;
  const target = flags.url === undefined ? await embeddedTarget() : deploymentAt(flags.url, flags);
  try {
    return await runOn(target, settings, work);
  } finally {
    await target.close();
  }
};

/** If the work fails or is interrupted, the leads that it leaves are printed. */
const runOn = async (
  target: Target,
  { command, flags, sink, isThorough, ids = [] }: RunSettings,
  work: Work,
): Promise<number> => {
  const redact = redactorFor(target);
  const runId = newRunId();
  const { kind, url } = target;
  const { allowWrites, reportDir: directory, from: sender } = flags;
  const permissions = permissionsOf(target, flags, isThorough);
  const title = redact(`email-leads ${command} ${manifest.version}: ${kind} at ${url}`);
  const recordings = startRecordings(flags, sink);
  // Only on a deployment can leads be left.
  const isFiled = kind !== 'embedded mock' && allowWrites;
  const file = isFiled ? openLedgerFile(directory, { url, runId }, redact) : undefined;
  const ledger = file ?? createLedger();
  const describeLeftovers = (): string[] => leftoverLines({ target, runId, ledger, redact });
  const record = (run: RunFacts): void => {
    // A run that came to nothing does not replace the recording of an earlier one.
    if (run.exchanges.length === 0) return;
    const { exchanges, lost = [] } = run;
    for (const exchange of [...exchanges, ...lost]) recordings.add(asObserved(exchange));
    recordings.write(url, run);
  };
  const interruption = interruptible(describeLeftovers);
  const options = {
    ...target,
    permissions,
    runId,
    ledger,
    ...limitsOf(target, flags),
    ...sink.watch(ids),
    signal: interruption.signal,
    ...(sender === undefined ? {} : { sender }),
  };
  try {
    return await work({ title, options, describeLeftovers, record });
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

type ReportFlags = Flags<'quiet' | 'color' | 'report' | 'reportDir' | 'profile' | 'waivers' | 'strict'>;

/**
 * What the flags of reports say, and the content of the files that they name: they are read before the run, so that an unusable
 * file is reported at once.
 * @throws UsageError
 */
export const planReports = (flags: ReportFlags) => {
  const { report, reportDir, profile, waivers, strict = false } = flags;
  const sink = createConsoleSink(flags, process.env);
  const kinds: ReportKind[] =
    report.length === 0 ? ['console'] : reportKinds.filter((kind) => report.includes(kind));
  return {
    strict,
    waivers: waivers === undefined ? [] : forFlag('--waivers', () => readWaivers(waivers)),
    profile: profile === undefined ? undefined : forFlag('--profile', () => loadProfile(profile)),
    sink,
    reports: prepareReports(kinds, reportDir, { ...sink, jobSummary: process.env.GITHUB_STEP_SUMMARY }),
  };
};

/**
 * Collects exchanges for the files of `--record` and `--seed`; without these flags it collects nothing.
 * @throws UsageError if one cannot be written, before the first request
 */
export const startRecordings = (
  { record, seed }: Partial<Flags<'record' | 'seed'>>,
  { note }: Pick<ConsoleSink, 'note'>,
) => {
  const files = [
    ['--record', record, createRecorder],
    // Last, because it throws where the deployment has listed no templates.
    ['--seed', seed, createSeedCollector],
  ] as const;
  const started = files.flatMap(([flag, file, create]) => {
    if (file === undefined) return [];
    forFlag(flag, () => expectWritable(file));
    return [{ name: `${flag} ${file}`, file, collector: create() }];
  });
  return {
    add: (exchange: ObservedExchange): void => {
      for (const { collector } of started) collector.add(exchange);
    },
    /** @throws UsageError */
    write: (url: string, { redact, lagMs }: Pick<RunFacts, 'redact' | 'lagMs'>): void => {
      const context = { url, redact, lagMs };
      for (const { name, file, collector } of started) {
        const text = forFlag(name, () => collector.text(context));
        writeOutput(file, text);
        for (const line of collector.describe(file, redact)) note(line);
      }
    },
  };
};
