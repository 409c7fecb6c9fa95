import { type Exchange, isObject, parseJson } from '../exchange/exchange.ts';

/** The content of a ledger. */
export type LedgerState = { readonly open: readonly string[]; readonly unnamed: number };

/** The leads that a run created and must delete at its end in any case. */
export type Ledger = ReturnType<typeof createLedger>;

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
  const note = (id: unknown, check?: string): boolean => {
    const usable = (typeof id === 'string' && id !== '') || typeof id === 'number';
    if (!usable || ids.has(String(id))) return usable;
    ids.set(String(id), check);
    save();
    return true;
  };
  return {
    /** Records the id of a lead, and the check that added it. */
    note: (id: unknown, check?: string): void => void note(id, check),
    /**
     * Records the `lead_id` of any response to Add Lead, also of an expected refusal, and of one that is followed by a retry.
     * Without an id, records that an unnamed lead may be left.
     */
    noteReply: (reply: Exchange): void => {
      const hasIds = idsIn(reply).filter((id) => note(id, reply.check)).length > 0;
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
    /** The leads that are not deleted yet: all, or those that one check added. */
    open: (check?: string): string[] =>
      [...ids].filter(([, adder]) => check === undefined || adder === check).map(([id]) => id),
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
