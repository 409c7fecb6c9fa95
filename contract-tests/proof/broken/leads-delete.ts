import { fieldsOf, inData, isKeyRefused, onSuccess, refuse, withData } from '../server/mutation.ts';
import type { StoredLead } from '../server/store.ts';
import type { Call, Fields, Mutation, ServiceContext } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { afterUpdate, textsOf } from './leads-update.ts';
import { brokenGroup, everyNth } from './mutation.ts';

const otherLead = brokenGroup('another-lead', documented('4.6'));

const others = (store: ServiceContext['store'], lead: StoredLead) =>
  store.living().filter((candidate) => candidate !== lead);
const neighbour = (store: ServiceContext['store'], lead: StoredLead) => {
  const living = store.living();
  return living[living.indexOf(lead) - 1] ?? others(store, lead)[0];
};

/** §4.6: it changes the lead of the path, and no other. It takes two leads to see that. */
const affectedLeads = [
  otherLead('update-note-of-all', 'Update lead writes the note into every lead').with(
    afterUpdate((_, { store, lead }) => {
      for (const stored of others(store, lead)) stored.note = lead.note;
      return undefined;
    }),
  ),
  otherLead('update-note-of-same-note', 'Update lead changes all leads of the same note').with(
    afterUpdate((_, { store, lead, before }) => {
      for (const stored of others(store, lead)) if (stored.note === before.note) stored.note = lead.note;
      return undefined;
    }),
  ),
  otherLead('update-copies-to-neighbour', 'Update lead copies the lead over its neighbour', 'uuid-ids').with(
    afterUpdate((_, { store, lead }) => void Object.assign(neighbour(store, lead) ?? {}, textsOf(lead))),
  ),
  otherLead('update-name-of-all', 'Update lead gives its name to every lead', 'leads-can-be-read').with(
    afterUpdate((_, { store, lead }) => {
      for (const stored of others(store, lead)) stored.name = lead.name;
      return undefined;
    }),
  ),
  otherLead('update-changes-latest', 'Update lead changes the latest lead instead').with(
    afterUpdate((_, { store, lead, before }) => {
      const changed = textsOf(lead);
      Object.assign(lead, before);
      Object.assign(store.living().at(-1) ?? lead, changed);
      return undefined;
    }),
  ),
  otherLead('update-shows-neighbour', 'Update lead shows the neighbour of the lead', 'integer-ids').with(
    afterUpdate((reply, { store, lead }) => {
      const shown = neighbour(store, lead);
      return shown && withData(reply, { lead_id: shown.id, ...textsOf(shown) });
    }),
  ),
  otherLead('update-every-third-shows-other-id', 'Every third update shows another id', 'bodies-422').with(
    everyNth(
      3,
      inData('updateLead', (data) => ({ ...data, lead_id: `${String(data.lead_id)}0` })),
    ),
  ),
];

/** Confirms an update of a lead that is not there. */
const confirmUnknown = (
  isConfirmed: (call: Call, context: ServiceContext, texts: Fields) => boolean,
): Mutation => ({
  handle: (call, next, context) => {
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused !== 'lead') return reply;
    const texts = { name: '', source: '', note: '', ...fieldsOf(call) };
    if (!isConfirmed(call, context, texts)) return reply;
    const data = { lead_id: call.id, ...texts, updated_at: new Date() };
    return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
  },
});

/** No sensible reading lets a lead that is not there be updated. */
const unknownLeads = [
  otherLead(
    'update-unknown-accepted',
    'Update lead adds a lead for an unknown id',
    'plain',
    derived('4.6'),
  ).with(
    confirmUnknown(({ id }, { store }, texts) => {
      store.leads.push({ id, ...textsOf(texts as unknown as StoredLead), created: new Date() });
      return true;
    }),
  ),
  otherLead(
    'update-unknown-confirmed',
    'Update lead confirms unknown ids',
    'bodies-422',
    derived('4.6'),
  ).with(confirmUnknown(() => true)),
  otherLead(
    'update-deleted-accepted',
    'Update lead takes deleted leads, emptied',
    'integer-ids',
    derived('4.6'),
  ).with(confirmUnknown(({ id }, { store }) => store.leads.some((lead) => lead.id === id && lead.deleted))),
];

