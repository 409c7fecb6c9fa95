import type { Command } from 'commander';
import { flag, listFlag, switchFlag, UsageError } from '../../mock/cli/flags.ts';
import { readTls } from '../../mock/contract/tls-files.ts';
import type { Gateway, HeaderField } from '../client/gateway.ts';

/** How to pass a gateway in front of the server. */
export type GatewayFlags = {
  header: string[];
  clientCert?: string;
  clientKey?: string;
  ca?: string;
  insecure?: boolean;
};

export const withGatewayFlags = (command: Command): Command =>
  command
    .optionsGroup('Gateway:')
    .addOption(listFlag('--header <field>', 'field of every request, "Name: value" (repeatable)'))
    .addOption(flag('--client-cert <file>', 'client certificate for TLS, in PEM'))
    .addOption(flag('--client-key <file>', 'the key of the client certificate, in PEM'))
    .addOption(flag('--ca <file>', 'certificate authorities to trust, in PEM'))
    .addOption(switchFlag('--insecure', 'do not check the certificate of the server'));

/** Fields that requests of the suite set on purpose, or that belong to one connection. */
const reserved =
  /^(authorization|content-type|content-length|content-encoding|accept-encoding|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect|host)$/i;

/** @throws UsageError that names the field and never its value */
const fieldOf = (text: string): HeaderField => {
  const [name = '', ...rest] = text.split(':');
  const value = rest.join(':').trim();
  if (rest.length === 0 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw new UsageError('--header: a field does not begin with its name; write it as "Name: value"');
  if (reserved.test(name))
    throw new UsageError(
      `--header must not replace ${name}: ${/^authorization$/i.test(name) ? 'it carries EMAIL_LEADS_API_KEY' : 'each request sets it'}`,
    );
  if (value === '') throw new UsageError(`--header ${name} has no value; is a variable of the shell empty?`);
  if (/[^\t\x20-\x7e]/.test(value))
    throw new UsageError(`--header ${name}: its value contains a character that no header may contain`);
  return [name, value];
};

/** @throws UsageError */
const fieldsOf = (texts: readonly string[]): HeaderField[] => {
  const fields = texts.map(fieldOf);
  const names = fields.map(([name]) => name.toLowerCase());
  const twice = fields.find((_, index) => names.indexOf(names[index] ?? '') !== index);
  if (twice) throw new UsageError(`--header ${twice[0]} is given twice; join its values with a comma`);
  return fields;
};

/** Reads the files and fields of the flags. @throws UsageError */
export const gatewayOf = (flags: GatewayFlags): Gateway => {
  const headers = fieldsOf(flags.header);
  try {
    const tls = readTls('--client', { cert: flags.clientCert, key: flags.clientKey, ca: flags.ca });
    if (flags.insecure) return { headers, tls: { ...tls, rejectUnauthorized: false } };
    return tls ? { headers, tls } : { headers };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** The warning for `--insecure`. */
export const insecureWarning = (host: string): string =>
  `warning: --insecure: the certificate of ${host} is not checked, so anyone in between can read the key`;
