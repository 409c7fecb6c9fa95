import { type Exchange, isObject, parseJson } from './exchange.ts';

/** The leads a run created and has to delete again, whatever happens. */
export type Ledger = {
  /** Notes the id of a lead, and the check that added it. */
  readonly note: (id: unknown, check?: string) => void;
  /** Notes the `lead_id` of any reply to Add Lead, even of one that was meant to be refused, or that a lead may be left which it does not name. */
  readonly noteReply: (reply: AddReply) => void;
  /** Notes that a request to add a lead goes out; what it returns is called when that is settled. */
  readonly beginAdd: () => () => void;
  /** Notes that a request to add a lead got no answer: the lead may exist. */
  readonly noteLost: () => void;
  readonly deleted: (id: string) => void;
  /** The leads that are left, of one check where it is named. */
  readonly open: (check?: string) => string[];
  /** How many leads there may be that no reply named, or none has named yet. */
  readonly lost: () => number;
};

/** A reply to Add Lead, be it the last one or one after which the request was sent again. */
type AddReply = Omit<Exchange, 'text' | 'repeated'>;

/** What is on a ledger. */
export type LedgerState = { readonly open: readonly string[]; readonly unnamed: number };

/** A line of a ledger: a lead that was added, or deleted, or how many there may be that no reply has named. */
export type LedgerLine =
  | { readonly added: string }
  | { readonly deleted: string }
  | { readonly unnamed: number };

/**
 * @param write called with every change, before the next request can go out
 * @param before what is on it already
 */
export const createLedger = (
  write: (line: LedgerLine) => void = () => undefined,
  before: LedgerState = { open: [], unnamed: 0 },
): Ledger => {
  const ids = new Map<string, string | undefined>(before.open.map((id) => [id, undefined]));
  let unnamed = before.unnamed;
  const count = (change: number): void => {
    unnamed += change;
    write({ unnamed });
  };
  const note = (id: unknown, check?: string): boolean => {
    const usable = (typeof id === 'string' && id !== '') || typeof id === 'number';
    if (!usable || ids.has(String(id))) return usable;
    ids.set(String(id), check);
    write({ added: String(id) });
    return true;
  };
  return {
    note: (id, check) => void note(id, check),
    noteReply: (reply) => {
      const hasIds = idsIn(reply).filter((id) => note(id, reply.check)).length > 0;
      if (!hasIds && mayHaveAdded(reply)) count(1);
    },
    beginAdd: () => {
      count(1);
      return () => count(-1);
    },
    noteLost: () => count(1),
    deleted: (id) => {
      if (ids.delete(id)) write({ deleted: id });
    },
    open: (check) => [...ids].filter(([, adder]) => check === undefined || adder === check).map(([id]) => id),
    lost: () => unnamed,
  };
};

/**
 * Whether a reply that names no lead leaves open whether one was added. A gateway may answer when the service behind it has
 * taken the request. What was meant to be refused was not added where the answer is none of the service at all.
 */
const mayHaveAdded = ({ status, outcome, json, credentials, intent }: AddReply): boolean => {
  if (status >= 200 && status < 300)
    return (
      outcome !== 'refusal' && (intent !== 'probe' || !isObject(json) || 'success' in json || 'data' in json)
    );
  if (credentials !== 'key') return false;
  if (status === 502 || status === 504) return true;
  return status >= 500 && !(isObject(json) && (json.success === false || typeof json.error === 'string'));
};

/** Also where `data` is not what it should be, or the body broke off behind the id. */
const idsIn = ({ json, rawText }: AddReply): unknown[] => {
  const places = isObject(json) ? [json.data, json].flat() : [];
  const ids = places.flatMap((place) => (isObject(place) ? [place.lead_id] : []));
  const [, text] = /"lead_id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(json === undefined ? rawText : '') ?? [];
  return text === undefined ? ids : [...ids, parseJson(text)];
};
