import { print, printError, printJson } from '../../mock/contract/printable.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { checks } from '../checks/index.ts';
import { redactorFor } from '../client/gateway.ts';
import { hintLines, leftoverLines, readLedgerFile, reopenLedgerFile } from '../client/ledger.ts';
import type { Permissions } from '../client/permissions.ts';
import { rateText } from '../client/throttle.ts';
import { costNotice, costOf, describeCheck, listChecks, mailNotice, plannedMails } from '../cost/cost.ts';
import { plural } from '../exchange/describe.ts';
import { gateProbes, reportRun } from '../library/report-run.ts';
import { mailsOf } from '../questions/observe.ts';
import { readReport } from '../reports/index.ts';
import { deleteLeft } from '../runner/cleanup.ts';
import { CannotTest } from '../runner/preflight.ts';
import { inRun } from '../runner/run.ts';
import { isThoroughRun, selectChecks, selectDue, selectFailed } from '../runner/selection.ts';
import { exitCodes } from '../runner/summary.ts';
import { createConsoleSink } from './console-sink.ts';
import { type FlagsIn, findingFlags, targetFlags, withFlags } from './flags.ts';
import { forFlag, runDeploymentCommand } from './lifecycle.ts';
import { planReports, withRun } from './run.ts';
import { addressOf, deploymentAt, limitsOf } from './target.ts';

const flagNames = {
  ...targetFlags,
  Reports: ['record', 'reportDir', 'quiet', 'verbose', 'report', 'color'],
  ...findingFlags,
  Selection: ['only', 'skip', 'onlyFailed', 'thorough', 'list', 'json', 'clean'],
} as const;

type Flags = FlagsIn<typeof flagNames>;

export const definition = () =>
  withFlags(
    [
      'email-leads contract',
      'Check a deployment (or the mock) against the contract.',
      'email-leads contract --url https://staging.example.com --allow-writes --send-to me@example.com',
    ],
    flagNames,
    `The key of a deployment comes from EMAIL_LEADS_API_KEY. Without permissions, a deployment is only read.
HTTP_PROXY, HTTPS_PROXY and NO_PROXY work as in curl, but never apply to localhost.
Exit codes: 0 conforms, 1 a documented fact is broken, 2 usage, 3 not everything tested, 4 drift only, 130 interrupted.`,
  );

const onlyWrites: Permissions = { writes: true, sendTo: undefined, unaddressed: false, maxSends: 0 };

/** `contract --clean LEDGER`: deletes the leads that a killed run left, and prints the result. */
const cleanLedger = async (flags: Flags, path: string): Promise<number> => {
  const record = readLedgerFile(path);
  const target = deploymentAt(flags.url ?? record.url, flags);
  const redact = redactorFor(target);
  if (redact(target.url) !== record.url)
    throw new UsageError(
      `${path} belongs to ${record.url}, and --url is another deployment: ${redact(target.url)}`,
    );
  const ledger = reopenLedgerFile(path, record, redact);
  const { runId, open } = record;
  const sink = createConsoleSink(flags, process.env);
  const options = {
    ...target,
    ...limitsOf(target, flags),
    ...sink.watch(),
    runId,
    ledger,
    permissions: onlyWrites,
  };
  let isClean = false;
  try {
    await inRun(options, 'contract', deleteLeft);
    const left = ledger.open().length;
    print(`gone from ${record.url}: ${open.length - left} of ${plural(open.length, 'lead')} of run ${runId}`);
    isClean = left === 0;
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    printError(`could not clean: ${error.message}`);
  } finally {
    sink.end();
  }
  for (const line of leftoverLines({ target, runId, ledger, redact })) print(line);
  if (isClean) ledger.close();
  return isClean ? exitCodes.conforms : exitCodes.couldNotTest;
};

type Selection = ReturnType<typeof selectDue>;

const selectedBy = ({ only, skip, onlyFailed, thorough = false }: Flags): Selection => {
  const selected = selectChecks(checks, only, skip);
  if (onlyFailed !== undefined) {
    const { checks: earlier } = forFlag('--only-failed', () => readReport(onlyFailed));
    const due = forFlag(`--only-failed ${onlyFailed}:`, () => selectFailed(selected, earlier));
    return { due, leftToThorough: 0 };
  }
  return selectDue(selected, only, thorough);
};

/** `email-leads contract` */
export const runContractCommand = (argv: readonly string[]): Promise<number> =>
  runDeploymentCommand({ definition, argv, takesTarget: true }, async (flags: Flags) => {
    const selection = selectedBy(flags);
    const { due } = selection;
    const { list, json, thorough = false, clean } = flags;
    if (json && !list)
      throw new UsageError('--json belongs to --list: for the result of a run, use --report json');
    if (list) {
      if (json) printJson(due.map((check) => describeCheck(check, thorough)));
      else for (const line of listChecks(due, thorough)) print(line);
      return exitCodes.conforms;
    }
    if (clean !== undefined) return await cleanLedger(flags, clean);
    return await runSelected(selection, flags);
  });

const runSelected = async ({ due: selected, leftToThorough }: Selection, flags: Flags): Promise<number> => {
  const { strict, waivers, profile, sink, reports } = planReports(flags);
  const thorough = isThoroughRun(selected, flags);
  const ids = selected.map(({ id }) => id);
  const settings = { command: 'contract', flags, sink, isThorough: thorough, ids } as const;
  return await withRun(settings, async ({ title, options, record }) => {
    sink.note(title);
    const { permissions, interval } = options;
    if (profile && profile.deployment !== addressOf(options))
      printError(`warning: the profile is of ${profile.deployment}, and this is ${addressOf(options)}`);
    if (options.kind === 'deployment') {
      const gateMails = profile ? mailsOf(gateProbes(profile), permissions) : 0;
      const more = profile ? ' The questions of the profile need more requests.' : '';
      sink.note(costNotice(costOf(selected, permissions, thorough)) + more);
      sink.note(mailNotice(plannedMails(selected, permissions, thorough) + gateMails, permissions));
      if (interval !== undefined) sink.note(`It sends at most ${rateText(interval)} (--rate-limit).`);
    }
    reports.begin();
    const checked = { strict, waivers, profile, checks: selected, thorough, leftToThorough };
    const { report, run } = await reportRun({ ...options, ...checked });
    reports.deliver(report);
    record(run);
    for (const line of hintLines(options)) print(line);
    return report.verdict.exit_code;
  });
};
