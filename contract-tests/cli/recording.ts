import type { Option } from 'commander';
import { flag } from '../../mock/cli/flags.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigurationError } from '../client/errors.ts';
import { expectWritable, writeOutput } from '../client/output-file.ts';
import type { RunFacts } from '../runner/run.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import { createRecorder, type RecordedExchange } from '../traffic/record.ts';

/** What the flag of a recording takes; without the flag nothing is recorded. */
export type Recording = {
  readonly add: (exchange: RecordedExchange) => void;
  /** Writes the file. @throws ConfigurationError */
  readonly write: (url: string, run: Pick<RunFacts, 'redact' | 'lagMs'>) => void;
};

export const recordFlag = (): Option =>
  flag('--record <file>', 'write the exchanges, without keys, for check (HAR)');

const attempt = (file: string, act: () => void): void => {
  try {
    act();
  } catch (error) {
    throw new ConfigurationError(`--record ${file} cannot be written: ${(error as Error).message}`);
  }
};

/** Prepares the recording before the first request. @throws ConfigurationError if the file cannot be written */
export const startRecording = (
  file: string | undefined,
  { note }: Pick<ConsoleSink, 'note'>,
): Recording | undefined => {
  if (file === undefined) return undefined;
  attempt(file, () => expectWritable(file));
  const recorder = createRecorder();
  return {
    add: recorder.add,
    write: (url, { redact, lagMs }) => {
      const context = { url, version: manifest.version, redact, lagMs };
      attempt(file, () => writeOutput(file, recorder.text(context)));
      const dropped = recorder.dropped();
      note(`Written: ${file}${dropped === 0 ? '' : `, without the last ${dropped} exchanges`}`);
    },
  };
};
