import { type Command, InvalidArgumentError, Option } from 'commander';
import { withConfigFlag } from '../../mock/cli/config-file.ts';
import { duration, environmentName, flag, wholeNumber } from '../../mock/cli/flags.ts';
import { isLoopback } from '../../mock/contract/loopback.ts';
import { printError } from '../../mock/contract/printable.ts';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { ConfigurationError } from '../client/errors.ts';
import type { Address } from '../client/gateway.ts';
import { defaultMaxSends, type Permissions, permissionsFor } from '../client/permissions.ts';
import { defaultMaxWait, intervalOf } from '../client/throttle.ts';
import { proxiesFrom } from '../client/transport.ts';
import { deploymentTarget, embeddedTarget, isExposed, redactorFor, type Target } from '../session/target.ts';
import type { ConsoleFlags } from '../terminal/console-sink.ts';
import { type GatewayFlags, gatewayOf, insecureWarning, withGatewayFlags } from './gateway-flags.ts';

/** Default minimum number of milliseconds between two requests to a deployment on another machine: 20 requests a second. */
const defaultInterval = 50;

/** The minimum number of milliseconds between two requests, if there is one. */
export const intervalFor = (
  { kind, url }: Pick<Target, 'kind' | 'url'>,
  { rateLimit }: Partial<Pick<TargetFlags, 'rateLimit'>>,
): number | undefined => {
  const isOnThisMachine = kind === 'embedded mock' || isLoopback(new URL(url).hostname);
  return rateLimit ?? (isOnThisMachine ? undefined : defaultInterval);
};

/** Has no variable: EMAIL_LEADS_SEED names the seed that `mock` reads, which must not be overwritten with data of a deployment. */
export const seedFlag = (): Option =>
  new Option('--seed <file>', 'write the templates as a seed for the mock');

/** The deployment, the permissions on it, and how fast to send requests. */
export type TargetFlags = GatewayFlags &
  ConsoleFlags & {
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
    record?: string;
  };

/** Adds flags to a command, in a group of its help. */
export const withFlags = (command: Command, group: string, flags: readonly Option[]): Command => {
  command.optionsGroup(`${group}:`);
  for (const option of flags) command.addOption(option);
  return command;
};

/** Adds the flags of every command that sends requests to a deployment. Permissions have no environment variable. */
export const withTargetFlags = (command: Command): Command => {
  withFlags(withConfigFlag(command), 'Target', [
    flag('--url <url>', 'base URL (default: start the mock and test it)'),
    flag('--wait <time>', 'how long to wait for its start').default(0, '0s').argParser(duration('60m')),
    flag('--from <address>', 'sender of test mails (default: that of --send-to)').argParser(address),
  ]);
  withFlags(withGatewayFlags(command), 'Permissions', [
    new Option('--allow-writes', 'allow adding, changing and deleting leads').default(false),
    new Option('--send-to <address>', 'allow mail to this address, by Send email only').argParser(address),
    new Option('--allow-unaddressed', 'allow mail without `to`, and all template mails').default(false),
  ]);
  const { usual, thorough } = defaultMaxSends;
  return withFlags(command, 'Limits', [
    flag(
      '--max-sends <number>',
      `mail limit (default: ${usual}, --thorough ${thorough}, mock none)`,
    ).argParser(wholeNumber(0, 10_000)),
    flag('--rate-limit <rate>', 'maximum rate: 90/m (default: 20/s, loopback none)').argParser(interval),
    flag('--timeout <time>', 'maximum time to wait for a response')
      .default(10_000, '10s')
      .argParser(duration('10m')),
    flag('--max-wait <time>', 'time for pauses and missing responses')
      .default(defaultMaxWait, '2m')
      .argParser(duration('60m')),
  ]);
};

/** Accepts one plain address: a list, or an address with a name, might reach other people. */
const address = (value: string): string => {
  if (/^[^\s@,;:<>"()]+@[^\s@,;:<>"()]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be one address like me@example.com.');
};

const interval = (rate: string): number => {
  const ms = intervalOf(rate);
  if (ms === undefined) throw new InvalidArgumentError('It must be a rate like 5/s or 90/m.');
  return ms;
};

/** The deployment of `--url`, or a mock started for the run. @throws ConfigurationError */
export const chooseTarget = async (flags: TargetFlags): Promise<Target> =>
  flags.url === undefined ? embeddedTarget() : deploymentAt(flags.url, flags);

/** @throws ConfigurationError or UsageError */
export const deploymentAt = (url: string, flags: GatewayFlags): Target => {
  const target = { ...deploymentTarget(url, keyFrom()), gateway: gatewayOf(flags) };
  proxiesFrom(process.env);
  warnOfTransport(target);
  return target;
};

/** Warns where the key can be read on the way. */
export const warnOfTransport = (target: Address): void => {
  const { host } = new URL(target.url);
  if (target.gateway?.tls?.rejectUnauthorized === false) printError(insecureWarning(host));
  if (isExposed(target)) printError(`warning: the key is sent unencrypted to ${host} (http://)`);
};

/** The key of the deployment, from a variable or from the file that one names. @throws ConfigurationError */
export const keyFrom = (): string | undefined => {
  const { EMAIL_LEADS_API_KEY: key = '', EMAIL_LEADS_API_KEY_FILE: file = '' } = process.env;
  if (file === '') return key === '' ? undefined : key;
  if (key !== '')
    throw new ConfigurationError('EMAIL_LEADS_API_KEY and EMAIL_LEADS_API_KEY_FILE are both set: keep one');
  const content = readFileFor(file, (reason) => new ConfigurationError(`EMAIL_LEADS_API_KEY_FILE ${reason}`));
  return content.toString().trim();
};

/** The address of a deployment in a profile, redacted in case it contains the key. */
export const addressOf = (target: Target): string =>
  target.kind === 'embedded mock' ? 'the embedded mock' : redactorFor(target)(target.url);

/** @param isThorough whether the command needs many mails */
export const permissionsOf = (target: Target, flags: TargetFlags, isThorough = false): Permissions => {
  const isEmbedded = target.kind === 'embedded mock';
  if (!isEmbedded) warnOfVariables();
  const { allowWrites: writes, sendTo, allowUnaddressed: unaddressed, maxSends } = flags;
  return permissionsFor(isEmbedded, { writes, sendTo, unaddressed, maxSends }, isThorough);
};

/** Warns about permissions set as variables, which have no effect: the run would look complete. */
const warnOfVariables = (): void => {
  for (const name of ['--allow-writes', '--send-to', '--allow-unaddressed'].map(environmentName))
    if (process.env[name])
      printError(`warning: ${name} has no effect: permissions are given on the command line only`);
};
