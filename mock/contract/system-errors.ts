// What a user gave that cannot be used, and messages for refused system calls, for which Node.js has codes and names of system calls.
import { readFileSync } from 'node:fs';

/** Why a server cannot listen, with the `code` of the system. Other errors are returned unchanged. */
export const describeListenError = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken; choose another port (0 for any)`,
    EACCES: `port ${port} needs more rights; choose one above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `${host} is not an address of this machine`,
  };
  const reason = reasons[error.code ?? ''];
  return reason === undefined
    ? error
    : Object.assign(new Error(reason, { cause: error }), { code: error.code });
};

/** What is wrong with the address of a flag; one that only lacks its scheme is shown with it. */
export const describeNoAddress = (flag: string, text: string): string => {
  const [, host] = /^([\w.-]+)(?::\d+)?(?:\/[\w./-]*)?$/.exec(text) ?? [];
  const scheme = /^(localhost|127\.[\d.]+)$/.test(host ?? '') ? 'http' : 'https';
  const hint = host === undefined ? '' : `; write it as ${scheme}://${text}`;
  return `${flag} ${JSON.stringify(text)} is not an http or https address${hint}`;
};

/** Wrong usage or configuration: an error in a flag, a variable, or a file that one names. Printed as one line, exit code 2. */
export class UsageError extends Error {}

/** Makes the error from the reason why a file cannot be read: `staging.json does not exist`. */
type ToError = (reason: string) => Error;

/** The bytes of a file. */
export const readFileFor = (file: string, toError?: ToError): Buffer =>
  parseFileFor(file, (bytes) => bytes, toError);

/** What a parser reads from a file. Its errors count as those of the file. */
export const parseFileFor = <Content>(
  file: string,
  parse: (bytes: Buffer) => Content,
  toError: ToError = (reason) => new UsageError(reason),
): Content => {
  try {
    return parse(readFileSync(file));
  } catch (error) {
    throw toError(describeReadError(file, error));
  }
};

/** `staging.json does not exist`: why a file cannot be read. */
const describeReadError = (file: string, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'does not exist',
    ENOTDIR: 'does not exist',
    EISDIR: 'is a directory, not a file',
    EACCES: 'cannot be read: you lack the permission',
  };
  return `${file || '""'} ${reasons[code ?? ''] ?? `cannot be read: ${message.split('\n', 1)[0]}`}`;
};
