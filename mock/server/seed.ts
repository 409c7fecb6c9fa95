import { statSync } from 'node:fs';
import * as yaml from 'yaml';
import { readFileFor } from '../contract/system-errors.ts';
import { checkState } from '../nouns/index.ts';
import { decodeUtf8 } from '../service/body.ts';
import type { AppOptions } from '../service/service.ts';
import { limits } from '../store/store.ts';

// A node of YAML takes about a kilobyte of memory until all are read.
const maxYamlLength = 1024 * 1024;

/** What is wrong with a seed in a file: one line that names the file, the place and the problem. */
const describeError = (file: string, error: Error): Error => {
  const reason = error.message.replaceAll(/\s+/g, ' ');
  return new Error(
    error instanceof SyntaxError
      ? `the seed ${file} is larger than ${maxYamlLength} characters and is not JSON: ${reason}; only JSON may be that large`
      : `the seed ${file}: ${reason}`,
  );
};

/** @throws Error, for a mistake of the language with its line */
const parseYaml = (text: string): unknown => {
  try {
    // JSON is valid YAML, except for duplicate names, which are errors in both here.
    const value: unknown = yaml.parse(text, { logLevel: 'error' });
    // Throws for a value that contains itself.
    JSON.stringify(value);
    return value ?? {};
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof yaml.YAMLParseError))
      throw new Error(`${message}; write out what its aliases (*name) repeat`);
    throw new Error(`line ${error.linePos?.[0].line}: ${message.split(' at line ', 1)[0]}`);
  }
};

/** The version of a file: it changes with the content and the permissions. Empty for a file that does not exist. */
const versionOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}` : '';
};

/**
 * Reads a seed, JSON, or YAML of up to a mebibyte, if the file is another one than that which was accepted last.
 * @throws Error that names the file, also for a seed that is not accepted
 */
export const createSeedReader = (file: string): NonNullable<AppOptions['readSeed']> => {
  let accepted: string | undefined;
  return (accept) => {
    const version = versionOf(file);
    if (version === accepted) return;
    const bytes = readFileFor(file, (reason) => new Error(`the seed ${reason}`));
    if (bytes.length > limits.stateBytes)
      throw new Error(`the seed ${file} is larger than ${limits.stateBytes} bytes`);
    const { text: decoded, isUtf8 } = decodeUtf8(bytes);
    if (!isUtf8) throw new Error(`the seed ${file} is not UTF-8`);
    const text = decoded.replace(/^\uFEFF/, '');
    try {
      accept(checkState(text.length > maxYamlLength ? JSON.parse(text) : parseYaml(text)));
    } catch (error) {
      throw describeError(file, error as Error);
    }
    accepted = version;
  };
};
