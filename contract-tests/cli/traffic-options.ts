import { type Command, InvalidArgumentError } from 'commander';
import { flag, isEnabled, listFlag } from '../../mock/cli/flags.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import manifest from '../../package.json' with { type: 'json' };
import { checks } from '../checks/index.ts';
import { answerLines } from '../questions/drift.ts';
import { loadOrCreate, loadProfile, merge, type Profile, writeProfile } from '../questions/profile.ts';
import {
  parseKinds,
  prepareDirectory,
  type ReportKind,
  reportKinds,
  writeReports,
} from '../reports/index.ts';
import type { Report } from '../reports/report.ts';
import { print } from '../reports/text.ts';
import { readWaivers, type Waiver } from '../runner/selection.ts';
import { conclude } from '../traffic/conclusion.ts';
import type { TrafficSession } from '../traffic/session.ts';
import { asUsage, usage } from './lifecycle.ts';

/** What every command that judges the traffic of others takes. */
export type TrafficFlags = {
  profile?: string;
  waivers?: string;
  strict: boolean;
  require: string[];
  learn?: string;
  report: string[];
  reportDir: string;
};

const operation = (value: string, previous: string[]): string[] => {
  const names = value.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = names.find((name) => !(operationIds as readonly string[]).includes(name));
  if (unknown !== undefined || names.length === 0)
    throw new InvalidArgumentError(`It must name operations: ${operationIds.join(', ')}.`);
  return [...previous, ...names];
};

export const withTrafficFlags = (command: Command): Command =>
  command
    .addOption(
      flag(
        '--require <operations>',
        'exit 3 unless these operations were seen to succeed, e.g. sendEmail,addLead (repeatable)',
      )
        .default([], 'none')
        .argParser(operation),
    )
    .addOption(
      flag('--profile <file>', 'compare with the answers of this profile: a changed pinned answer is drift'),
    )
    .addOption(
      flag(
        '--learn <file>',
        'write the answers to open questions that the traffic shows to this profile; pinned answers do not change',
      ),
    )
    .addOption(
      flag(
        '--waivers <file>',
        'list of known findings (check or its beginning, reason, perhaps until) that do not fail the session',
      ),
    )
    .option('--strict', 'treat broken derived facts as failures, not as warnings', false)
    .addOption(
      listFlag(
        '--report <list>',
        `reports to write, e.g. console,junit; available: ${reportKinds.join(', ')}`,
      ).default([], 'console'),
    )
    .addOption(flag('--report-dir <directory>', 'directory for reports').default('email-leads-reports'));

/** What the flags name, read before anything begins: a file that cannot be used is said at once. */
export type TrafficPlan = {
  readonly kinds: readonly ReportKind[];
  readonly directory: string;
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  readonly require: readonly OperationId[];
  readonly profile: Profile | undefined;
  /** Where learned answers go, with what is there. */
  readonly learn: { readonly file: string; readonly before: Profile } | undefined;
};

/**
 * @param url the deployment, as a profile names it
 * @throws UsageError
 */
export const planOf = (flags: TrafficFlags, url: string): TrafficPlan => {
  const kinds = usage(() => parseKinds(flags.report));
  usage(() => prepareDirectory(kinds, flags.reportDir));
  return {
    kinds,
    directory: flags.reportDir,
    strict: isEnabled(flags.strict, '--strict', process.env),
    waivers: flags.waivers === undefined ? [] : usage(() => readWaivers(flags.waivers ?? '', checks)),
    require: flags.require as OperationId[],
    profile: flags.profile === undefined ? undefined : usage(() => loadProfile(flags.profile ?? '')),
    learn: learnPlan(flags.learn, url),
  };
};

const learnPlan = (file: string | undefined, url: string): TrafficPlan['learn'] =>
  file === undefined ? undefined : { file, before: usage(() => loadOrCreate(file, url)) };

/** Writes the answers that the session showed into the profile of `--learn`. @throws UsageError */
export const writeLearned = ({ learning }: TrafficSession, { learn }: TrafficPlan): void => {
  if (!learn) return;
  const results = learning.results(learning.answered());
  const { profile, changes } = merge(learn.before, results, {
    at: new Date().toISOString(),
    version: manifest.version,
  });
  const written = usage(() => writeProfile(learn.file, profile));
  print(written ? `Written: ${learn.file}` : `${learn.file} is already up to date`);
  for (const { id, kind, before, after } of changes) {
    if (kind === 'new') print(`  learned: ${id} = ${after}`);
    if (kind === 'changed') print(`  changed: ${id}, ${before} → ${after}`);
    if (kind === 'drift') print(`  drift: ${id} is pinned as ${before}, traffic shows ${after}; not changed`);
  }
  for (const result of results)
    if (result.status === 'unstable') print(`  unstable: ${result.question.id}, ${result.reason}`);
};

/** The report on a session, as it is now. */
export const reportOn = (
  session: TrafficSession,
  url: string,
  { strict, waivers, require, profile }: TrafficPlan,
): Report => conclude({ session, url, version: manifest.version, strict, waivers, require, profile });

/** Prints and writes the reports that were asked for. @throws UsageError where one cannot be written */
export const deliver = async (report: Report, { kinds, directory }: TrafficPlan): Promise<void> => {
  const { answers, requests, mails_requested: mails } = report;
  if (answers.length > 0 && kinds.includes('console'))
    for (const line of answerLines({ answers, requests, mails, interrupted: false })) print(line);
  try {
    const files = await writeReports(report, kinds, {
      directory,
      stepSummary: process.env.GITHUB_STEP_SUMMARY,
      print: (text) => void process.stdout.write(text),
    });
    if (files.length > 0) print(`Written: ${files.join(', ')}`);
    if (!kinds.includes('console')) print(`Verdict: ${report.verdict.headline}`);
  } catch (error) {
    throw asUsage(error);
  }
};
