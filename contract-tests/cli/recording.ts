import type { Option } from 'commander';
import { flag } from '../../mock/cli/flags.ts';
import { printError } from '../../mock/contract/printable.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigurationError } from '../client/errors.ts';
import { expectWritable, writeOutput } from '../client/output-file.ts';
import type { RunFacts } from '../runner/run.ts';
import { plural } from '../runner/summary.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import { createRecorder, type RecordedExchange } from '../traffic/record.ts';
import { createSeedCollector } from '../traffic/seed.ts';

/** What exchanges are collected for; without its flag nothing is collected. */
export type Recording = {
  readonly add: (exchange: RecordedExchange) => void;
  /** Writes the file. @throws ConfigurationError */
  readonly write: (url: string, run: Pick<RunFacts, 'redact' | 'lagMs'>) => void;
};

export const recordFlag = (): Option =>
  flag('--record <file>', 'write the exchanges, without keys, for check (HAR)');

export const seedFlag = (): Option =>
  flag(
    '--seed <file>',
    'write the templates of the deployment, and leads added meanwhile that still exist, as a seed for the mock',
  );

const attempt = (name: string, file: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    throw new ConfigurationError(`${name} ${file} cannot be written: ${(error as Error).message}`);
  }
};

/** Prepares the recording before the first request. @throws ConfigurationError if the file cannot be written */
export const startRecording = (
  file: string | undefined,
  { note }: Pick<ConsoleSink, 'note'>,
): Recording | undefined => {
  if (file === undefined) return undefined;
  attempt('--record', file, () => expectWritable(file));
  const recorder = createRecorder();
  return {
    add: recorder.add,
    write: (url, { redact, lagMs }) => {
      const context = { url, version: manifest.version, redact, lagMs };
      attempt('--record', file, () => writeOutput(file, recorder.text(context)));
      const dropped = recorder.dropped();
      note(`Written: ${file}${dropped === 0 ? '' : `, without the last ${dropped} exchanges`}`);
    },
  };
};

/** Prepares the seed before the first request. @throws ConfigurationError if the file cannot be written */
export const startSeed = (
  file: string | undefined,
  { note }: Pick<ConsoleSink, 'note'>,
): Recording | undefined => {
  if (file === undefined) return undefined;
  attempt('--seed', file, () => expectWritable(file));
  const collector = createSeedCollector();
  return {
    add: collector.add,
    write: (url, { redact }) => {
      if (!collector.hasSeen())
        return printError(`--seed ${file} was not written: no list of templates and no addition succeeded`);
      const origin = `Written by email-leads ${manifest.version} from ${url}, ${new Date().toISOString()}.`;
      const seed = collector.seed(origin, redact);
      attempt('--seed', file, () => writeOutput(file, `${JSON.stringify(seed, null, 2)}\n`));
      note(
        `Written: ${file}, with ${plural(seed.templates.length, 'template')} and ${plural(seed.leads.length, 'lead')}: data of the deployment`,
      );
      const leftOut = collector.leftOut();
      if (leftOut.length > 0)
        note(redact(`  left out, because they lack an id, a name or a body: ${leftOut.join(', ')}`));
    },
  };
};
