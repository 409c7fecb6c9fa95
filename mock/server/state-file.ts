// The file that keeps the workspaces over restarts, `--state`.
import { randomBytes, scryptSync } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { printError } from '../contract/printable.ts';
import { readFileFor } from '../contract/system-errors.ts';
import { checkState } from '../nouns/index.ts';
import type { StateDocument } from '../nouns/state.ts';
import { list, object, text } from '../route/schemas.ts';
import { nextTurn, pause, stopwatch } from '../runtime/timers.ts';
import { StoreFull } from '../store/store.ts';
import { compileJsonSchema } from '../validation/json-schema.ts';
import { checkSchema, StateError } from '../validation/schema-errors.ts';
import type { Workspaces } from '../workspace/registry.ts';

/** A workspace in the file. A key that does not begin with `test_` may be a real one: the file has its digest only. */
type Entry = {
  readonly key?: string;
  readonly key_digest?: string;
  readonly state: StateDocument;
  readonly seed?: StateDocument;
};

type Content = { readonly salt: string; readonly workspaces: readonly Entry[] };

const state = { type: 'object' };
const entry = object({ key: text, key_digest: text, state, seed: state }, 'key', 'key_digest', 'seed');
const validate = compileJsonSchema(object({ version: { const: 1 }, salt: text, workspaces: list(entry) }));

/** @throws Error with one line */
const readContent = (file: string): Partial<Content> => {
  if (!existsSync(file)) return {};
  const bytes = readFileFor(file, (reason) => new Error(`the state ${reason}`));
  try {
    const content: unknown = JSON.parse(bytes.toString());
    checkSchema(validate, content);
    return content as Content;
  } catch (error) {
    throw refusal(file, (error as Error).message.replaceAll(/\s+/g, ' '));
  }
};

/** When a file was changed; `undefined` if it does not exist. */
const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

const refusal = (file: string, problem: string): Error =>
  new Error(`the state ${file} is not one that --state wrote: ${problem}; move it away to start without it`);

// A guess takes as long as this, which is done once for each key.
const digestOf = (key: string, salt: string): string => scryptSync(key, salt, 32).toString('hex');

/**
 * Loads the workspaces of the file, if it exists.
 * @throws Error with one line for a file that cannot be read or is not valid
 */
export const loadStateFile = (file: string, workspaces: Workspaces, acceptKeys: readonly string[] = []) => {
  let known = changedAt(file);
  const { salt = randomBytes(16).toString('hex'), workspaces: entries = [] } = readContent(file);
  const secrets = acceptKeys.filter((key) => !key.startsWith('test_'));
  const digests = new Map(secrets.map((key) => [key, digestOf(key, salt)]));
  const keyOf = ({ key, key_digest }: Entry): string | undefined =>
    key ?? secrets.find((secret) => digests.get(secret) === key_digest);
  // Nobody can use them in this run, perhaps in the next one.
  const unused: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    const key = keyOf(entry);
    if (key === undefined || !workspaces.accepts(key)) {
      unused.push(entry);
      continue;
    }
    const { whole } = workspaces.getOrCreate(key);
    try {
      if (entry.seed) whole.seed(checkState(entry.seed));
      whole.load(checkState(entry.state));
    } catch (error) {
      if (!(error instanceof StateError) && !(error instanceof StoreFull)) throw error;
      throw refusal(file, `/workspaces/${index}: ${error.message}`);
    }
  }

  /** The text of the file, with a pause after each workspace. */
  const content = async function* (): AsyncGenerator<string> {
    yield `{"version":1,"salt":${JSON.stringify(salt)},"workspaces":[`;
    let separator = '\n';
    for (const entry of unused) {
      yield separator + JSON.stringify(entry);
      separator = ',\n';
    }
    for (const { key, whole } of workspaces.list()) {
      const digest = digests.get(key);
      const name = digest === undefined ? { key } : { key_digest: digest };
      yield separator + JSON.stringify({ ...name, state: whole.exportState(), seed: whole.ownSeed() });
      separator = ',\n';
      await new Promise<void>(nextTurn);
    }
    yield '\n]}\n';
  };

  let written = '';
  const write = async (): Promise<void> => {
    const revision = workspaces.revision();
    if (revision === written) return;
    const found = changedAt(file);
    if (found !== undefined && found !== known)
      printError(
        `email-leads: another program wrote the state ${file}, which is replaced now: use one file for each mock`,
      );
    await writeWhole(file, content());
    known = changedAt(file);
    written = revision;
  };
  const stop = new AbortController();
  let writing = Promise.resolve();
  const writeChanges = async (): Promise<void> => {
    let problem = '';
    let restMs = intervalMs;
    while (!(await pause(restMs, stop.signal, false))) {
      const seconds = stopwatch();
      const found = await write().then(
        () => '',
        ({ message }: Error) => message,
      );
      if (found !== '' && found !== problem) printError(`email-leads: ${found}`);
      problem = found;
      restMs = Math.max(intervalMs, seconds() * 1000 * restFactor);
    }
  };
  return {
    /** Writes the file, now and after changes. @throws Error if it cannot be written now; later, the error is printed */
    keep: async (): Promise<void> => {
      await write();
      writing = writeChanges();
    },
    /** Writes the last changes. @throws Error */
    close: async (): Promise<void> => {
      stop.abort();
      await writing;
      await write();
    },
  };
};

const intervalMs = 300;

// Writing very large states takes at most a tenth of the time.
const restFactor = 9;

/** Replaces a file at once: it is the old or the new one at every moment. @throws Error with one line */
const writeWhole = async (file: string, content: AsyncIterable<string>): Promise<void> => {
  const newFile = join(dirname(file), `.${basename(file)}.tmp`);
  try {
    // Of a process that was killed.
    await rm(newFile, { force: true });
    await writeFile(newFile, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(newFile, file);
  } catch (error) {
    await rm(newFile, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'its folder does not exist' : message;
    throw new Error(`the state ${file} cannot be written: ${reason}`);
  }
};
