// What a command prints and writes: its reports, and the files that its exchanges are collected for.
import manifest from '../../package.json' with { type: 'json' };
import { expectWritable, writeOutput } from '../client/output-file.ts';
import { loadProfile } from '../questions/profile.ts';
import { prepareReports, type ReportKind, reportKinds } from '../reports/index.ts';
import type { RunFacts } from '../runner/run.ts';
import { type ConsoleSink, createConsoleSink } from '../terminal/console-sink.ts';
import type { ObservedExchange } from '../traffic/exchanges/observed.ts';
import { createRecorder, createSeedCollector } from '../traffic/record.ts';
import { readWaivers } from '../waivers/waivers.ts';
import type { Flags } from './flags.ts';
import { forFlag } from './lifecycle.ts';

type ReportFlags = Flags<'quiet' | 'color' | 'report' | 'reportDir' | 'profile' | 'waivers' | 'strict'>;

/**
 * What the flags of reports say, with the content of the files that they name, which are read first, so that an unusable file is
 * reported at once.
 */
export type ReportPlan = ReturnType<typeof planReports>;

/** @throws UsageError or ConfigurationError */
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

/** The files of `--record` and `--seed`, which exchanges are collected for. Without its flag nothing is collected. */
type Recordings = {
  readonly add: (exchange: ObservedExchange) => void;
  /** Writes the files. @throws ConfigurationError */
  readonly write: (url: string, run: Pick<RunFacts, 'redact' | 'lagMs'>) => void;
};

/** Prepares the files before the first request. @throws ConfigurationError if one cannot be written */
export const startRecordings = (
  { record, seed }: Partial<Flags<'record' | 'seed'>>,
  { note }: Pick<ConsoleSink, 'note'>,
): Recordings => {
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
    add: (exchange) => {
      for (const { collector } of started) collector.add(exchange);
    },
    write: (url, { redact, lagMs }) => {
      const context = { url, version: manifest.version, redact, lagMs };
      for (const { name, file, collector } of started) {
        writeOutput(
          file,
          forFlag(name, () => collector.text(context)),
        );
        for (const line of collector.describe(file, redact)) note(line);
      }
    },
  };
};
