import type { Command } from 'commander';
import { flag, isEnabled, listFlag, switchFlag } from '../../mock/cli/flags.ts';
import { print } from '../../mock/contract/printable.ts';
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
import { readWaivers, type Waiver } from '../waivers/waivers.ts';

/** How findings count and where they are reported: flags of every command that checks a deployment. */
export type ReportFlags = {
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
    .addOption(
      listFlag('--report <list>', `reports to write, with commas: ${reportKinds.join(', ')}`, 'console'),
    );

/** The content of the files that flags name. They are read first, so that an unusable file is reported at once. */
export type ReportPlan = {
  readonly kinds: readonly ReportKind[];
  readonly directory: string;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  readonly profile: Profile | undefined;
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
export const planReports = ({ profile, waivers, strict, report, reportDir }: ReportFlags): ReportPlan => {
  const plan = {
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
export const deliverReport = async (report: Report, { kinds, directory }: ReportPlan): Promise<void> => {
  const files = await writeReports(report, kinds, {
    directory,
    stepSummary: process.env.GITHUB_STEP_SUMMARY,
    print: (text) => void process.stdout.write(text),
  });
  if (files.length > 0) print(`Written: ${files.join(', ')}`);
  const others = otherReports(kinds, directory);
  if (others.length > 0) print(`Of an earlier run, not of this one: ${others.join(', ')}`);
};
