// What stands in front of a deployment: a gateway that wants header fields of its own, or a client certificate.

import { createRedactor, type Redact, redactSpellings, spellingsOf } from '../../mock/contract/redaction.ts';
import { type ShellCode, sh } from '../../mock/contract/shell.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';

export type HeaderField = readonly [name: string, value: string];

export type Gateway = {
  /** Fields that every request carries. Their values are as secret as the key. */
  readonly headers: readonly HeaderField[];
  /** In PEM, as `node:tls` takes them. */
  readonly tls?: {
    readonly cert?: string;
    readonly key?: string;
    /** The certificate authorities to trust in place of the usual ones. */
    readonly ca?: string;
    readonly rejectUnauthorized?: boolean;
  };
};

export const noGateway: Gateway = { headers: [] };

/** A deployment as a request reaches it. */
export type Address = { readonly url: string; readonly gateway?: Gateway | undefined };

/** Fields that requests of the suite set on purpose, or that belong to one connection. */
const reserved =
  /^(authorization|content-type|content-length|content-encoding|accept-encoding|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect|host)$/i;

/** @throws UsageError that names the field and never its value */
const checkField = (source: string, [name, text]: HeaderField): HeaderField => {
  const value = text.trim();
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw new UsageError(`${source}: the name of a field is empty, or has a character that no name has`);
  if (reserved.test(name))
    throw new UsageError(
      `${source} must not replace ${name}: ${/^authorization$/i.test(name) ? 'it carries the key' : 'each request sets it'}`,
    );
  if (value === '') throw new UsageError(`${source} ${name} has no value; is a variable empty?`);
  if (/[^\t\x20-\x7e]/.test(value))
    throw new UsageError(`${source} ${name}: its value contains a character that no header may contain`);
  return [name, value];
};

/**
 * The fields of a gateway, without the blanks around their values.
 * @param source the flag or the option that they come from, for messages
 * @throws UsageError
 */
export const checkFields = (source: string, given: readonly HeaderField[]): HeaderField[] => {
  const fields = given.map((field) => checkField(source, field));
  const names = fields.map(([name]) => name.toLowerCase());
  const twice = fields.find((_, index) => names.indexOf(names[index] ?? '') !== index);
  if (twice) throw new UsageError(`${source} ${twice[0]} is given twice; join its values with a comma`);
  return fields;
};

/** Adds the fields of a gateway to a request. They replace fields of the same name, except for cookies, of which both are sent. */
export const withGateway = (fields: readonly HeaderField[], { headers }: Gateway): HeaderField[] => {
  const isAdded = ([name]: HeaderField): boolean =>
    headers.some(([added]) => added.toLowerCase() === name.toLowerCase());
  const cookies = fields.filter((field) => /^cookie$/i.test(field[0]) && isAdded(field));
  return [
    ...fields.filter((field) => !isAdded(field)),
    ...headers.map(([name, value]): HeaderField => {
      const own = /^cookie$/i.test(name) ? cookies.map(([, cookie]) => cookie) : [];
      return [name, [...own, value].join('; ')];
    }),
  ];
};

/** Shorter values are ordinary words. */
const leastSecret = 6;

/** Removes the key of a deployment, other keys, and what its gateway wants, from texts. */
export const redactorFor = (
  { key, gateway }: Pick<Address, 'gateway'> & { readonly key: string },
  others: readonly string[] = [],
): Redact => {
  const [redactKeys, redactGateway] = [createRedactor([key, ...others]), createGatewayRedactor(gateway)];
  return (text) => redactGateway(redactKeys(text));
};

/** Replaces the values of the fields of a gateway, whole and in part: the word after `Basic`, the value of a cookie. */
export const createGatewayRedactor = ({ headers }: Gateway = noGateway): Redact => {
  const values = headers.flatMap(([, value]) => [value, ...value.split(/[\s;,]+|=(?=[^=])/)]);
  const secrets = [...new Set(values)].filter(({ length }) => length >= leastSecret);
  const spellings = secrets.flatMap(spellingsOf);
  return (text) => redactSpellings(text, spellings, '$EMAIL_LEADS_HEADER');
};

/** The arguments that make curl pass the gateway, and what must be piped to it. The values come from the environment. */
export const curlThrough = (
  { headers, tls = {} }: Gateway = noGateway,
  key?: ShellCode | undefined,
): ShellCode => {
  // Beside the arguments, which other users of the machine can see. `printf` is part of the shell.
  const fields = [...(key ? [key] : []), ...(headers.length > 0 ? [sh`"$EMAIL_LEADS_HEADER"`] : [])];
  return sh`${[
    ...(fields.length > 0 ? [sh`printf '%s\\n' ${fields} |`] : []),
    // The URL as it is: curl would replace `[1-9]` and `{a,b}` by many requests, and `/..` by another path.
    sh`curl -g --path-as-is`,
    ...(fields.length > 0 ? [sh`-H @-`] : []),
    ...(tls.cert === undefined
      ? []
      : [sh`--cert "$EMAIL_LEADS_CLIENT_CERT" --key "$EMAIL_LEADS_CLIENT_KEY"`]),
    ...(tls.ca === undefined ? [] : [sh`--cacert "$EMAIL_LEADS_CA"`]),
    ...(tls.rejectUnauthorized === false ? [sh`-k`] : []),
  ]}`;
};
