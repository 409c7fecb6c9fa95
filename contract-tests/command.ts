import { command, flag, listFlag, switchedOn } from '../mock/flags.ts';
import manifest from '../package.json' with { type: 'json' };
import { asUsage, beginAsking, runAsking, usage, whyNothing } from './asking-command.ts';
import type { Check } from './check.ts';
import { checks } from './checks/index.ts';
import { cleanLedger } from './clean-command.ts';
import { answerLines, type Gate, gateProbes, runGate } from './gate.ts';
import { hintLines } from './leftovers.ts';
import { mailNotice } from './mail-plan.ts';
import { mailsOf } from './probes/index.ts';
import { loadProfile, type Profile } from './profile.ts';
import { createRedactor } from './redact.ts';
import { parseKinds, prepareDirectory, type ReportKind, reportKinds, writeReports } from './report/index.ts';
import { buildReport, type ReportOptions } from './report/report.ts';
import { untested } from './report/untested.ts';
import { visible } from './report/visible.ts';
import { type Run, runContract, type TargetOptions } from './run.ts';
import { selectChecks } from './select.ts';
import type { Target } from './target.ts';
import { chooseTarget, permissionsOf, type TargetFlags, withTargetFlags } from './target-flags.ts';
import { exitCodes, summarise } from './verdict.ts';
import { applyWaivers, readWaivers, type Waiver } from './waivers.ts';

type Flags = TargetFlags & {
  profile?: string;
  waivers?: string;
  only: string[];
  skip: string[];
  list: boolean;
  strict: boolean;
  report: string[];
  clean?: string;
};

const definition = () =>
  withTargetFlags(
    command('email-leads contract', 'Hold a deployment (or the mock itself) against the contract.'),
  )
    .addOption(flag('--profile <file>', 'ask its answers again: a pinned one that changed is drift'))
    .addOption(
      flag('--waivers <file>', 'known findings that do not fail the run: a list of check and reason'),
    )
    .addOption(listFlag('--only <id>', 'run this check or group of checks only (repeatable)'))
    .addOption(listFlag('--skip <id>', 'leave out this check or group of checks (repeatable)'))
    .option('--list', 'list the checks and run nothing', false)
    .option('--strict', 'let derived facts fail too', false)
    .addOption(
      listFlag(
        '--report <list>',
        `reports to make, e.g. console,junit; of ${reportKinds.join(', ')}`,
      ).default([], 'console'),
    )
    .option('--clean <ledger>', 'delete what a killed run left, and test nothing (no environment twin)')
    .addHelpText(
      'after',
      `
The key of a deployment comes from EMAIL_LEADS_API_KEY. A deployment is only read until --allow-writes and --send-to.
HTTP_PROXY, HTTPS_PROXY and NO_PROXY are used as curl uses them, but never for this machine (localhost).
Exit codes: 0 conforms, 1 a documented fact is broken, 2 usage, 3 could not test, 4 drift only, 130 interrupted.`,
    );

/** `email-leads contract` */
export const runContractCommand = (argv: readonly string[]): Promise<number> =>
  runAsking(async () => {
    const flags = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const strict = switchedOn(flags.strict, '--strict', process.env);
    const selected = usage(() => selectChecks(checks, flags.only, flags.skip));
    if (switchedOn(flags.list, '--list', process.env)) {
      console.log(listing(selected));
      return exitCodes.conforms;
    }
    if (flags.clean !== undefined) return await cleanLedger(flags, flags.clean);
    const waivers = flags.waivers === undefined ? [] : usage(() => readWaivers(flags.waivers ?? '', checks));
    const profile = flags.profile === undefined ? undefined : usage(() => loadProfile(flags.profile ?? ''));
    const kinds = usage(() => parseKinds(flags.report));
    usage(() => prepareDirectory(kinds, flags.reportDir));
    const target = await chooseTarget(flags.url, process.env);
    try {
      return await judge({ target, flags, selected, strict, waivers, kinds, profile });
    } finally {
      await target.close();
    }
  });

type Plan = {
  readonly target: Target;
  readonly flags: Flags;
  readonly selected: readonly Check[];
  readonly strict: boolean;
  readonly waivers: readonly Waiver[];
  readonly kinds: readonly ReportKind[];
  readonly profile: Profile | undefined;
};

const judge = async (plan: Plan): Promise<number> => {
  const { target, flags, selected, strict, waivers } = plan;
  const permissions = permissionsOf(target, flags);
  const redact = createRedactor(target.key);
  console.log(redact(`email-leads contract ${manifest.version}: ${target.kind} at ${target.url}`));
  if (target.kind === 'deployment' && permissions.sendTo !== undefined)
    console.log(mailNotice(selected, permissions, plan.profile ? mailsOf(gateProbes(plan.profile)) : 0));
  const { options, ledger, whatIsLeft, end } = beginAsking(target, flags, permissions);
  const { runId } = options;
  const startedAt = new Date().toISOString();
  try {
    const run = await runContract({ ...options, checks: selected });
    const gate = plan.profile && !run.interrupted ? await askAgain(plan.profile, options, run) : undefined;
    const { verdicts, unused } = applyWaivers(run.verdicts, waivers);
    const interrupted = run.interrupted || gate?.interrupted === true;
    const waivedRun = { ...run, verdicts, interrupted, leftovers: ledger.open() };
    const summary = summarise(waivedRun, strict, unused, gate?.answers);
    if (gate && plan.kinds.includes('console'))
      for (const line of answerLines(gate)) console.log(visible(redact(line)));
    await deliver(plan, { run: waivedRun, summary, answers: gate?.answers });
    if (!plan.kinds.includes('console')) console.log(`Verdict: ${summary.headline}`);
    for (const line of hintLines({ runId, ledger })) console.log(line);
    return summary.exitCode;
  } catch (error) {
    for (const line of whatIsLeft()) console.error(line);
    const reason = whyNothing(error);
    if (!reason) throw error;
    console.error(reason.headline);
    const leftovers = ledger.open();
    const nothing = untested({ ...reason, checks: selected, runId, startedAt, leftovers, redact });
    await deliver({ ...plan, kinds: plan.kinds.filter((kind) => kind !== 'console') }, nothing);
    return reason.exitCode;
  } finally {
    end();
  }
};

/** Asks the answers of a profile again, with what the checks left of the mails that are permitted. */
const askAgain = (profile: Profile, options: TargetOptions, { mailsRequested }: Run): Promise<Gate> => {
  const maxSends = Math.max(0, options.permissions.maxSends - mailsRequested);
  return runGate({ ...options, permissions: { ...options.permissions, maxSends } }, profile);
};

/** Prints and writes the reports that were asked for. */
const deliver = async (
  { target, strict, kinds, flags }: Plan,
  outcome: Pick<ReportOptions, 'run' | 'summary' | 'answers'>,
): Promise<void> => {
  const report = buildReport({ target, strict, version: manifest.version, ...outcome });
  try {
    const files = await writeReports(report, kinds, {
      directory: flags.reportDir,
      stepSummary: process.env.GITHUB_STEP_SUMMARY,
      print: (text) => void process.stdout.write(text),
    });
    if (files.length > 0) console.log(`Written: ${files.join(', ')}`);
  } catch (error) {
    throw asUsage(error);
  }
};

const listing = (selected: readonly Check[]): string => {
  const width = Math.max(...selected.map(({ id }) => id.length));
  return selected
    .map(
      ({ id, title, section, level, needs }) =>
        `${id.padEnd(width)}  §${section.padEnd(4)}${level.padEnd(11)}${needs.padEnd(7)}${title}`,
    )
    .join('\n');
};
