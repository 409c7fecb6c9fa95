import type { Tools } from '../exchange.ts';
import type { StoredLead } from '../store.ts';
import { breaking, derived, documented } from './breaking.ts';
import { everyNth, inData } from './faults.ts';
import { afterUpdate, fields, showing, texts } from './updating.ts';

const another = breaking('another-lead');

const others = (store: Tools['store'], lead: StoredLead) => store.living().filter((one) => one !== lead);
const neighbour = (store: Tools['store'], lead: StoredLead) => {
  const living = store.living();
  return living[living.indexOf(lead) - 1] ?? others(store, lead)[0];
};

/** §4.6: it changes the lead of the path, and no other. It takes two leads to see that. */
const affected = [
  another(
    'update-note-of-all',
    'Update lead writes the note into every lead',
    'plain',
    documented('4.6'),
    afterUpdate((_, { store, lead }) => {
      for (const one of others(store, lead)) one.note = lead.note;
      return undefined;
    }),
  ),
  another(
    'update-note-of-same-note',
    'Update lead changes the note of every lead that had the same',
    'plain',
    documented('4.6'),
    afterUpdate((_, { store, lead, before }) => {
      for (const one of others(store, lead)) if (one.note === before.note) one.note = lead.note;
      return undefined;
    }),
  ),
  another(
    'update-copies-to-neighbour',
    'Update lead copies the lead over its neighbour',
    'uuid-ids',
    documented('4.6'),
    afterUpdate((_, { store, lead }) => void Object.assign(neighbour(store, lead) ?? {}, texts(lead))),
  ),
  another(
    'update-name-of-all',
    'Update lead gives its name to every lead',
    'leads-can-be-read',
    documented('4.6'),
    afterUpdate((_, { store, lead }) => {
      for (const one of others(store, lead)) one.name = lead.name;
      return undefined;
    }),
  ),
  another(
    'update-changes-latest',
    'Update lead changes the latest lead, and shows the right one',
    'plain',
    documented('4.6'),
    afterUpdate((_, { store, lead, before }) => {
      const changed = texts(lead);
      Object.assign(lead, before);
      Object.assign(store.living().at(-1) ?? lead, changed);
      return undefined;
    }),
  ),
  another(
    'update-shows-neighbour',
    'Update lead shows the neighbour of the lead',
    'integer-ids',
    documented('4.6'),
    afterUpdate((reply, { store, lead }) => {
      const shown = neighbour(store, lead);
      return shown && showing(reply, { lead_id: shown.id, ...texts(shown) });
    }),
  ),
  another(
    'update-every-third-shows-other-id',
    'Every third update shows another id',
    'bodies-422',
    documented('4.6'),
    everyNth(
      3,
      inData('updateLead', (data) => ({ ...data, lead_id: `${String(data.lead_id)}0` })),
    ),
  ),
];

/** No sensible reading lets a lead that is not there be updated. */
const unknownLeads = [
  another(
    'update-unknown-accepted',
    'Update lead makes up a lead for an unknown id',
    'plain',
    derived('4.6'),
    {
      around: (call, next, { store }) => {
        const reply = next(call);
        if (call.operation !== 'updateLead' || reply.refused !== 'lead') return reply;
        const data = {
          lead_id: call.id,
          name: '',
          source: '',
          note: '',
          ...fields(call),
          updated_at: new Date(),
        };
        store.leads.push({ id: call.id, ...texts(data as unknown as StoredLead), created: new Date() });
        return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
      },
    },
  ),
  another(
    'update-unknown-confirmed',
    'Update lead confirms for unknown ids and keeps nothing',
    'bodies-422',
    derived('4.6'),
    {
      around: (call, next) => {
        const reply = next(call);
        if (call.operation !== 'updateLead' || reply.refused !== 'lead') return reply;
        const data = {
          lead_id: call.id,
          name: '',
          source: '',
          note: '',
          ...fields(call),
          updated_at: new Date(),
        };
        return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
      },
    },
  ),
  another(
    'update-deleted-accepted',
    'Update lead takes deleted leads, emptied',
    'integer-ids',
    derived('4.6'),
    {
      around: (call, next, { store }) => {
        const reply = next(call);
        const gone = store.leads.find(({ id, deleted }) => id === call.id && deleted);
        if (call.operation !== 'updateLead' || reply.refused !== 'lead' || !gone) return reply;
        const data = {
          lead_id: call.id,
          name: '',
          source: '',
          note: '',
          ...fields(call),
          updated_at: new Date(),
        };
        return { status: 200, body: { success: true, error: '', data, message: 'Lead updated' } };
      },
    },
  ),
];

export const otherLeads = [...affected, ...unknownLeads];
