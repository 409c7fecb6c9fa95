import type { Behaviour } from './behaviour.ts';
import type { Template } from './templates.ts';

export type StoredLead = {
  readonly id: string;
  name: string;
  source: string;
  note: string;
  readonly created: Date;
  deleted?: Date;
};

export type NewLead = Pick<StoredLead, 'name' | 'source' | 'note'>;

export type Store = {
  /** In order of creation; deleted ones stay, marked, so that they can linger (`deletedLeadAliveMs`). */
  readonly leads: StoredLead[];
  readonly mails: (string | null)[];
  readonly templates: readonly Template[];
  readonly add: (lead: NewLead) => StoredLead;
  /** The lead a request may see: settled after its creation, not yet gone after its deletion. */
  readonly find: (id: string) => StoredLead | undefined;
  readonly living: () => readonly StoredLead[];
  readonly remove: (lead: StoredLead) => void;
};

export const createStore = (behaviour: Behaviour): Store => {
  const leads: StoredLead[] = [];
  let created = 0;
  let lookups = 0;
  const visible = (lead: StoredLead) => {
    const now = Date.now();
    if (behaviour.replicas > 1 && lookups % behaviour.replicas === 0) return !lead.deleted;
    if (now - lead.created.getTime() < behaviour.newLeadHiddenMs) return false;
    return !lead.deleted || now - lead.deleted.getTime() < behaviour.deletedLeadAliveMs;
  };
  return {
    leads,
    mails: [],
    templates: behaviour.templates,
    add: (fields) => {
      created += 1;
      const lead = { id: behaviour.newId(created), ...fields, created: new Date() };
      leads.push(lead);
      return lead;
    },
    find: (id) => {
      lookups += 1;
      return leads.find((lead) => lead.id === id && visible(lead));
    },
    living: () => leads.filter((lead) => !lead.deleted),
    remove: (lead) => {
      lead.deleted ??= new Date();
    },
  };
};
