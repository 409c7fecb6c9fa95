import { fieldsOf, onSuccess, refuse, textsOf } from '../../server/mutation.ts';
import type { StoredLead } from '../../server/store.ts';
import type { Call, Fields, Mutation, ServiceContext } from '../../server/types.ts';
import { server } from '../mutation.ts';

/** Confirms an update of a lead that is not there. */
const confirmUnknown = (
  isConfirmed: (call: Call, context: ServiceContext, texts: Fields) => boolean,
): Mutation => ({
  handle: (call, next, context) => {
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused !== 'lead') return reply;
    const texts = { name: '', source: '', note: '', ...fieldsOf(call) };
    if (!isConfirmed(call, context, texts)) return reply;
    const data = { lead_id: call.id, ...texts, updated_at: new Date(call.at) };
    return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
  },
});

/** No sensible reading lets a lead that is not there be updated, and the response is about the lead of the path. */
const unknownLeads = [
  server('Update lead adds a lead for an unknown id', 'leads.update.refuses-unknown').with(
    confirmUnknown(({ id, at }, { store }, texts) => {
      store.leads.push({ id, ...textsOf(texts as unknown as StoredLead), created: new Date(at) });
      return true;
    }),
  ),
  server('Update lead confirms unknown ids', 'leads.update.refuses-unknown', 'bodies-422').with(
    confirmUnknown(() => true),
  ),
];

/** Instead of the lead of the path, or beside it, `choose` says what goes. */
const removing = (
  choose: (lead: StoredLead, living: readonly StoredLead[], context: ServiceContext) => readonly StoredLead[],
): Mutation => ({
  handle: (call, next, context) => {
    const { store } = context;
    const lead = store.find(call.id);
    const living = store.living();
    const reply = next(call);
    if (call.operation !== 'deleteLead' || reply.refused || !lead) return reply;
    delete lead.deleted;
    for (const stored of choose(lead, living, context)) store.remove(stored);
    return reply;
  },
});

/** §4.7: the lead of the path goes, and no other. */
const removals = [
  server('Delete lead confirms and does nothing', [
    'leads.delete.removes',
    'leads.update.refuses-unknown',
  ]).with(removing(() => [])),
  server('Delete lead takes the lead after with it', 'leads.delete.nothing-else', 'integer-ids').with(
    removing((lead, living) => living.slice(living.indexOf(lead)).slice(0, 2)),
  ),
  server('Delete lead deletes the latest lead, whatever the id', 'leads.delete.removes', 'uuid-ids').with(
    removing((_, living) => living.slice(-1)),
  ),
  server(
    'Delete lead deletes every lead',
    ['leads.delete.every-time', 'leads.delete.nothing-else'],
    'refusals-at-200',
  ).with(removing((_, living) => living)),
  server('Delete lead deletes, and answers 404', 'leads.delete.success', 'strict-fields').with(
    onSuccess('deleteLead', () => refuse(404, 'not found', 'lead')),
  ),
  server('Delete lead confirms at once and deletes when asked again', 'leads.delete.removes').with(
    removing((lead, _, { memory }) => {
      const isAsked = memory.has(lead.id);
      memory.set(lead.id, true);
      return isAsked ? [lead] : [];
    }),
  ),
];

export const deletions = [...unknownLeads, ...removals];
