// Certificates and keys in files that flags name.
import { createSecureContext } from 'node:tls';
import { readFileFor, UsageError } from './system-errors.ts';

const parts = ['cert', 'key', 'ca'] as const;
type Part = (typeof parts)[number];

/** A certificate with its key, and certificate authorities to trust, in PEM. */
type Tls = { readonly [Name in Part]?: string };

/**
 * Reads files in PEM, and tries whether TLS can use them.
 * @param prefix the beginning of the flags that name certificate and key
 * @returns `undefined` without any file
 * @throws UsageError that names the flag
 */
export const readTls = (
  prefix: string,
  files: { readonly [Name in Part]?: string | undefined },
): Tls | undefined => {
  const flagOf = (part: Part): string => (part === 'ca' ? '--ca' : `${prefix}-${part}`);
  const given = parts.filter((part) => files[part] !== undefined);
  if (given.length === 0) return undefined;
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new UsageError(`${flagOf('cert')} and ${flagOf('key')} belong together: give both`);
  const read = (part: Part): string =>
    readFileFor(files[part] ?? '', (reason) => new UsageError(`${flagOf(part)} ${reason}`)).toString();
  const tls: Tls = Object.fromEntries(given.map((part) => [part, read(part)]));
  // OpenSSL takes an empty text for none.
  for (const part of given) {
    const content = part === 'key' ? 'KEY' : 'CERTIFICATE';
    if (!tls[part]?.includes(`${content}-----`))
      throw new UsageError(`${flagOf(part)} ${files[part]} contains no ${content.toLowerCase()} in PEM`);
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/KEY_VALUES_MISMATCH/.test(code))
      throw new UsageError(`${prefix}-key is not the key of ${prefix}-cert`);
    throw new UsageError(
      `${given.map(flagOf).join(' or ')} cannot be used (${code}): each must be a file in PEM, the key without a passphrase`,
    );
  }
  return tls;
};
