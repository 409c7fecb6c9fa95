import { type Command, InvalidArgumentError } from 'commander';
import { duration, environmentName, flag, wholeNumber } from '../../mock/cli/flags.ts';
import { printError } from '../../mock/contract/printable.ts';
import { defaultMaxWait } from '../client/client.ts';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import { createRedactor } from '../client/redaction.ts';
import { intervalOf } from '../client/throttle.ts';
import { proxiesFrom } from '../client/transport.ts';
import { deploymentTarget, embeddedTarget, isExposed, type Target } from '../session/target.ts';

/** Default maximum number of mails per run, enough for a complete run. */
export const defaultMaxSends = 90;

/** The deployment, the permissions on it, and how fast to send requests. */
export type TargetFlags = {
  url?: string;
  allowWrites: boolean;
  sendTo?: string;
  allowUnaddressed: boolean;
  maxSends?: number;
  from?: string;
  timeout: number;
  rateLimit?: number;
  maxWait: number;
  wait: number;
  reportDir: string;
};

/** Adds the flags of every command that sends requests to a deployment. Permissions have no environment variable. */
export const withTargetFlags = (command: Command): Command =>
  command
    .addOption(flag('--url <url>', 'base URL of the deployment (default: start the mock and test it)'))
    .option('--allow-writes', 'allow adding, changing and deleting leads (no environment variable)', false)
    .option('--send-to <address>', 'allow mail to this address (no environment variable)', address)
    .option('--allow-unaddressed', 'allow mail without a recipient (no environment variable)', false)
    .addOption(
      flag(
        '--max-sends <number>',
        `maximum number of mails to request (default: ${defaultMaxSends}, and no limit for the embedded mock)`,
      ).argParser(wholeNumber(0, 10_000)),
    )
    .addOption(
      flag('--from <address>', 'sender of test mails (default: the --send-to address)').argParser(address),
    )
    .addOption(
      flag('--timeout <seconds>', 'maximum time to wait for a response, e.g. 10s')
        .default(10_000, '10s')
        .argParser(seconds),
    )
    .addOption(
      flag('--rate-limit <rate>', 'maximum request rate, retries included, e.g. 5/s or 90/m').argParser(
        interval,
      ),
    )
    .addOption(
      flag('--max-wait <time>', 'maximum time to wait in total: Retry-After pauses, and missing responses')
        .default(defaultMaxWait, '2m')
        .argParser(duration('60m')),
    )
    .addOption(
      flag('--wait <time>', 'maximum time to wait until the deployment has started, e.g. 60s')
        .default(0, '0s')
        .argParser(duration('60m')),
    )
    .addOption(
      flag(
        '--report-dir <directory>',
        'directory for reports and for the ledger of leads that the run adds',
      ).default('email-leads-reports'),
    );

/** Accepts one plain address: a list, or an address with a name, might reach other people. */
const address = (value: string): string => {
  if (/^[^\s@,;:<>"()]+@[^\s@,;:<>"()]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be one address like me@example.com.');
};

const seconds = (value: string): number => {
  const number = Number(/^(\d{1,3})s?$/.exec(value)?.[1]);
  if (number >= 1 && number <= 600) return number * 1000;
  throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 600, e.g. 10s.');
};

const interval = (rate: string): number => {
  const ms = intervalOf(rate);
  if (ms === undefined) throw new InvalidArgumentError('It must be a rate like 5/s or 90/m.');
  return ms;
};

/** The deployment of `--url`, or a mock started for the run. @throws ConfigurationError */
export const chooseTarget = async (
  url: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Target> => (url === undefined ? embeddedTarget() : deploymentAt(url, environment));

/** @throws ConfigurationError */
export const deploymentAt = (url: string, environment: NodeJS.ProcessEnv): Target => {
  const target = deploymentTarget(url, environment.EMAIL_LEADS_API_KEY);
  proxiesFrom(environment);
  if (isExposed(target))
    printError(`warning: the key is sent unencrypted to ${new URL(target.url).host} (http://)`);
  return target;
};

/** The address of a deployment in a profile, redacted in case it contains the key. */
export const addressOf = (target: Target): string =>
  target.kind === 'embedded mock' ? 'the embedded mock' : createRedactor(target.key)(target.url);

export const permissionsOf = (target: Target, flags: TargetFlags): Permissions => {
  if (target.kind === 'embedded mock')
    return { ...everythingPermitted, maxSends: flags.maxSends ?? everythingPermitted.maxSends };
  warnOfVariables(flags, process.env);
  return {
    writes: flags.allowWrites,
    sendTo: flags.sendTo,
    unaddressed: flags.allowUnaddressed,
    maxSends: flags.maxSends ?? defaultMaxSends,
  };
};

/** Warns about permissions set as variables, which have no effect: the run would look complete. */
const warnOfVariables = (flags: TargetFlags, environment: NodeJS.ProcessEnv): void => {
  const given: readonly (readonly [flag: string, isGiven: boolean])[] = [
    ['--allow-writes', flags.allowWrites],
    ['--send-to', flags.sendTo !== undefined],
    ['--allow-unaddressed', flags.allowUnaddressed],
  ];
  for (const [name, isGiven] of given)
    if (!isGiven && environment[environmentName(name)])
      printError(
        `warning: ${environmentName(name)} has no effect: permissions are given on the command line only; add ${name}`,
      );
};
