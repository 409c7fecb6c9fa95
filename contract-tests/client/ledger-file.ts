import { appendFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redact } from '../../mock/contract/redaction.ts';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { isObject, type JsonObject, parseJson } from '../exchange/exchange.ts';
import { deleteCurl } from './curl.ts';
import { ConfigurationError, toConfigurationError } from './errors.ts';
import type { Address } from './gateway.ts';
import { createLedger, type Ledger, type LedgerState } from './ledger.ts';
import { makeDirectory, writing } from './output-file.ts';

/** The content of a ledger file. */
export type LedgerRecord = LedgerState & { readonly url: string; readonly runId: string };

type LedgerFileOptions = {
  readonly directory: string;
  readonly url: string;
  readonly runId: string;
  /** Redacts the key, which an id may echo but a file must not contain. */
  readonly redact: Redact;
};

const version = 1;

/** A ledger in a file that survives the run. Each change is written before the next request is sent. */
export type LedgerFile = ReturnType<typeof reopenLedgerFile>;

/** Continues a ledger file. */
export const reopenLedgerFile = (path: string, before: LedgerState, redact: Redact) => {
  const ledger = createLedger((name, value) => {
    const line = JSON.stringify({ [name]: typeof value === 'string' ? redact(value) : value });
    writing(`the ledger ${path}`, () => appendFileSync(path, `${line}\n`));
  }, before);
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
  const ownDirectory = writing(`the ledger ${path}`, () => {
    const created = makeDirectory(directory);
    const head = { email_leads_ledger: version, url: redact(url), run_id: runId };
    writeFileSync(path, `${JSON.stringify(head)}\n`, { flag: 'wx' });
    return created !== undefined;
  });
  const ledger = reopenLedgerFile(path, { open: [], unnamed: 0 }, redact);
  const close = (): void => {
    ledger.close();
    try {
      if (ownDirectory) rmdirSync(directory);
    } catch {
      // The directory contains reports.
    }
  };
  return { ...ledger, close };
};

/**
 * Reads the ledger file of a killed run. An incomplete last line, written at the moment of the kill, is ignored.
 * @throws ConfigurationError if the rest is not a complete ledger
 */
export const readLedgerFile = (path: string): LedgerRecord => {
  const [head, ...lines] = linesOf(path);
  const { email_leads_ledger: shape, url, run_id: runId } = head ?? {};
  if (shape !== version || typeof url !== 'string' || !URL.canParse(url) || typeof runId !== 'string')
    throw new ConfigurationError(`${path} is not a ledger of this suite`);
  const open = new Set<string>();
  let unnamed = 0;
  for (const [index, line] of lines.entries()) {
    if (typeof line?.added === 'string') open.add(line.added);
    else if (typeof line?.deleted === 'string') open.delete(line.deleted);
    else if (typeof line?.unnamed === 'number') unnamed = line.unnamed;
    else
      throw new ConfigurationError(`${path}, line ${index + 2}: neither "added" nor "deleted" nor "unnamed"`);
  }
  return { url, runId, open: [...open], unnamed };
};

const linesOf = (path: string): (JsonObject | undefined)[] =>
  readFileFor(path, toConfigurationError)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const json = parseJson(line);
      return isObject(json) ? json : undefined;
    });

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
  const lines = [
    ...(left.length === 0
      ? []
      : [`${leadsOfThisRun(left.length)} ${left.length === 1 ? 'is' : 'are'} left:`]),
    ...left.map((id) => `  ${deleteCurl(target, id)}`),
    ...hintLines({ runId, ledger }),
  ];
  return lines.map(redact);
};

/** Only the hints of `leftoverLines`, for callers that have already printed the list. */
export const hintLines = ({ runId, ledger }: Pick<LeftoverOptions, 'runId' | 'ledger'>): string[] => [
  ...(ledger.open().length > 0 && 'path' in ledger
    ? [`To delete them all: email-leads contract --clean ${ledger.path}`]
    : []),
  ...(ledger.lost() > 0
    ? [
        `${ledger.lost()} more may be left whose ids no response contained: look for leads named "Contract test ${runId}-…"`,
      ]
    : []),
];
