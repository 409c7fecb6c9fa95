import { environmentName } from '../../mock/cli/flags.ts';
import { printError } from '../../mock/contract/printable.ts';
import { readFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { readTls } from '../../mock/contract/tls-files.ts';
import { type Address, checkFields, type Gateway, type HeaderField, redactorFor } from '../client/gateway.ts';
import { type Permissions, permissionsFor } from '../client/permissions.ts';
import { proxyFor } from '../client/transport.ts';
import { deploymentTarget, intervalFor, isExposed, type Target } from '../session/target.ts';
import type { FlagsIn, gatewayFlags, targetFlags } from './flags.ts';

export type TargetFlags = FlagsIn<typeof targetFlags>;

type GatewayFlags = FlagsIn<typeof gatewayFlags>;

/** How fast a command may send requests, and how long it waits. */
export const limitsOf = (target: Target, { timeout, maxWait, wait, rateLimit }: TargetFlags) => {
  return { timeout, maxWait, waitForStart: wait, interval: intervalFor(target, rateLimit) };
};

/** @throws UsageError */
export const deploymentAt = (url: string, flags: GatewayFlags): Target => {
  const target = { ...deploymentTarget(url, keyFrom()), gateway: gatewayOf(flags) };
  proxyFor(target.url);
  warnOfTransport(target);
  return target;
};

/** Warns where the key can be read on the way. */
export const warnOfTransport = (target: Address): void => {
  const { host } = new URL(target.url);
  if (target.gateway?.tls?.rejectUnauthorized === false)
    printError(
      `warning: --insecure: the certificate of ${host} is not checked, so anyone in between can read the key`,
    );
  if (isExposed(target)) printError(`warning: the key is sent unencrypted to ${host} (http://)`);
};

/** The key of the deployment, from a variable or from the file that one names. @throws UsageError */
export const keyFrom = (): string | undefined => {
  const { EMAIL_LEADS_API_KEY: key = '', EMAIL_LEADS_API_KEY_FILE: file = '' } = process.env;
  if (file === '') return key === '' ? undefined : key;
  if (key !== '')
    throw new UsageError('EMAIL_LEADS_API_KEY and EMAIL_LEADS_API_KEY_FILE are both set: keep one');
  const content = readFileFor(file, (reason) => new UsageError(`EMAIL_LEADS_API_KEY_FILE ${reason}`));
  return content.toString().trim();
};

/** The address of a deployment in a profile, redacted in case it contains the key. */
export const addressOf = (target: Pick<Target, 'kind' | 'url' | 'key' | 'gateway'>): string =>
  target.kind === 'embedded mock' ? 'the embedded mock' : redactorFor(target)(target.url);

/** @param isThorough whether the run needs many mails. @throws UsageError */
export const permissionsOf = (target: Target, flags: TargetFlags, isThorough: boolean): Permissions => {
  const isEmbedded = target.kind === 'embedded mock';
  const { allowWrites: writes = false, sendTo, allowUnaddressed: unaddressed = false, maxSends } = flags;
  if (!isEmbedded) warnOfVariables();
  const names = { unaddressed: '--allow-unaddressed', sendTo: '--send-to' };
  return permissionsFor(isEmbedded, { writes, sendTo, unaddressed, maxSends }, isThorough, names);
};

/** Warns about permissions set as variables, which have no effect: the run would look complete. */
const warnOfVariables = (): void => {
  for (const name of ['--allow-writes', '--send-to', '--allow-unaddressed'].map(environmentName))
    if (process.env[name])
      printError(`warning: ${name} has no effect: permissions are given on the command line only`);
};

/** @throws UsageError that does not repeat the text */
const fieldOf = (text: string): HeaderField => {
  const [name = '', ...rest] = text.split(':');
  if (rest.length === 0)
    throw new UsageError('--header: a field does not begin with its name; write it as "Name: value"');
  return [name, rest.join(':')];
};

/** Reads the files and fields of the flags. @throws UsageError */
export const gatewayOf = (flags: GatewayFlags): Gateway => {
  const headers = checkFields('--header', flags.header.map(fieldOf));
  const tls = readTls('--client', { cert: flags.clientCert, key: flags.clientKey, ca: flags.ca });
  if (flags.insecure) return { headers, tls: { ...tls, rejectUnauthorized: false } };
  return tls ? { headers, tls } : { headers };
};
