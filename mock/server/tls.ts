import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { describeReadError } from '../contract/system-errors.ts';
import type { MockOptions } from './options.ts';

/** @throws Error for a certificate without its key, and for a file that cannot be read or is neither */
export const readTls = ({
  tlsCert,
  tlsKey,
}: Pick<MockOptions, 'tlsCert' | 'tlsKey'>): { readonly cert: Buffer; readonly key: Buffer } => {
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Error('a certificate needs its key, and a key its certificate: --tls-cert with --tls-key');
  const pair = { cert: readPem('certificate', tlsCert), key: readPem('key', tlsKey) };
  try {
    createSecureContext(pair);
  } catch (error) {
    // `error:0480006C:PEM routines::no start line`
    const reason = (error as Error).message.split('::').at(-1);
    throw new Error(`${tlsCert} and ${tlsKey} are not a certificate and its key in PEM: ${reason}`);
  }
  return pair;
};

const readPem = (what: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the ${what} ${describeReadError(file, error)}`);
  }
};
