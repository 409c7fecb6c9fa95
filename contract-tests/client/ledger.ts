import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redact } from '../../mock/contract/redaction.ts';
import { readFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { type Exchange, isObject, parseJson } from '../exchange/exchange.ts';
import { deleteCurl } from './curl.ts';
import type { Address } from './gateway.ts';
import { makeDirectory, writeOutput, writing } from './output-file.ts';

/** The content of a ledger. */
type LedgerState = { readonly open: readonly string[]; readonly unnamed: number };

/** The leads that a run created and must delete at its end in any case. */
export type Ledger = ReturnType<typeof createLedger> & {
  /** Of one in a file. */
  readonly path?: string;
};

/**
 * @param write called for every change, before the next request can be sent. If it fails, the ledger stays right in memory,
 * because the clean-up must go on.
 * @param before the entries that the ledger starts with
 */
export const createLedger = (
  write: (state: LedgerState) => void = () => undefined,
  before: LedgerState = { open: [], unnamed: 0 },
) => {
  const ids = new Map<string, string | undefined>(before.open.map((id) => [id, undefined]));
  const all = new Set<string>(before.open);
  let unnamed = before.unnamed;
  let failure: unknown;
  const save = (): void => {
    try {
      write({ open: [...ids.keys()], unnamed });
    } catch (error) {
      failure ??= error;
    }
  };
  const count = (change: number): void => {
    unnamed += change;
    save();
  };
  const note = (id: unknown, scenario?: string): boolean => {
    const usable = (typeof id === 'string' && id !== '') || typeof id === 'number';
    if (!usable || ids.has(String(id))) return usable;
    ids.set(String(id), scenario);
    all.add(String(id));
    save();
    return true;
  };
  return {
    /** Records the id of a lead, and the scenario that added it. */
    note: (id: unknown, scenario?: string): void => void note(id, scenario),
    /**
     * Records the `lead_id` of any response to Add Lead, also of an expected refusal, and of one that is followed by a retry.
     * Without an id, records that an unnamed lead may be left.
     */
    noteReply: (reply: Exchange): void => {
      const hasIds = idsIn(reply).filter((id) => note(id, reply.scenario)).length > 0;
      if (!hasIds && mayHaveAdded(reply)) count(1);
    },
    /**
     * Records that a request to add a lead is about to be sent. The caller invokes the returned
     * function when the request has ended.
     * @throws the error of an earlier change that could not be written: a lead that is on no ledger must not be added
     */
    beginAdd: (): (() => void) => {
      count(1);
      const settle = (): void => count(-1);
      if (failure === undefined) return settle;
      settle();
      throw failure;
    },
    /** Records that a request to add a lead got no response: the lead may exist. */
    noteLost: (): void => count(1),
    deleted: (id: string): void => {
      if (ids.delete(id)) save();
    },
    /** The leads that are not deleted yet: all, or those that one scenario added. */
    open: (scenario?: string): string[] =>
      [...ids].filter(([, adder]) => scenario === undefined || adder === scenario).map(([id]) => id),
    /** Every lead so far, deleted ones too. */
    all: (): string[] => [...all],
    /** Number of leads that may exist without any response naming them, including pending requests. */
    lost: (): number => unnamed,
  };
};

/**
 * Whether a response without an id may hide an added lead. A gateway may respond after the service has accepted the request. A
 * request that should be refused added no lead if the response does not come from the service.
 */
const mayHaveAdded = ({ status, outcome, json, credentials, intent }: Exchange): boolean => {
  if (status >= 200 && status < 300)
    return (
      outcome !== 'refusal' && (intent !== 'probe' || !isObject(json) || 'success' in json || 'data' in json)
    );
  if (credentials !== 'key') return false;
  if (status === 502 || status === 504) return true;
  return status >= 500 && !(isObject(json) && (json.success === false || typeof json.error === 'string'));
};

/** Also finds an id if `data` has the wrong form, or if the body ends early after the id. */
const idsIn = ({ json, rawText }: Exchange): unknown[] => {
  const places = isObject(json) ? [json.data, json].flat() : [];
  const ids = places.flatMap((place) => (isObject(place) ? [place.lead_id] : []));
  const [, text] = /"lead_id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(json === undefined ? rawText : '') ?? [];
  return text === undefined ? ids : [...ids, parseJson(text)];
};

/** The content of a ledger file. */
type LedgerRecord = LedgerState & { readonly url: string; readonly runId: string };

const version = 2;

/**
 * Continues a ledger in a file that survives the run. Each change is written before the next request is sent.
 * @param redact redacts the key, which an id may echo but a file must not contain
 * @throws UsageError if it cannot be written
 */
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
 * @throws UsageError if the file cannot be written
 */
export const openLedgerFile = (
  directory: string,
  run: Pick<LedgerRecord, 'url' | 'runId'>,
  redact: Redact,
): ReturnType<typeof reopenLedgerFile> => {
  const path = join(directory, `ledger-${run.runId}.jsonl`);
  const isNew = !existsSync(directory);
  writing(`the ledger ${path}`, () => makeDirectory(directory));
  const ledger = reopenLedgerFile(path, { ...run, open: [], unnamed: 0 }, redact);
  const close = (): void => {
    ledger.close();
    try {
      if (isNew) rmdirSync(directory);
    } catch {
      // The directory contains reports.
    }
  };
  return { ...ledger, close };
};

/** Reads the ledger file of a killed run. @throws UsageError */
export const readLedgerFile = (path: string): LedgerRecord => {
  const content = parseJson(readFileFor(path).toString());
  const { email_leads_ledger: format, url, run_id: runId, open, unnamed } = isObject(content) ? content : {};
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (format === version && isText(url) && URL.canParse(url) && isText(runId))
    if (Array.isArray(open) && open.every(isText) && typeof unnamed === 'number')
      return { url, runId, open, unnamed };
  throw new UsageError(`${path} is not a ledger of this suite`);
};

type LeftoverOptions = {
  readonly target: Address;
  readonly runId: string;
  readonly ledger: Ledger;
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
  const file = ledger.open().length > 0 ? ledger.path : undefined;
  const lost = `${ledger.lost()} more may be left whose ids no response contained`;
  return [
    ...(file === undefined ? [] : [`To delete them all: email-leads contract --clean ${file}`]),
    ...(ledger.lost() === 0 ? [] : [`${lost}: look for leads named "Contract test ${runId}-…"`]),
  ];
};
