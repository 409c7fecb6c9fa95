import { type Command, InvalidArgumentError } from 'commander';
import { flag, listFlag, switchFlag } from '../../mock/cli/flags.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import { print } from '../../mock/contract/printable.ts';
import type { Profile } from '../../mock/contract/questions.ts';
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
  quietFlag,
} from '../terminal/console-sink.ts';
import { readWaivers, type Waiver } from '../waivers/waivers.ts';
import { forFlag } from './lifecycle.ts';
import { directoryFlag, seedFlag, withFlags } from './target-options.ts';

/** How findings count and where they are reported: flags of every command that checks a deployment. */
export type ReportFlags = ConsoleFlags & {
  report: string[];
  reportDir: string;
  profile?: string;
  waivers?: string;
  strict?: boolean;
};

/** Adds all flags except `--report-dir`, which some commands also use for other files. */
export const withReportFlags = (command: Command): Command => {
  withFlags(command, 'Findings', [
    flag('--profile <file>', 'report changed answers; a pinned one is drift'),
    flag('--waivers <file>', 'known findings: a list of {check, reason, until}'),
    switchFlag('--strict', 'broken derived facts fail the run too'),
  ]);
  return withFlags(command, 'Reports', [
    listFlag('--report <list>', `reports to write, with commas: ${reportKinds.join(', ')}`, 'console'),
    colourFlag(),
  ]);
};

/** Where reports go, and the content of the files that flags name. They are read first, so that an unusable file is reported at once. */
export type ReportPlan = {
  readonly kinds: readonly ReportKind[];
  readonly directory: string;
  readonly sink: ConsoleSink;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  readonly profile: Profile | undefined;
};

/** @throws UsageError or ConfigurationError */
export const planReports = (flags: ReportFlags): ReportPlan => {
  const { report, reportDir: directory, profile, waivers, strict = false } = flags;
  const plan = {
    strict,
    waivers: waivers === undefined ? [] : forFlag('--waivers', () => readWaivers(waivers)),
    profile: profile === undefined ? undefined : forFlag('--profile', () => loadProfile(profile)),
    sink: createConsoleSink(flags, process.env),
    kinds: parseKinds(report),
    directory,
  };
  expectReportsWritable(plan.kinds, directory);
  return plan;
};

/**
 * Prints and writes the requested reports, and names those of earlier runs.
 * @param isSaid whether the verdict has been printed, or is part of a report
 * @throws ConfigurationError if one cannot be written
 */
export const deliverReport = async (
  report: Report,
  { kinds, directory, sink }: ReportPlan,
  isSaid = kinds.includes('console'),
): Promise<void> => {
  const { write, isQuiet, isColoured } = sink;
  const stepSummary = process.env.GITHUB_STEP_SUMMARY;
  const places = { directory, stepSummary, write };
  const files = await writeReports(report, kinds, { ...places, isQuiet, isColoured });
  if (files.length > 0) sink.note(`Written: ${files.join(', ')}`);
  if (!isSaid) print(`Verdict: ${report.verdict.headline}`);
  const others = otherReports(kinds, directory);
  if (others.length > 0) sink.note(`Of an earlier run, not of this one: ${others.join(', ')}`);
};

/** The flags of every command that checks the traffic of other clients. */
export type TrafficFlags = ReportFlags & { require: OperationId[]; seed?: string };

const operations = (value: string, previous: OperationId[]): OperationId[] => {
  const names = value.split(/[\s,]+/).filter((name) => name !== '');
  const isKnown = (name: string): name is OperationId => (operationIds as readonly string[]).includes(name);
  if (names.length > 0 && names.every(isKnown)) return [...previous, ...names];
  throw new InvalidArgumentError(`It must name operations: ${operationIds.join(', ')}.`);
};

export const withTrafficFlags = (command: Command): Command => {
  withFlags(withReportFlags(command), 'Reports', [quietFlag(), directoryFlag()]);
  return withFlags(command, 'Traffic', [
    flag('--require <operations>', 'exit with 3 unless these succeed: sendEmail,addLead')
      .default([], 'none')
      .argParser(operations),
    seedFlag(),
  ]);
};
