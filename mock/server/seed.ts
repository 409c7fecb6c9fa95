import { statSync } from 'node:fs';
import * as yaml from 'yaml';
import { readFileFor } from '../contract/system-errors.ts';
import type { StateDocument } from '../nouns/state.ts';
import type { AppOptions } from '../service/service.ts';
import { limits } from '../store/store.ts';
import { StateError } from '../validation/schema-errors.ts';
import { checkState } from '../workspace/state.ts';

// A node of YAML takes about a kilobyte of memory until all are read.
const maxYamlLength = 1024 * 1024;

/**
 * Reads a seed: JSON, or YAML of up to a mebibyte.
 * @throws Error with one line that names the file, the line, the place and the problem
 */
export const readSeed = (file: string): StateDocument => {
  const text = readText(file);
  return text.length > maxYamlLength ? readLargeSeed(text, file) : readYaml(text, file);
};

/** The version of a file: it changes with the content and the permissions. Empty for a file that does not exist. */
const versionOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}` : '';
};

/** Reads the file again if it is another one than that which was read at the start or accepted last. */
export const createSeedReader = (file: string): NonNullable<AppOptions['readChangedSeed']> => {
  let accepted = versionOf(file);
  return (accept) => {
    const version = versionOf(file);
    if (version === accepted) return;
    accept(readSeed(file));
    accepted = version;
  };
};

const readYaml = (text: string, file: string): StateDocument => {
  const lines = new yaml.LineCounter();
  // JSON is valid YAML, except for duplicate names, which are errors in both here.
  const document = yaml.parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const toError = (offset: number, message: string): Error =>
    new Error(`the seed ${file}:${lines.linePos(offset).line}: ${message}`);
  const [parseError] = document.errors;
  if (parseError) throw toError(parseError.pos[0], describeYamlError(parseError));
  const value = toValue(document, file);
  try {
    return checkState(value ?? {});
  } catch (error) {
    if (error instanceof StateError) throw toError(offsetOf(document, error.pointer), error.message);
    throw error;
  }
};

/** Of a name that is there twice, the last value counts, as always in JSON. */
const readLargeSeed = (text: string, file: string): StateDocument => {
  try {
    return checkState(JSON.parse(text));
  } catch (error) {
    if (error instanceof StateError) throw new Error(`the seed ${file}: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.replaceAll(/\s+/g, ' ');
    throw new Error(
      `the seed ${file} is larger than ${maxYamlLength} characters and is not JSON: ${reason}; only JSON may be that large`,
    );
  }
};

const readText = (file: string): string => {
  const bytes = readFileFor(file, (reason) => new Error(`the seed ${reason}`));
  if (bytes.length > limits.stateBytes)
    throw new Error(`the seed ${file} is larger than ${limits.stateBytes} bytes`);
  return bytes.toString().replace(/^\uFEFF/, '');
};

type Parsed = yaml.Document.Parsed;

const describeYamlError = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): string => {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; a seed is one';
  const [reason = ''] = message.split(/ at line |\n/);
  return reason;
};

/** @throws Error for aliases without an anchor, inside their own anchor, or expanded too often */
const toValue = (document: Parsed, file: string): unknown => {
  try {
    const value: unknown = document.toJS();
    // Throws for a value that contains itself.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new Error(`the seed ${file}: ${reason}; write out what its aliases (*name) repeat`);
  }
};

type Ranged = { readonly range?: readonly number[] | null };

/** The offset of a place in the file, or of its parent if it is missing. */
const offsetOf = (document: Parsed, pointer: string): number => {
  const names = pointer.split('/').slice(1);
  const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let length = path.length; length >= 0; length--) {
    const steps = path.slice(0, length).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    const node = document.getIn(steps, true) as Ranged | undefined;
    if (node?.range?.[0] !== undefined) return node.range[0];
  }
  return 0;
};
