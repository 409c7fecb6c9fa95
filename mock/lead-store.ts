/** A stored lead (§2.3) with both timestamps; replies show one of them each. */
export type Lead = {
  readonly lead_id: string;
  readonly name: string;
  readonly source: string;
  readonly note: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type LeadFields = Pick<Lead, 'name' | 'source' | 'note'>;

/** Leads by id, and by what is in them. */
export type LeadStore = {
  readonly byId: ReadonlyMap<string, Lead>;
  /** Adds a lead, or puts it in the place of the one with its id. */
  readonly put: (lead: Lead) => void;
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
  /** A lead with the same name, source and note. */
  readonly twinOf: (fields: LeadFields) => Lead | undefined;
};

export const createLeadStore = (): LeadStore => {
  const byId = new Map<string, Lead>();
  // Ids by content. Made when first asked for: only some answers to `lead.duplicate` ever ask.
  let twins: Map<string, Set<string>> | undefined;

  const note = (lead: Lead): void => {
    const content = contentOf(lead);
    const ids = twins?.get(content);
    if (ids) ids.add(lead.lead_id);
    else twins?.set(content, new Set([lead.lead_id]));
  };
  const forget = (lead: Lead | undefined): void => {
    if (!lead) return;
    const content = contentOf(lead);
    const ids = twins?.get(content);
    ids?.delete(lead.lead_id);
    if (ids?.size === 0) twins?.delete(content);
  };
  return {
    byId,
    put: (lead) => {
      if (twins) {
        forget(byId.get(lead.lead_id));
        note(lead);
      }
      byId.set(lead.lead_id, lead);
    },
    remove: (id) => {
      if (twins) forget(byId.get(id));
      return byId.delete(id);
    },
    clear: () => {
      byId.clear();
      twins = undefined;
    },
    twinOf: (fields) => {
      if (!twins) {
        twins = new Map();
        for (const lead of byId.values()) note(lead);
      }
      const [id = ''] = twins.get(contentOf(fields)) ?? [];
      return byId.get(id);
    },
  };
};

const contentOf = ({ name, source, note }: LeadFields): string => JSON.stringify([name, source, note]);
