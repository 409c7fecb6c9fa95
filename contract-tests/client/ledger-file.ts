import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redact } from '../../mock/contract/redaction.ts';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { isObject, parseJson } from '../exchange/exchange.ts';
import { deleteCurl } from './curl.ts';
import { ConfigurationError, toConfigurationError } from './errors.ts';
import type { Address } from './gateway.ts';
import { createLedger, type Ledger, type LedgerState } from './ledger.ts';
import { makeDirectory, writeOutput, writing } from './output-file.ts';

/** The content of a ledger file. */
export type LedgerRecord = LedgerState & { readonly url: string; readonly runId: string };

type LedgerFileOptions = {
  readonly directory: string;
  readonly url: string;
  readonly runId: string;
  /** Redacts the key, which an id may echo but a file must not contain. */
  readonly redact: Redact;
};

const version = 2;

/** A ledger in a file that survives the run. Each change is written before the next request is sent. */
export type LedgerFile = ReturnType<typeof reopenLedgerFile>;

/** Continues a ledger file. @throws ConfigurationError if it cannot be written */
export const reopenLedgerFile = (path: string, { url, runId, ...before }: LedgerRecord, redact: Redact) => {
  const head = { email_leads_ledger: version, url: redact(url), run_id: runId };
  const write = ({ open, unnamed }: LedgerState): void => {
    const content = { ...head, open: open.map(redact), unnamed };
    writeOutput(path, `${JSON.stringify(content)}\n`, `the ledger ${path}`);
  };
  write(before);
  const ledger = createLedger(write, before);
  /** Deletes the file if no lead is left in the ledger. */
  const close = (): void => {
    if (ledger.open().length === 0) rmSync(path, { force: true });
  };
  return { ...ledger, path, close };
};

/**
 * Creates the file before the first lead is added: a run that cannot write its ledger does not start.
 * @throws ConfigurationError if the file cannot be written
 */
export const openLedgerFile = ({ directory, url, runId, redact }: LedgerFileOptions): LedgerFile => {
  const path = join(directory, `ledger-${runId}.jsonl`);
  const created = writing(`the ledger ${path}`, () => makeDirectory(directory));
  const ledger = reopenLedgerFile(path, { url, runId, open: [], unnamed: 0 }, redact);
  const close = (): void => {
    ledger.close();
    try {
      if (created !== undefined) rmdirSync(directory);
    } catch {
      // The directory contains reports.
    }
  };
  return { ...ledger, close };
};

/** Reads the ledger file of a killed run. @throws ConfigurationError */
export const readLedgerFile = (path: string): LedgerRecord => {
  const content = parseJson(readFileFor(path, toConfigurationError).toString());
  const { email_leads_ledger: format, url, run_id: runId, open, unnamed } = isObject(content) ? content : {};
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (format === version && isText(url) && URL.canParse(url) && isText(runId))
    if (Array.isArray(open) && open.every(isText) && typeof unnamed === 'number')
      return { url, runId, open, unnamed };
  throw new ConfigurationError(`${path} is not a ledger of this suite`);
};

type LeftoverOptions = {
  readonly target: Address;
  readonly runId: string;
  readonly ledger: Ledger | LedgerFile;
  readonly redact: Redact;
};

export const leadsOfThisRun = (count: number): string =>
  count === 1 ? '1 lead of this run' : `${count} leads of this run`;

/** Lists the leads that a run leaves on a deployment and how to remove them; empty if it leaves none. */
export const leftoverLines = ({ target, runId, ledger, redact }: LeftoverOptions): string[] => {
  const left = ledger.open();
  const head = `${leadsOfThisRun(left.length)} ${left.length === 1 ? 'is' : 'are'} left:`;
  const list = left.map((id) => `  ${deleteCurl(target, id)}`);
  return [...(left.length === 0 ? [] : [head, ...list]), ...hintLines({ runId, ledger })].map(redact);
};

/** Only the hints of `leftoverLines`, for callers that have already printed the list. */
export const hintLines = ({ runId, ledger }: Pick<LeftoverOptions, 'runId' | 'ledger'>): string[] => {
  const file = ledger.open().length > 0 && 'path' in ledger ? ledger.path : undefined;
  const lost = `${ledger.lost()} more may be left whose ids no response contained`;
  return [
    ...(file === undefined ? [] : [`To delete them all: email-leads contract --clean ${file}`]),
    ...(ledger.lost() === 0 ? [] : [`${lost}: look for leads named "Contract test ${runId}-…"`]),
  ];
};
