import { readFileSync } from 'node:fs';
import * as yaml from 'yaml';
import { describeReadError } from '../contract/system-errors.ts';
import type { StateDocument } from '../workspace/snapshot.ts';
import { StateError } from './schema-errors.ts';
import { checkState } from './snapshot.ts';

/**
 * Reads a seed: JSON, or YAML.
 * @throws Error in one line that names the file, the line, the place and what is wrong there
 */
export const readSeed = (file: string): StateDocument => {
  const text = readText(file);
  const lines = new yaml.LineCounter();
  // JSON is YAML, but for repeated names, which both refuse here.
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const toError = (offset: number, message: string): Error =>
    new Error(`the seed ${file}:${lines.linePos(offset).line}: ${message}`);
  const [parseError] = document.errors;
  if (parseError) throw toError(parseError.pos[0], describeYamlError(parseError));
  const unsupported = findUnsupported(yaml, document);
  if (unsupported) throw toError(unsupported.offset, unsupported.problem);
  const value = toValue(document, (message) => toError(firstAliasOffset(yaml, document), message));
  try {
    return checkState(value ?? {});
  } catch (error) {
    if (error instanceof StateError) throw toError(offsetOf(document, error.pointer), error.message);
    throw error;
  }
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new Error(`the seed ${describeReadError(file, error)}`);
  }
};

type Yaml = typeof yaml;
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

type UnsupportedYaml = { readonly offset: number; readonly problem: string };

/** What YAML may say and a seed cannot mean. The parser would find it later, without a place, or warn of it on stderr. */
const findUnsupported = (
  { visit, isAlias, isCollection }: Yaml,
  document: Parsed,
): UnsupportedYaml | undefined => {
  let unsupported: UnsupportedYaml | undefined;
  const stop = (node: unknown, message: string): symbol => {
    unsupported = { offset: (node as Ranged).range?.[0] ?? 0, problem: message };
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_, alias, ancestors) => {
      const target = alias.resolve(document);
      if (!target) return stop(alias, `there is no anchor before the alias *${alias.source}`);
      if (ancestors.includes(target))
        return stop(alias, `the alias *${alias.source} stands within what it repeats`);
      return undefined;
    },
    Pair: (_, { key }) => {
      const name = isAlias(key) ? key.resolve(document) : key;
      return isCollection(name) ? stop(key, 'a list or a mapping cannot be a name') : undefined;
    },
  });
  return unsupported;
};

const maxAliases = 100;

const toValue = (document: Parsed, toError: (what: string) => Error): unknown => {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch {
    throw toError(`its aliases repeat each other more than ${maxAliases} times`);
  }
};

const firstAliasOffset = ({ visit }: Yaml, document: Parsed): number => {
  let first: number | undefined;
  visit(document, {
    Alias: (_, { range }) => {
      first = range?.[0];
      return visit.BREAK;
    },
  });
  return first ?? 0;
};

type Ranged = { readonly range?: readonly number[] | null };

/** Where the place begins in the file, or the nearest thing around it: what is missing is nowhere. */
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
