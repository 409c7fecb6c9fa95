import { type Command, InvalidArgumentError } from 'commander';
import { flag, offering } from '../../mock/cli/flags.ts';
import type { Address } from '../../mock/contract/gateway.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import { print } from '../../mock/contract/printable.ts';
import type { Profile } from '../../mock/contract/profile.ts';
import manifest from '../../package.json' with { type: 'json' };
import { answerLines } from '../questions/drift.ts';
import { loadOrCreate, merge, writeProfile } from '../questions/profile.ts';
import type { JudgingCommand, Report } from '../reports/report.ts';
import { quietFlag } from '../terminal/console-sink.ts';
import { conclude } from '../traffic/conclusion.ts';
import type { TrafficSession } from '../traffic/session.ts';
import { seedFlag } from './recording.ts';
import {
  deliverReport,
  planReports,
  type ReportFlags,
  type ReportPlan,
  readFor,
  withReportFlags,
} from './report-options.ts';

/** The flags of every command that checks the traffic of other clients. */
export type TrafficFlags = ReportFlags & { require: string[]; learn?: string; seed?: string };

const operation = (value: string, previous: string[]): string[] => {
  const names = value.split(/[\s,]+/).filter((name) => name !== '');
  const unknown = names.find((name) => !(operationIds as readonly string[]).includes(name));
  if (unknown !== undefined || names.length === 0)
    throw new InvalidArgumentError(`It must name operations: ${operationIds.join(', ')}.`);
  return [...previous, ...names];
};

export const withTrafficFlags = (command: Command): Command =>
  withReportFlags(command)
    .addOption(quietFlag())
    .addOption(flag('--report-dir <directory>', 'directory for reports').default('email-leads-reports'))
    .optionsGroup('Traffic:')
    .addOption(
      offering(
        flag('--require <operations>', 'exit with 3 unless these succeed: sendEmail,addLead'),
        () => operationIds,
      )
        .default([], 'none')
        .argParser(operation),
    )
    .addOption(
      flag(
        '--learn <file>',
        'write the answers to open questions that the traffic shows to this profile; pinned answers do not change',
      ),
    )
    .addOption(seedFlag());

export type TrafficPlan = ReportPlan & {
  readonly command: JudgingCommand;
  readonly require: readonly OperationId[];
  /** The file for learned answers, and its current content. */
  readonly learn: { readonly file: string; readonly before: Profile } | undefined;
};

/**
 * @param command the command that writes the reports
 * @param url the deployment, as a profile names it
 * @throws as `planReports` does
 */
export const planOf = (command: JudgingCommand, flags: TrafficFlags, url: string): TrafficPlan => ({
  command,
  ...planReports(flags),
  require: flags.require as OperationId[],
  learn: learnPlan(flags.learn, url),
});

const learnPlan = (file: string | undefined, url: string): TrafficPlan['learn'] =>
  file === undefined ? undefined : { file, before: readFor('--learn', () => loadOrCreate(file, url)) };

/** Writes the answers that the session showed to the profile of `--learn`. @throws ProfileError */
export const writeLearned = ({ learning }: TrafficSession, { learn }: TrafficPlan): void => {
  if (!learn) return;
  const results = learning.results(learning.answered());
  const { profile, changes } = merge(learn.before, results, {
    at: new Date().toISOString(),
    version: manifest.version,
  });
  const written = writeProfile(learn.file, profile);
  print(written ? `Written: ${learn.file}` : `${learn.file} is already up to date`);
  for (const { id, kind, before, after } of changes) {
    if (kind === 'new') print(`  learned: ${id} = ${after}`);
    if (kind === 'changed') print(`  changed: ${id}, ${before} → ${after}`);
    if (kind === 'drift') print(`  drift: ${id} is pinned as ${before}, traffic shows ${after}; not changed`);
  }
  for (const result of results)
    if (result.status === 'unstable') print(`  unstable: ${result.question.id}, ${result.reason}`);
};

/** Creates the report of a session in its current state. */
export const reportOn = (session: TrafficSession, address: Address, plan: TrafficPlan): Report =>
  conclude({ ...plan, ...address, session, version: manifest.version });

/** Prints and writes the requested reports. @throws ConfigurationError if one cannot be written */
export const deliver = async (report: Report, plan: TrafficPlan): Promise<void> => {
  const { answers, requests, mails_requested: mails } = report;
  const isPrinted = plan.kinds.includes('console');
  if (answers.length > 0 && isPrinted)
    for (const line of answerLines({ answers, requests, mails }, plan.sink.isQuiet)) plan.sink.show(line);
  await deliverReport(report, plan);
  if (!isPrinted) print(`Verdict: ${report.verdict.headline}`);
};
