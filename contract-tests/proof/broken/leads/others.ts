import { after, afterwards, type Event, fieldsOf, textsOf } from '../../server/mutation.ts';
import type { StoredLead } from '../../server/store.ts';
import type { Mutation, Operation } from '../../server/types.ts';
import { server } from '../mutation.ts';

type Field = 'name' | 'source' | 'note';

/** Writes a text that an update has changed to other leads too. */
const writeTo = (
  field: Field,
  isReached: (other: StoredLead, own: StoredLead, before: Pick<StoredLead, Field>) => boolean,
): Mutation =>
  afterwards(after('updateLead'), ({ call, own, before, store }) => {
    if (!own || !before || typeof fieldsOf(call)[field] !== 'string') return;
    for (const other of store.living()) if (isReached(other, own, before)) other[field] = own[field];
  });

/** Finds the lead of a request by something else than its whole id. */
const findBy = (operation: Operation, isSame: (lead: StoredLead, id: string) => boolean): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id) ?? store.living().find((one) => isSame(one, call.id));
    return call.operation === operation && lead ? next({ ...call, id: lead.id }) : next(call);
  },
});

const beginsSo = ({ id: own }: StoredLead, id: string): boolean => id.length > 8 && own.startsWith(id);

/** The condition of a statement names a field beside the id, and an empty text is that of many leads. */
const deleteWithEmpty = (field: Field): Mutation =>
  afterwards(after('deleteLead'), ({ before, store }) => {
    if (before?.[field] !== '') return;
    for (const lead of store.living()) if (lead[field] === '') store.remove(lead);
  });

const copyToNeighbour = ({ own, store }: Event): void => {
  if (!own) return;
  const others = store.living();
  const neighbour = others[others.indexOf(own) - 1] ?? others.find((lead) => lead !== own);
  Object.assign(neighbour ?? {}, textsOf(own));
};

/** What an update of any lead with the same body was answered first. */
const answerByBody: Mutation = {
  handle: (call, next, { memory }) => {
    if (call.operation !== 'updateLead') return next(call);
    const first = memory.get(call.text);
    const id = typeof first === 'string' && /"note"/.test(call.text) ? first : call.id;
    const reply = next({ ...call, id });
    if (!reply.refused) memory.set(call.text, id);
    return reply;
  },
};

/** §4: what is done to one lead, to a mail or to nothing at all changes no other lead. It takes two leads to see that. */
export const otherLeads = [
  server('Update lead writes the note into every lead', 'leads.update.that-lead-only').with(
    writeTo('note', () => true),
  ),
  server(
    'Update lead gives its name to every lead',
    ['leads.update.lasts-a-second', 'leads.update.own-reply'],
    'leads-can-be-read',
  ).with(
    afterwards(after('updateLead'), ({ own, store }) => {
      for (const other of store.living()) other.name = own?.name ?? other.name;
    }),
  ),
  server(
    'A new source is that of all leads with the same one',
    'leads.update.that-lead-only',
    'uuid-ids',
  ).with(writeTo('source', (other, _, { source }) => other.source === source)),
  server('Renames the leads of one source', 'leads.update.that-lead-only', 'bodies-422').with(
    writeTo('name', (other, { source }) => other.source === source),
  ),
  server('Updates all leads with that name and source', 'leads.update.lasts-a-second', 'uuid-ids').with(
    writeTo('note', (other, { name, source }) => other.name === name && other.source === source),
  ),
  server(
    'Writes a note to all leads of that name, as their list shows',
    'leads.update.that-lead-only',
    'leads-can-be-read-only',
  ).with(writeTo('note', (other, { name }) => other.name === name)),
  server('Writes a note to all without a source', 'leads.update.that-lead-only', 'integer-ids').with(
    writeTo('note', (other, _, { source }) => source === '' && other.source === ''),
  ),
  server('Update lead copies the lead over its neighbour', 'leads.update.own-reply', 'uuid-ids').with(
    afterwards(after('updateLead'), copyToNeighbour),
  ),
  server('A new lead writes to its namesakes', 'leads.update.nothing-else-changes', 'integer-ids').with(
    afterwards(after('addLead'), ({ newest, store }) => {
      for (const lead of store.living()) if (newest && lead.name === newest.name) lead.note = newest.note;
    }),
  ),
  server('Update lead changes the lead that the body names', 'leads.update.same-id').with({
    handle: (call, next) => {
      const { lead_id: id } = fieldsOf(call);
      return next(call.operation === 'updateLead' && typeof id === 'string' ? { ...call, id } : call);
    },
  }),
  server('An update with the body of another changes the lead of that', 'leads.update.same-id').with(
    answerByBody,
  ),
  server('Finds a lead by an id that goes on', 'leads.update.whole-id', 'python-style').with(
    findBy('updateLead', ({ id: own }, id) => id.startsWith(own)),
  ),
  server('Finds a lead by the beginning of its id', 'leads.update.nothing-else-changes', 'uuid-ids').with(
    findBy('updateLead', beginsSo),
  ),
  server('Deletes all leads whose ids begin like this', 'leads.delete.that-lead-only', 'uuid-ids').with(
    findBy('deleteLead', beginsSo),
  ),
  server(
    'Deletes all leads whose numbers begin like the id',
    'leads.delete.that-lead-only',
    'ids-from-zero',
  ).with(
    afterwards(
      (call, { refused }) => call.operation === 'deleteLead' && refused !== 'key',
      ({ call, store }) => {
        for (const lead of store.living()) if (lead.id.startsWith(call.id)) store.remove(lead);
      },
    ),
  ),
  server('A lead takes the place of the one whose name it gets', 'leads.delete.nothing-else').with(
    afterwards(after('updateLead'), ({ call, own, store }) => {
      if (typeof fieldsOf(call).name !== 'string') return;
      for (const other of store.living()) if (other !== own && other.name === own?.name) store.remove(other);
    }),
  ),
  server('Deletes all leads without a note', 'leads.delete.that-lead-only').with(deleteWithEmpty('note')),
  server('Deletes all leads without a name', 'leads.delete.that-lead-only', 'lenient').with(
    deleteWithEmpty('name'),
  ),
  server('Finds the eight oldest leads', 'leads.delete.nothing-else', 'integer-ids').with({
    handle: (call, next, { store }) => {
      const oldest = store.living().slice(0, 8);
      const isFound = oldest.some(({ id }) => id === call.id);
      return next(call.operation === 'updateLead' && !isFound ? { ...call, id: 'none' } : call);
    },
  }),
];
