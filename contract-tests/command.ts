import { setMaxListeners } from 'node:events';
import { command, flag, listFlag, runCommand, switchedOn, UsageError, wholeNumber } from '../mock/flags.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Check } from './check.ts';
import { checks } from './checks/index.ts';
import { NoAnswer } from './client.ts';
import { everythingPermitted, type Permissions } from './permissions.ts';
import { CannotTest } from './preflight.ts';
import { consoleReport } from './report/console.ts';
import { buildReport } from './report/report.ts';
import { runContract } from './run.ts';
import { SelectionError, selectChecks } from './select.ts';
import { deploymentTarget, embeddedTarget, isExposed, type Target, TargetError } from './target.ts';
import { exitCodes, summarise } from './verdict.ts';
import { applyWaivers, readWaivers, type Waiver, WaiverError } from './waivers.ts';

type Flags = {
  url?: string;
  allowWrites: boolean;
  sendTo?: string;
  allowUnaddressed: boolean;
  maxSends: number;
  from?: string;
  waivers?: string;
  only: string[];
  skip: string[];
  list: boolean;
  strict: boolean;
  timeout: number;
};

const definition = () =>
  command('email-leads contract', 'Hold a deployment (or the mock itself) against the contract.')
    .addOption(flag('--url <url>', 'base URL of the deployment; without it the mock is started and tested'))
    .option('--allow-writes', 'permit adding, changing and deleting leads (no environment twin)', false)
    .option('--send-to <address>', 'permit mail to this address (no environment twin)')
    .option('--allow-unaddressed', 'permit mail that names no recipient (no environment twin)', false)
    .addOption(
      flag('--max-sends <number>', 'mails to request at most').default(60).argParser(wholeNumber(0, 10_000)),
    )
    .addOption(flag('--from <address>', 'sender of test mails (default: the --send-to address)'))
    .addOption(
      flag('--waivers <file>', 'known findings that do not fail the run: a list of check and reason'),
    )
    .addOption(listFlag('--only <id>', 'run this check or group of checks only (repeatable)'))
    .addOption(listFlag('--skip <id>', 'leave out this check or group of checks (repeatable)'))
    .option('--list', 'list the checks and run nothing', false)
    .option('--strict', 'let derived facts fail too', false)
    .addOption(
      flag('--timeout <seconds>', 'wait for an answer at most, e.g. 10s')
        .default(10_000, '10s')
        .argParser(seconds),
    )
    .addHelpText(
      'after',
      `
The key of a deployment comes from EMAIL_LEADS_API_KEY. A deployment is only read until --allow-writes and --send-to.
Exit codes: 0 conforms, 1 a documented fact is broken, 2 usage, 3 could not test, 130 interrupted.`,
    );

const seconds = (value: string): number => wholeNumber(1, 600)(value.replace(/s$/, '')) * 1000;

/** `email-leads contract` */
export const runContractCommand = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    const flags = definition().parse(argv, { from: 'user' }).opts<Flags>();
    const strict = switchedOn(flags.strict, '--strict', process.env);
    const selected = usage(() => selectChecks(checks, flags.only, flags.skip));
    if (switchedOn(flags.list, '--list', process.env)) {
      console.log(listing(selected));
      return exitCodes.conforms;
    }
    const waivers = flags.waivers === undefined ? [] : usage(() => readWaivers(flags.waivers ?? '', checks));
    const target = await chooseTarget(flags);
    try {
      return await report(target, flags, selected, strict, waivers);
    } finally {
      await target.close();
    }
  });

const usage = <Result>(attempt: () => Result): Result => {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof SelectionError || error instanceof TargetError || error instanceof WaiverError)
      throw new UsageError(error.message);
    throw error;
  }
};

const chooseTarget = async ({ url }: Flags): Promise<Target> => {
  if (url === undefined) return embeddedTarget();
  const target = usage(() => deploymentTarget(url, process.env.EMAIL_LEADS_API_KEY));
  if (isExposed(target))
    console.error(`warning: the key travels unencrypted to ${new URL(target.url).host} (http://)`);
  return target;
};

const permissionsOf = (target: Target, flags: Flags): Permissions =>
  target.kind === 'embedded mock'
    ? everythingPermitted
    : {
        writes: flags.allowWrites,
        sendTo: flags.sendTo,
        unaddressed: flags.allowUnaddressed,
        maxSends: flags.maxSends,
      };

const report = async (
  target: Target,
  flags: Flags,
  selected: readonly Check[],
  strict: boolean,
  waivers: readonly Waiver[],
): Promise<number> => {
  const permissions = permissionsOf(target, flags);
  console.log(`email-leads contract ${manifest.version}: ${target.kind} at ${target.url}`);
  if (target.kind === 'deployment' && permissions.sendTo !== undefined)
    console.log(mailNotice(selected, permissions));
  const interruption = interruptible();
  try {
    const run = await runContract({
      ...target,
      permissions,
      checks: selected,
      timeout: flags.timeout,
      version: manifest.version,
      signal: interruption.signal,
      ...(flags.from === undefined ? {} : { sender: flags.from }),
    });
    const { verdicts, unused } = applyWaivers(run.verdicts, waivers);
    const waivedRun = { ...run, verdicts };
    const summary = summarise(waivedRun, strict, unused);
    console.log(
      consoleReport(buildReport({ target, run: waivedRun, summary, strict, version: manifest.version })),
    );
    return summary.exitCode;
  } catch (error) {
    if (error instanceof NoAnswer && error.kind === 'interrupted') return exitCodes.interrupted; // before anything was created
    if (!(error instanceof CannotTest)) throw error;
    console.error(`could not test: ${error.message}`);
    return exitCodes.couldNotTest;
  } finally {
    interruption.end();
  }
};

const mailNotice = (selected: readonly Check[], { sendTo, unaddressed, maxSends }: Permissions): string => {
  const most = Math.min(
    selected.reduce((sum, { mails = 0 }) => sum + mails, 0),
    maxSends,
  );
  const others = unaddressed ? ', some of them naming no recipient (--allow-unaddressed)' : '';
  return `This run asks for ${most} mails at most, to ${sendTo}${others}.`;
};

/** Ctrl-C ends the run in good order, a second one at once. */
const interruptible = (): { signal: AbortSignal; end: () => void } => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // every request under way listens
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    console.error('\nstopping: deleting what the run created (once more to leave at once)');
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    end: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
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
