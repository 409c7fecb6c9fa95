import { Option } from 'commander';
import { flag } from '../../mock/cli/flags.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigurationError } from '../client/errors.ts';
import { expectWritable, writeOutput } from '../client/output-file.ts';
import type { RunFacts } from '../runner/run.ts';
import { plural } from '../runner/summary.ts';
import type { ConsoleSink } from '../terminal/console-sink.ts';
import type { ObservedExchange } from '../traffic/exchanges/observed.ts';
import { createRecorder } from '../traffic/record.ts';
import { createSeedCollector } from '../traffic/seed.ts';
import { forFlag } from './lifecycle.ts';

/** What exchanges are collected for; without its flag nothing is collected. */
export type Recording = {
  readonly add: (exchange: ObservedExchange) => void;
  /** Writes the file. @throws ConfigurationError */
  readonly write: (url: string, run: Pick<RunFacts, 'redact' | 'lagMs'>) => void;
};

export const directoryFlag = (): Option =>
  flag('--report-dir <directory>', 'directory for reports').default('email-leads-reports');

export const recordFlag = (): Option =>
  flag('--record <file>', 'write the exchanges, without keys, for check (HAR)');

/** Has no variable: EMAIL_LEADS_SEED names the seed that `mock` reads, which must not be overwritten with data of a deployment. */
export const seedFlag = (): Option =>
  new Option('--seed <file>', 'write templates and new leads as a seed for the mock');

/** Prepares the recording before the first request. @throws ConfigurationError if the file cannot be written */
export const startRecording = (
  file: string | undefined,
  { note }: Pick<ConsoleSink, 'note'>,
): Recording | undefined => {
  if (file === undefined) return undefined;
  forFlag('--record', () => expectWritable(file));
  const recorder = createRecorder();
  return {
    add: recorder.add,
    write: (url, { redact, lagMs }) => {
      const context = { url, version: manifest.version, redact, lagMs };
      writeOutput(file, recorder.text(context));
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
  forFlag('--seed', () => expectWritable(file));
  const collector = createSeedCollector();
  return {
    add: collector.add,
    write: (url, { redact }) => {
      if (!collector.hasSeen())
        throw new ConfigurationError(
          `--seed ${file} was not written: no list of templates and no addition of a lead succeeded`,
        );
      const origin = `Written by email-leads ${manifest.version} from ${url}, ${new Date().toISOString()}.`;
      const seed = collector.seed(origin, redact);
      writeOutput(file, `${JSON.stringify(seed, null, 2)}\n`);
      const templates =
        seed.templates === undefined ? 'no list of templates' : plural(seed.templates.length, 'template');
      note(
        `Written: ${file}, with ${templates} and ${plural(seed.leads.length, 'lead')}: data of the deployment`,
      );
      const leftOut = collector.leftOut();
      if (leftOut.length > 0)
        note(redact(`  left out, because a seed needs an id, a name and a body: ${leftOut.join(', ')}`));
    },
  };
};
