import { type Exchange, isObject } from './exchange.ts';

/** The leads a run created and has to delete again, whatever happens. */
export type Ledger = {
  /** Notes the id of a lead. */
  readonly note: (id: unknown) => void;
  /** Notes the `lead_id` of any reply to Add Lead, even of one that was meant to be refused. */
  readonly noteReply: (reply: Exchange) => void;
  /** Notes that a request to add a lead got no answer: the lead may exist. */
  readonly noteLost: () => void;
  readonly deleted: (id: string) => void;
  readonly open: () => string[];
  /** How many leads there may be that no reply named. */
  readonly lost: () => number;
};

/** A line of a ledger: a lead that was added, or deleted. */
export type LedgerLine = { readonly added: string } | { readonly deleted: string };

/**
 * @param write called with every change, before the next request can go out
 * @param before leads that are on it already
 */
export const createLedger = (
  write: (line: LedgerLine) => void = () => undefined,
  before: readonly string[] = [],
): Ledger => {
  const ids = new Set(before);
  let lost = 0;
  const note = (id: unknown): boolean => {
    const usable = (typeof id === 'string' && id !== '') || typeof id === 'number';
    if (!usable || ids.has(String(id))) return usable;
    ids.add(String(id));
    write({ added: String(id) });
    return true;
  };
  return {
    note: (id) => void note(id),
    noteReply: (reply) => {
      const named = idsIn(reply).filter(note).length > 0;
      if (!named && reply.status >= 200 && reply.status < 300 && reply.outcome !== 'refusal') lost += 1;
    },
    noteLost: () => {
      lost += 1;
    },
    deleted: (id) => {
      if (ids.delete(id)) write({ deleted: id });
    },
    open: () => [...ids],
    lost: () => lost,
  };
};

/** Also where `data` is not what it should be, or the body broke off behind the id. */
const idsIn = ({ json, rawText }: Exchange): unknown[] => {
  const places = isObject(json) ? [json.data, json].flat() : [];
  const found = places.flatMap((place) => (isObject(place) ? [place.lead_id] : []));
  const [, text] = /"lead_id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(json === undefined ? rawText : '') ?? [];
  return text === undefined ? found : [...found, parsed(text)];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
