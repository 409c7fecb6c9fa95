import { type Command, InvalidArgumentError } from 'commander';
import { flag } from '../../mock/cli/flags.ts';
import type { Address } from '../../mock/contract/gateway.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { JudgingCommand, Report } from '../reports/report.ts';
import { quietFlag } from '../terminal/console-sink.ts';
import { conclude } from '../traffic/conclusion.ts';
import type { TrafficSession } from '../traffic/session.ts';
import { directoryFlag, seedFlag } from './recording.ts';
import { planReports, type ReportFlags, type ReportPlan, withReportFlags } from './report-options.ts';

/** The flags of every command that checks the traffic of other clients. */
export type TrafficFlags = ReportFlags & { require: string[]; seed?: string };

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
    .addOption(directoryFlag())
    .optionsGroup('Traffic:')
    .addOption(
      flag('--require <operations>', 'exit with 3 unless these succeed: sendEmail,addLead')
        .default([], 'none')
        .argParser(operation),
    )
    .addOption(seedFlag());

export type TrafficPlan = ReportPlan & {
  readonly command: JudgingCommand;
  readonly require: readonly OperationId[];
};

/**
 * @param command the command that writes the reports
 * @throws as `planReports` does
 */
export const planOf = (command: JudgingCommand, flags: TrafficFlags): TrafficPlan => ({
  command,
  ...planReports(flags),
  require: flags.require as OperationId[],
});

/** Creates the report of a session in its current state. */
export const reportOn = (session: TrafficSession, address: Address, plan: TrafficPlan): Report =>
  conclude({ ...plan, ...address, session, version: manifest.version });
