import { type Account, limits, StorageFull, textBytes } from '../runtime/limits.ts';
import { createIdNumbers } from './ids.ts';

/** A stored lead (§2.3) with both timestamps. Each response shows one of them. */
export type Lead = {
  readonly lead_id: string;
  readonly name: string;
  readonly source: string;
  readonly note: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type LeadFields = Pick<Lead, 'name' | 'source' | 'note'>;

/** The fields that an update changes; `undefined` leaves a field unchanged. */
export type LeadChanges = { readonly [Field in keyof LeadFields]: LeadFields[Field] | undefined };

/** Leads by id, with the bytes of memory they take. */
export type LeadMap = { readonly byId: Map<string, Lead>; readonly bytes: number };

/** Creates the map of a long list in steps. */
export function* mapLeadsInSteps(leads: readonly Lead[]): Generator<undefined, LeadMap> {
  const byId = new Map<string, Lead>();
  let bytes = 0;
  for (const lead of leads) {
    byId.set(lead.lead_id, lead);
    bytes += leadBytes(lead);
    yield;
  }
  return { byId, bytes };
}

/** Leads by id, and by their content. */
type LeadStore = {
  readonly byId: () => ReadonlyMap<string, Lead>;
  /** Adds a lead with the id of the next number. @throws StorageFull with nothing added */
  readonly add: (fields: LeadFields, idOf: (number: number) => string, time: string) => Lead;
  /** Returns the changed lead, or `undefined` for an unknown id. @throws StorageFull with nothing changed */
  readonly update: (id: string, changes: LeadChanges, time: string) => Lead | undefined;
  readonly remove: (id: string) => boolean;
  /** Replaces all leads. The map is not copied. */
  readonly load: (leads: LeadMap, lastNumber: number) => void;
  /** The highest number of an id so far. */
  readonly lastNumber: () => number;
  /** A lead with the same name, source and note. */
  readonly findDuplicate: (fields: LeadFields) => Lead | undefined;
};

// Bytes of memory for each lead, in addition to its texts. The index by content contains the texts again.
const overhead = 250;

/** Bytes of memory that a lead takes. */
export const leadBytes = ({ lead_id, name, source, note }: Omit<Lead, 'created_at' | 'updated_at'>): number =>
  overhead + 2 * (textBytes(lead_id) + textBytes(name) + textBytes(source) + textBytes(note));

export const createLeadStore = (account: Account): LeadStore => {
  let byId = new Map<string, Lead>();
  let held = 0;
  const numbers = createIdNumbers();
  // Ids by content. Built on first use: only some answers to `lead.duplicate` need it.
  let idsByContent: Map<string, string | Set<string>> | undefined;

  const adjustHeld = (difference: number): void => {
    held += difference;
    account.charge(difference);
  };
  const addToIndex = (lead: Lead): void => {
    const content = contentKey(lead);
    const ids = idsByContent?.get(content);
    // Usually there is one id: a set for each would take more memory than the leads.
    if (ids === undefined) idsByContent?.set(content, lead.lead_id);
    else if (typeof ids === 'string') idsByContent?.set(content, new Set([ids, lead.lead_id]));
    else ids.add(lead.lead_id);
  };
  const removeFromIndex = (lead: Lead | undefined): void => {
    if (!lead) return;
    const content = contentKey(lead);
    const ids = idsByContent?.get(content);
    if (typeof ids === 'object') ids.delete(lead.lead_id);
    if (typeof ids === 'string' || ids?.size === 0) idsByContent?.delete(content);
  };
  const put = (lead: Lead): void => {
    const previous = byId.get(lead.lead_id);
    const difference = leadBytes(lead) - (previous ? leadBytes(previous) : 0);
    // A change that needs no more memory is allowed even if the store is full.
    if (difference > 0 && held + difference > limits.leadsBytes)
      throw new StorageFull('leads', limits.leadsBytes);
    if (idsByContent) {
      removeFromIndex(previous);
      addToIndex(lead);
    }
    byId.set(lead.lead_id, lead);
    adjustHeld(difference);
    account.settle();
  };
  return {
    byId: () => byId,
    add: (fields, idOf, time) => {
      // An imported state may contain an id that does not show its number.
      while (byId.has(idOf(numbers.next()))) numbers.use(numbers.next());
      const number = numbers.next();
      // Field by field, here and below: spreading takes several times as long, and adding leads is the most frequent call.
      const lead = {
        lead_id: idOf(number),
        name: fields.name,
        source: fields.source,
        note: fields.note,
        created_at: time,
        updated_at: time,
      };
      put(lead);
      numbers.use(number);
      return lead;
    },
    update: (id, changes, time) => {
      const lead = byId.get(id);
      if (!lead) return undefined;
      const changed = {
        lead_id: id,
        name: changes.name ?? lead.name,
        source: changes.source ?? lead.source,
        note: changes.note ?? lead.note,
        created_at: lead.created_at,
        updated_at: time,
      };
      put(changed);
      return changed;
    },
    remove: (id) => {
      const lead = byId.get(id);
      if (!lead) return false;
      if (idsByContent) removeFromIndex(lead);
      adjustHeld(-leadBytes(lead));
      return byId.delete(id);
    },
    load: (leads, lastNumber) => {
      adjustHeld(leads.bytes - held);
      byId = leads.byId;
      numbers.restart(lastNumber);
      idsByContent = undefined;
    },
    lastNumber: numbers.last,
    findDuplicate: (fields) => {
      if (!idsByContent) {
        idsByContent = new Map();
        for (const lead of byId.values()) addToIndex(lead);
      }
      const ids = idsByContent.get(contentKey(fields));
      const [id = ''] = typeof ids === 'string' ? [ids] : (ids ?? []);
      return byId.get(id);
    },
  };
};

const contentKey = ({ name, source, note }: LeadFields): string => JSON.stringify([name, source, note]);
