import { type Command, InvalidArgumentError, Option } from 'commander';
import { flag, switchFlag } from '../../mock/cli/flags.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import { loadProfile } from '../questions/profile.ts';
import { prepareReports, type ReportKind, reportKinds } from '../reports/index.ts';
import { type ConsoleFlags, createConsoleSink } from '../terminal/console-sink.ts';
import { readWaivers } from '../waivers/waivers.ts';
import { forFlag } from './lifecycle.ts';
import { seedFlag, withFlags } from './target-options.ts';

/** How findings count and where they are reported: flags of every command that checks a deployment. */
export type ReportFlags = ConsoleFlags & {
  report: ReportKind[];
  reportDir: string;
  profile?: string;
  waivers?: string;
  strict?: boolean;
};

/** A flag for some of these names, with commas, which may be repeated. */
const namesFlag = <Name extends string>(
  flags: string,
  description: string,
  known: readonly Name[],
  whenEmpty = 'none',
): Option =>
  flag(flags, description)
    .default([], whenEmpty)
    .argParser((value: string, previous: Name[]) => {
      const names = value.split(/[\s,]+/).filter((name) => name !== '');
      const isKnown = (name: string): name is Name => known.some((other) => other === name);
      if (names.length > 0 && names.every(isKnown)) return [...previous, ...names];
      throw new InvalidArgumentError(`It must be one or more of: ${known.join(', ')}.`);
    });

/** What a command prints and writes. */
const outputFlags = {
  record: () => flag('--record <file>', 'write the exchanges, without keys, for check (HAR)'),
  directory: () => flag('--report-dir <directory>', 'directory for reports').default('email-leads-reports'),
  quiet: () => switchFlag('--quiet', 'print only findings and the verdict'),
  verbose: () => switchFlag('--verbose', 'print a line for every exchange'),
  report: () =>
    namesFlag(
      '--report <list>',
      `reports to write, with commas: ${reportKinds.join(', ')}`,
      reportKinds,
      'console',
    ),
  colour: () => new Option('--no-color', 'do not colour the output (as NO_COLOR=1)'),
};

export const withOutputFlags = (command: Command, ...names: (keyof typeof outputFlags)[]): Command =>
  withFlags(
    command,
    'Reports',
    names.map((name) => outputFlags[name]()),
  );

/** Adds the flags that say how findings count. */
export const withFindingFlags = (command: Command): Command =>
  withFlags(command, 'Findings', [
    flag('--profile <file>', 'report changed answers; a pinned one is drift'),
    flag('--waivers <file>', 'known findings: a list of {check, reason, until}'),
    switchFlag('--strict', 'broken derived facts fail the run too'),
  ]);

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

/** The flags of every command that checks the traffic of other clients. */
export type TrafficFlags = ReportFlags & { require: OperationId[]; seed?: string };

export const withTrafficFlags = (command: Command): Command =>
  withFlags(withFindingFlags(withOutputFlags(command, 'directory', 'quiet', 'report', 'colour')), 'Traffic', [
    namesFlag('--require <operations>', 'exit with 3 unless these succeed: sendEmail,addLead', operationIds),
    seedFlag(),
  ]);
