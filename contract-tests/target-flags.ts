import { type Command, InvalidArgumentError } from 'commander';
import { flag, UsageError, wholeNumber } from '../mock/flags.ts';
import { intervalOf } from './pace.ts';
import { everythingPermitted, type Permissions } from './permissions.ts';
import { ProxyError, proxiesFrom } from './proxy.ts';
import { deploymentTarget, embeddedTarget, isExposed, type Target, TargetError } from './target.ts';

/** Which deployment, what may be done to it, and how fast. */
export type TargetFlags = {
  url?: string;
  allowWrites: boolean;
  sendTo?: string;
  allowUnaddressed: boolean;
  maxSends: number;
  from?: string;
  timeout: number;
  rateLimit?: number;
  reportDir: string;
};

/** The flags of every command that asks a deployment something. Permissions have no environment twin. */
export const withTargetFlags = (command: Command): Command =>
  command
    .addOption(flag('--url <url>', 'base URL of the deployment; without it the mock is started and tested'))
    .option('--allow-writes', 'permit adding, changing and deleting leads (no environment twin)', false)
    .option('--send-to <address>', 'permit mail to this address (no environment twin)', address)
    .option('--allow-unaddressed', 'permit mail that names no recipient (no environment twin)', false)
    .addOption(
      flag('--max-sends <number>', 'mails to request at most').default(60).argParser(wholeNumber(0, 10_000)),
    )
    .addOption(
      flag('--from <address>', 'sender of test mails (default: the --send-to address)').argParser(address),
    )
    .addOption(
      flag('--timeout <seconds>', 'wait for an answer at most, e.g. 10s')
        .default(10_000, '10s')
        .argParser(seconds),
    )
    .addOption(
      flag('--rate-limit <rate>', 'requests at most, repeats included, e.g. 5/s or 90/m').argParser(interval),
    )
    .addOption(
      flag(
        '--report-dir <directory>',
        'where files go: reports, and the ledger of what the run adds',
      ).default('email-leads-reports'),
    );

/** One plain address: a list of them, or a name around one, might reach somebody else. */
const address = (value: string): string => {
  if (/^[^\s@,;:<>"()]+@[^\s@,;:<>"()]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be one address like me@example.com.');
};

const seconds = (value: string): number => wholeNumber(1, 600)(value.replace(/s$/, '')) * 1000;

const interval = (rate: string): number => {
  const ms = intervalOf(rate);
  if (ms === undefined) throw new InvalidArgumentError('It must be a rate like 5/s or 90/m.');
  return ms;
};

/** The deployment of `--url`, or a mock started for the run. @throws UsageError */
export const chooseTarget = async (
  url: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Target> => (url === undefined ? embeddedTarget() : deploymentAt(url, environment));

/** @throws UsageError */
export const deploymentAt = (url: string, environment: NodeJS.ProcessEnv): Target => {
  try {
    const target = deploymentTarget(url, environment.EMAIL_LEADS_API_KEY);
    proxiesFrom(environment);
    if (isExposed(target))
      console.error(`warning: the key travels unencrypted to ${new URL(target.url).host} (http://)`);
    return target;
  } catch (error) {
    if (error instanceof TargetError || error instanceof ProxyError) throw new UsageError(error.message);
    throw error;
  }
};

export const permissionsOf = (target: Target, flags: TargetFlags): Permissions =>
  target.kind === 'embedded mock'
    ? everythingPermitted
    : {
        writes: flags.allowWrites,
        sendTo: flags.sendTo,
        unaddressed: flags.allowUnaddressed,
        maxSends: flags.maxSends,
      };
