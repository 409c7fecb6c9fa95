import type { Command, Option } from 'commander';
import { flag, isEnabled, listFlag, offering, switchFlag } from '../../mock/cli/flags.ts';
import { type Profile, ProfileError } from '../../mock/contract/profile.ts';
import { checks } from '../checks/index.ts';
import { ConfigurationError } from '../client/errors.ts';
import { loadProfile } from '../questions/profile.ts';
import {
  expectReportsWritable,
  otherReports,
  parseKinds,
  type ReportKind,
  reportKinds,
  writeReports,
} from '../reports/index.ts';
import type { Report } from '../reports/report.ts';
import {
  type ConsoleFlags,
  type ConsoleSink,
  colourFlag,
  createConsoleSink,
} from '../terminal/console-sink.ts';
import { readWaivers, type Waiver } from '../waivers/waivers.ts';

/** How findings count and where they are reported: flags of every command that checks a deployment. */
export type ReportFlags = ConsoleFlags & {
  profile?: string;
  waivers?: string;
  strict: boolean;
  report: string[];
  reportDir: string;
};

/** Adds all flags except `--report-dir`, which some commands also use for other files. */
export const withReportFlags = (command: Command): Command =>
  command
    .optionsGroup('Findings:')
    .addOption(flag('--profile <file>', 'report changed answers; a pinned one is drift'))
    .addOption(flag('--waivers <file>', 'known findings: a list of {check, reason, until}'))
    .addOption(switchFlag('--strict', 'broken derived facts fail the run too'))
    .optionsGroup('Reports:')
    .addOption(reportFlag())
    .addOption(colourFlag());

export const reportFlag = (): Option =>
  offering(
    listFlag('--report <list>', `reports to write, with commas: ${reportKinds.join(', ')}`, 'console'),
    () => reportKinds,
  );

/** The content of the files that flags name. They are read first, so that an unusable file is reported at once. */
export type ReportPlan = {
  readonly kinds: readonly ReportKind[];
  readonly directory: string;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  readonly profile: Profile | undefined;
  readonly sink: ConsoleSink;
};

/** Reads a file, and adds the name of the flag to its errors. @throws ConfigurationError */
export const readFor = <Content>(flag: string, read: () => Content): Content => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof ProfileError)) throw error;
    throw new ConfigurationError(`${flag} ${error.message}`);
  }
};

/** @throws UsageError or ConfigurationError */
export const planReports = (flags: ReportFlags): ReportPlan => {
  const { profile, waivers, strict, report, reportDir } = flags;
  const plan = {
    sink: createConsoleSink(flags, process.env),
    strict: isEnabled(strict, '--strict', process.env),
    waivers: waivers === undefined ? [] : readFor('--waivers', () => readWaivers(waivers, checks)),
    profile: profile === undefined ? undefined : readFor('--profile', () => loadProfile(profile)),
    kinds: parseKinds(report),
    directory: reportDir,
  };
  expectReportsWritable(plan.kinds, reportDir);
  return plan;
};

/** Prints and writes the requested reports. @throws ConfigurationError if one cannot be written */
export const deliverReport = async (
  report: Report,
  { kinds, directory, sink }: Pick<ReportPlan, 'kinds' | 'directory' | 'sink'>,
  timing?: string,
): Promise<void> => {
  const files = await writeReports(report, kinds, {
    directory,
    stepSummary: process.env.GITHUB_STEP_SUMMARY,
    print: sink.write,
    paint: sink.paint,
    isQuiet: sink.isQuiet,
    timing,
  });
  if (files.length > 0) sink.note(`Written: ${files.join(', ')}`);
  const others = otherReports(kinds, directory);
  if (others.length > 0) sink.note(`Of an earlier run, not of this one: ${others.join(', ')}`);
};