export const otherLeads = [...affectedLeads, ...unknownLeads];

const deletion = brokenGroup('delete-effect', documented('4.7'));

/** Instead of the lead of the path, or beside it, `choose` says what goes. */
const removing = (
  choose: (lead: StoredLead, living: readonly StoredLead[]) => readonly StoredLead[],
): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id);
    const living = store.living();
    const reply = next(call);
    if (call.operation !== 'deleteLead' || reply.refused || !lead) return reply;
    delete lead.deleted;
    for (const stored of choose(lead, living)) store.remove(stored);
    return reply;
  },
});

const neighbourOf = (lead: StoredLead, living: readonly StoredLead[], by: number) =>
  living[living.indexOf(lead) + by];
const present = (...leads: (StoredLead | undefined)[]) => leads.filter((lead) => lead !== undefined);

/** §4.7: the lead of the path goes, and no other. */
export const deletions = [
  deletion('delete-does-nothing', 'Delete lead confirms and does nothing').with(removing(() => [])),
  deletion('delete-takes-previous-too', 'Delete lead takes the lead before with it').with(
    removing((lead, living) => present(lead, neighbourOf(lead, living, -1))),
  ),
  deletion('delete-takes-next-too', 'Delete lead takes the lead after with it', 'integer-ids').with(
    removing((lead, living) => present(lead, neighbourOf(lead, living, 1))),
  ),
  deletion('delete-takes-next-instead', 'Delete lead deletes the lead after instead').with(
    removing((lead, living) => present(neighbourOf(lead, living, 1) ?? neighbourOf(lead, living, -1))),
  ),
  deletion('delete-takes-latest', 'Delete lead deletes the latest lead, whatever the id', 'uuid-ids').with(
    removing((_, living) => present(living.at(-1))),
  ),
  deletion('delete-keeps-without-source', 'Does not delete a lead without a source', 'integer-ids').with(
    removing((lead) => (lead.source === '' ? [] : [lead])),
  ),
  deletion('delete-keeps-long-note', 'Does not delete a lead with a note beyond 1000 characters').with(
    removing((lead) => (lead.note.length > 1000 ? [] : [lead])),
  ),
  deletion('delete-quoted-500', 'The deletion of a lead with quotation marks is an internal error').with({
    handle: (call, next, { store }) =>
      call.operation === 'deleteLead' && store.find(call.id)?.note.includes('"') && !isKeyRefused(call, next)
        ? { status: 500, refused: 'lead', body: { success: false, error: 'internal error', message: '' } }
        : next(call),
  }),
  deletion('delete-takes-same-note', 'Delete lead takes every lead of the same note with it').with(
    removing((lead, living) => living.filter(({ note }) => note === lead.note)),
  ),
  deletion('delete-takes-all', 'Delete lead deletes every lead', 'refusals-at-200').with(
    removing((_, living) => living),
  ),
  deletion('delete-every-other-lost', 'Every other deletion is confirmed and not done', 'bodies-422').with({
    handle: (call, next, context) =>
      (call.nth % 2 ? next(call) : removing(() => []).handle?.(call, next, context)) ?? next(call),
  }),
  deletion('delete-done-but-refused', 'Delete lead deletes, and answers 404', 'strict-fields').with(
    onSuccess('deleteLead', () => refuse(404, 'not found', 'lead')),
  ),
  deletion('delete-by-second-request', 'Delete lead confirms at once and deletes when asked again').with({
    handle: (call, next, context) => {
      const again = context.memory.has(call.id);
      if (call.operation === 'deleteLead') context.memory.set(call.id, true);
      return again ? next(call) : (removing(() => []).handle?.(call, next, context) ?? next(call));
    },
  }),
];
