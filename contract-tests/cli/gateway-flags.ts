import { createSecureContext } from 'node:tls';
import type { Command } from 'commander';
import { flag, listFlag, switchFlag, UsageError } from '../../mock/cli/flags.ts';
import type { Gateway, HeaderField } from '../../mock/contract/gateway.ts';
import { readFileFor } from '../../mock/contract/system-errors.ts';

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

const flagsOfFiles = { cert: '--client-cert', key: '--client-key', ca: '--ca' } as const;
type Part = keyof typeof flagsOfFiles;

/** Reads files in PEM, and tries whether TLS can use them. @returns `undefined` without any file. @throws UsageError */
const readTls = (files: { readonly [Name in Part]?: string | undefined }): Gateway['tls'] => {
  const given = (['cert', 'key', 'ca'] as const).filter((part) => files[part] !== undefined);
  if (given.length === 0) return undefined;
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new UsageError('--client-cert and --client-key belong together: give both');
  const read = (part: Part): string => {
    const toError = (reason: string): Error => new UsageError(`${flagsOfFiles[part]} ${reason}`);
    return readFileFor(files[part] ?? '', toError).toString();
  };
  const tls: NonNullable<Gateway['tls']> = Object.fromEntries(given.map((part) => [part, read(part)]));
  if (tls.ca !== undefined && !tls.ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--ca ${files.ca} contains no certificate in PEM`);
  try {
    createSecureContext(tls);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/KEY_VALUES_MISMATCH/.test(code))
      throw new UsageError('--client-key is not the key of --client-cert');
    throw new UsageError(
      `${given.map((part) => flagsOfFiles[part]).join(' or ')} cannot be used (${code}): each must be a file in PEM, the key without a passphrase`,
    );
  }
  return tls;
};

/** Reads the files and fields of the flags. @throws UsageError */
export const gatewayOf = (flags: GatewayFlags): Gateway => {
  const headers = fieldsOf(flags.header);
  const tls = readTls({ cert: flags.clientCert, key: flags.clientKey, ca: flags.ca });
  if (flags.insecure) return { headers, tls: { ...tls, rejectUnauthorized: false } };
  return tls ? { headers, tls } : { headers };
};

/** The warning for `--insecure`. */
export const insecureWarning = (host: string): string =>
  `warning: --insecure: the certificate of ${host} is not checked, so anyone in between can read the key`;
