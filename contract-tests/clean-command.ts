import { UsageError } from '../mock/flags.ts';
import manifest from '../package.json' with { type: 'json' };
import { usage } from './asking-command.ts';
import { clean } from './clean.ts';
import { readLedgerFile, reopenLedgerFile } from './ledger-file.ts';
import { leftoverLines } from './leftovers.ts';
import { CannotTest } from './preflight.ts';
import { createRedactor } from './redact.ts';
import { deploymentAt, type TargetFlags } from './target-flags.ts';
import { exitCodes } from './verdict.ts';

/** `contract --clean LEDGER`: deletes what a killed run left, and says what became of it. */
export const cleanLedger = async (flags: TargetFlags, path: string): Promise<number> => {
  const record = usage(() => readLedgerFile(path));
  const target = deploymentAt(flags.url ?? record.url, process.env);
  const redact = createRedactor(target.key);
  if (redact(target.url) !== record.url)
    throw new UsageError(
      `${path} is of ${record.url}, and --url names another deployment: ${redact(target.url)}`,
    );
  const ledger = reopenLedgerFile(path, record, redact);
  const { timeout, rateLimit: interval } = flags;
  try {
    const gone = await clean({ target, record, ledger, timeout, interval, version: manifest.version });
    console.log(`${gone} of ${record.open.length} leads of run ${record.runId} are gone from ${record.url}`);
  } catch (error) {
    if (!(error instanceof CannotTest)) throw error;
    console.error(`could not clean: ${error.message}`);
  }
  for (const line of leftoverLines({ url: target.url, runId: record.runId, ledger, redact }))
    console.log(line);
  ledger.close();
  return ledger.open().length === 0 ? exitCodes.conforms : exitCodes.couldNotTest;
};
