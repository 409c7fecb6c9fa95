import type { Answers } from '../generated/questions.ts';
import type { components } from '../generated/state.ts';
import { type PartSettings, type Routes, requireItem } from '../route/noun.ts';
import { list, object, paging, ref, stored, success, text, wholeNumber } from '../route/schemas.ts';
import { leadId, nameItems } from '../store/ids.ts';
import { createStore, limits } from '../store/store.ts';

/** A stored lead (§2.3) with both timestamps. Each response shows one of them. */
export type Lead = Required<LeadInput>;

/** A lead as people write it. */
type LeadInput = components['schemas']['Lead'];

type LeadFields = Pick<Lead, 'name' | 'source' | 'note'>;

/** The fields that an update changes; `undefined` leaves a field unchanged. */
export type LeadChanges = { readonly [Field in keyof LeadFields]?: LeadFields[Field] | undefined };

const leadBounds = { name: 'leads', count: limits.leads, length: limits.leadsLength };

/** The leads of one workspace, oldest first. */
export type Leads = ReturnType<typeof createLeads>;

export const createLeads = (
  settings: PartSettings,
  given: readonly LeadInput[] = [],
  format: Answers['lead.id-format'] = 'prefixed',
) => {
  const { key, now } = settings;
  const time = now();
  const idOf = (number: number): string => leadId(format, key, number);
  const { named, lastNumber } = nameItems(given, 'lead_id', idOf, settings.lastNumber);
  const leads = named.map(({ lead_id, name, source = '', note = '', created_at = time, updated_at }) => {
    return { lead_id, name, source, note, created_at, updated_at: updated_at ?? created_at };
  });
  const { put, nextNumber, ...store } = createStore(leadBounds, 'lead_id', settings, leads, lastNumber);
  return {
    ...store,
    /** Adds a lead with a new id. @throws StoreFull with nothing added */
    add: ({ name, source, note }: LeadFields, format: Answers['lead.id-format']): Lead => {
      let number = nextNumber();
      let lead_id = leadId(format, key, number);
      // An imported state may contain an id that does not show its number.
      for (; store.get(lead_id); lead_id = leadId(format, key, number)) number += 1;
      const time = now();
      const lead = { lead_id, name, source, note, created_at: time, updated_at: time };
      put(lead, number);
      return lead;
    },
    /** Returns the changed lead, or `undefined` for an unknown id. @throws StoreFull with nothing changed */
    update: (id: string, changes: LeadChanges): Lead | undefined => {
      const lead = store.get(id);
      if (!lead) return undefined;
      // Field by field: spreading takes several times as long.
      const changed = {
        lead_id: id,
        name: changes.name ?? lead.name,
        source: changes.source ?? lead.source,
        note: changes.note ?? lead.note,
        created_at: lead.created_at,
        updated_at: now(),
      };
      put(changed);
      return changed;
    },
    /** A lead with the same name, source and note. */
    findDuplicate: ({ name, source, note }: LeadFields): Lead | undefined =>
      store.all().find((lead) => lead.name === name && lead.source === source && lead.note === note),
  };
};

const leadFields = { name: text, source: text, note: text };

const requireLead = <Item>(lead: Item | undefined): Item =>
  requireItem(lead, 'there is no such lead in this workspace', 'GET /__admin/leads lists them.');

type Parts = { readonly leads: Leads; readonly answers: { readonly get: () => Answers } };

/** The stored leads. The service itself may have no operation to read them (§4.8). */
export const leadRoutes = {
  'GET /leads': {
    id: 'listLeads',
    summary: 'List the leads, oldest first',
    description:
      'All leads of the workspace, for use in tests. Whether a deployment itself can list leads is an open question.',
    // This list is in order of creation.
    query: { ...paging, start: { ...paging.start, description: 'Number of oldest leads to skip.' } },
    replies: success('A page of leads.', object({ leads: list(ref('Lead')), total: wholeNumber })),
    run: ({ leads }, { query: { start, limit } }) => ({
      leads: leads.all().slice(start, start + limit),
      total: leads.size(),
    }),
  },
  'GET /leads/{id}': {
    id: 'getLead',
    summary: 'Get a lead',
    description: 'By the id that Add Lead returned. A deleted lead is not found.',
    replies: success('The lead.', ref('Lead')),
    run: ({ leads }, { id }) => requireLead(leads.get(id)),
  },
  'POST /leads': {
    id: 'addStoredLead',
    summary: 'Add a lead',
    description: 'Simulates a change by another user: no fault rule applies, and the journal has no entry.',
    body: {
      ...object(leadFields, 'source', 'note'),
      examples: [{ name: 'Lena Fischer', source: 'Webinar' }],
    },
    replies: stored('The lead.', ref('Lead'), 201),
    run: ({ leads, answers }, { body }) => {
      const { name = '', source = '', note = '' } = body as LeadChanges;
      return leads.add({ name, source, note }, answers.get()['lead.id-format']);
    },
  },
  'PATCH /leads/{id}': {
    id: 'updateStoredLead',
    summary: 'Change a lead',
    description: 'Omitted fields keep their values.',
    body: {
      ...object(leadFields, 'name', 'source', 'note'),
      minProperties: 1,
      examples: [{ note: 'Call back after 17:00' }],
    },
    replies: stored('The lead.', ref('Lead')),
    run: ({ leads }, { id, body }) => requireLead(leads.update(id, body as LeadChanges)),
  },
  'DELETE /leads/{id}': {
    id: 'deleteStoredLead',
    summary: 'Delete a lead',
    description: 'Simulates a change by another user.',
    replies: success('The id of the deleted lead.', ref('Deleted')),
    run: ({ leads }, { id }) => {
      requireLead(leads.get(id));
      leads.remove(id);
      return { deleted: id };
    },
  },
} satisfies Routes<Parts>;
