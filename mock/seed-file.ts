import { readFileSync } from 'node:fs';
import type { StateDocument } from './state-document.ts';
import { checkState, StateError } from './state-rules.ts';

/**
 * Reads a seed: JSON, or YAML.
 * @throws Error in one line that names the file, the line, the place and what is wrong there
 */
export const readSeed = async (file: string): Promise<StateDocument> => {
  const text = readText(file);
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // JSON is YAML, but for repeated names, which both refuse here.
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  if (broken) {
    const [what = ''] = broken.message.split(/ at line |\n/);
    throw new Error(`the seed ${file}:${lineAt(broken.pos[0])}: ${what}`);
  }
  const given: unknown = toValue(document, file);
  try {
    return checkState(given ?? {});
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const line = lineAt(offsetOf(document, error.pointer));
    throw new Error(`the seed ${file}:${line}: ${error.message}`);
  }
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `the seed ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`}`,
    );
  }
};

type Parsed = {
  readonly toJS: (options?: { maxAliasCount?: number }) => unknown;
  readonly getIn: (path: readonly unknown[], keepScalar: boolean) => unknown;
};

const toValue = (document: Parsed, file: string): unknown => {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Error(`the seed ${file}: ${(error as Error).message}`);
  }
};

/** Where the place begins in the file, or the nearest thing around it: what is missing is nowhere. */
const offsetOf = (document: Parsed, pointer: string): number => {
  const names = pointer.split('/').slice(1);
  const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let length = path.length; length >= 0; length--) {
    const steps = path.slice(0, length).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    const node = document.getIn(steps, true) as { range?: readonly number[] | null } | undefined;
    if (node?.range?.[0] !== undefined) return node.range[0];
  }
  return 0;
};
