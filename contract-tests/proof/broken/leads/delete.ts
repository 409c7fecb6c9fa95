import {
  after,
  afterRefusal,
  afterwards,
  changeReply,
  type Event,
  fieldsOf,
  onSuccess,
  refuse,
  textsOf,
} from '../../server/mutation.ts';
import type { StoredLead, Texts } from '../../server/store.ts';
import type { Mutation } from '../../server/types.ts';
import { server } from '../mutation.ts';

/** Confirms an update of a lead that is not there. */
const confirmUnknown = (act: (event: Event, texts: Texts) => void = () => undefined): Mutation =>
  changeReply(afterRefusal('updateLead', 'lead'), (_, event) => {
    const { id, at } = event.call;
    const texts = { name: '', source: '', note: '', ...fieldsOf(event.call) };
    act(event, texts);
    const data = { lead_id: id, ...texts, updated_at: new Date(at) };
    return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
  });

/** No sensible reading lets a lead that is not there be updated, and the response is about the lead of the path. */
const unknownLeads = [
  server('Update lead adds a lead for an unknown id', 'leads.update.refuses-unknown').with(
    confirmUnknown(({ call: { id, at }, store }, texts) =>
      store.leads.push({ id, ...textsOf(texts), created: new Date(at) }),
    ),
  ),
  server(
    'Update lead adds a lead for an unknown id, with the fields that it wants',
    'leads.update.refuses-unknown',
    'update-needs-everything',
  ).with(
    confirmUnknown(({ call: { id, at }, store }, texts) =>
      store.leads.push({ id, ...textsOf(texts), created: new Date(at) }),
    ),
  ),
  server('Update lead confirms unknown ids', 'leads.update.refuses-unknown', 'bodies-422').with(
    confirmUnknown(),
  ),
];

/** Instead of the lead of the path, or beside it, `choose` says what goes. */
const removing = (
  choose: (lead: StoredLead, living: readonly StoredLead[], event: Event) => readonly StoredLead[],
): Mutation =>
  afterwards(after('deleteLead'), (event) => {
    const { own, store } = event;
    if (!own) return;
    delete own.deleted;
    for (const lead of choose(own, store.living(), event)) store.remove(lead);
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
  server('Delete lead deletes every lead', 'leads.delete.nothing-else', 'refusals-at-200').with(
    removing((_, living) => living),
  ),
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
