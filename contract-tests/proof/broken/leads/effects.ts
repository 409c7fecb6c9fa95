import { after, afterRefusal, afterwards, type Event, fieldsOf, textsOf } from '../../server/mutation.ts';
import type { Mutation } from '../../server/types.ts';
import { server } from '../mutation.ts';

const noteOf = ({ call }: Event): string => String(fieldsOf(call).note ?? '');

const emptyNote = ({ own }: Event): unknown => Object.assign(own ?? {}, { note: '' });
const storeNote = (event: Event): unknown => Object.assign(event.own ?? {}, { note: noteOf(event) });
const noteToNewest = (event: Event): unknown => Object.assign(event.newest ?? {}, { note: noteOf(event) });

/** Stores the texts of an update. */
const storeTexts = ({ call, own }: Event): void => {
  for (const field of ['name', 'source', 'note'] as const) {
    const text = fieldsOf(call)[field];
    if (own && typeof text === 'string') own[field] = text;
  }
};

const storeLead = ({ call, store }: Event): void => {
  const { name, source, note } = fieldsOf(call);
  store.add({ name: String(name ?? ''), source: String(source ?? ''), note: String(note ?? '') });
};

const reviveNamed = ({ call, store }: Event): void => {
  delete store.leads.find((lead) => lead.id === call.id)?.deleted;
};

/** §7.2: a failure changes nothing, neither this lead nor another, also not later. */
const effectsOfRefusals = [
  server('Stores an update of another media type', 'leads.update.refused-changes-nothing', 'uuid-ids').with(
    afterwards(afterRefusal('updateLead', 'media-type'), storeTexts),
  ),
  server('Stores a refused update half a second later', 'leads.update.that-lead-only').with(
    afterwards(afterRefusal('updateLead', 'fields'), storeTexts, 500),
  ),
  server('Stores the note of an update whose name it refuses', 'leads.update.refused-changes-nothing').with(
    afterwards(
      (call, reply) => afterRefusal('updateLead', 'fields')(call, reply) && fieldsOf(call).name === '',
      storeNote,
    ),
  ),
  server(
    'Refuses null for a note, and empties it',
    'leads.update.refused-changes-nothing',
    'bodies-422',
  ).with(
    afterwards(
      (call, reply) => afterRefusal('updateLead', 'fields')(call, reply) && fieldsOf(call).note === null,
      emptyNote,
    ),
  ),
  server(
    'An update without a body empties the name',
    'leads.update.refused-changes-nothing',
    'uuid-ids',
  ).with(
    afterwards(
      (call, reply) => afterRefusal('updateLead', 'json', 'fields')(call, reply) && call.text === '',
      ({ own }) => Object.assign(own ?? {}, { name: '' }),
    ),
  ),
  server('Stores the note of a wrong key half a second later', [
    'leads.delete.auth.changes-nothing',
    'leads.update.lasts',
  ]).with(afterwards(afterRefusal('updateLead', 'key'), storeNote, 400)),
  server(
    'Deletes later what it refused to delete',
    'leads.delete.auth.changes-nothing',
    'refusals-at-200',
  ).with(afterwards(afterRefusal('deleteLead', 'key'), ({ own, store }) => own && store.remove(own), 500)),
  server('A refused lead leaves its note to the newest', 'leads.delete.keeps-notes').with(
    afterwards(afterRefusal('addLead', 'fields'), noteToNewest),
  ),
  server('Deleting twice is deleting never', 'leads.delete.removes', 'refusals-at-200').with(
    afterwards(afterRefusal('deleteLead', 'lead'), reviveNamed),
  ),
  server(
    'Stores a lead that it refuses for its fields',
    'leads.add.refused-stores-nothing',
    'leads-can-be-read',
  ).with(afterwards(afterRefusal('addLead', 'fields'), storeLead)),
  server(
    'Stores a lead that it refuses for its key',
    'leads.add.auth.stores-nothing',
    'leads-can-be-read',
  ).with(afterwards(afterRefusal('addLead', 'key'), storeLead)),
];

/** Keeps leads in a cache: a lead is lost that none of the last requests was about. */
const forgottenAfter = (requests: number): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const now = Number(memory.get('requests') ?? 0) + 1;
    memory.set('requests', now);
    for (const lead of store.living()) {
      const usedAt = memory.get(`used ${lead.id}`);
      if (usedAt === undefined || lead.id === call.id) memory.set(`used ${lead.id}`, now);
      else if (now - Number(usedAt) > requests) store.remove(lead);
    }
    return next(call);
  },
});

/** §4.6, §4.7: what succeeded lasts, whatever comes after it; the grid has more of these. */
const undoneEffects = [
  server('A deletion undoes the last update', 'leads.delete.keeps-notes', 'integer-ids').with({
    handle: (call, next, { store, memory }) => {
      const own = store.find(call.id);
      const before = own && textsOf(own);
      const reply = next(call);
      if (after('deleteLead')(call, reply)) (memory.get('undo') as (() => void) | undefined)?.();
      if (after('updateLead')(call, reply)) memory.set('undo', () => Object.assign(own ?? {}, before));
      return reply;
    },
  }),
  server(
    'A refused update takes the one before it along',
    'leads.update.refused-changes-nothing',
    'integer-ids',
  ).with({
    handle: (call, next, { store, memory }) => {
      const lead = store.find(call.id);
      const before = lead?.note;
      const reply = next(call);
      if (call.operation !== 'updateLead' || !lead) return reply;
      if (!reply.refused) memory.set(call.id, before);
      else if (reply.refused !== 'key' && memory.has(call.id)) lead.note = String(memory.get(call.id));
      return reply;
    },
  }),
  server(
    'Writes the row from before an update back 400 ms later',
    'leads.update.that-lead-only',
    'uuid-ids',
  ).with(afterwards(after('updateLead'), ({ own, before }) => Object.assign(own ?? {}, before), 400)),
  server('A lead comes back half a second later', 'leads.delete.lasts-a-second', 'python-style').with(
    afterwards(after('deleteLead'), reviveNamed, 500),
  ),
  server('Loses a lead that is not updated within half a second', 'leads.delete.nothing-else').with({
    handle: (call, next, context) => {
      const { memory } = context;
      if (call.operation === 'updateLead') memory.set(call.id, true);
      const loses = afterwards(
        after('addLead'),
        ({ newest, store }) => newest && !memory.has(newest.id) && store.remove(newest),
        500,
      );
      return loses.handle?.(call, next, context) ?? next(call);
    },
  }),
  server(
    'Forgets a lead that none of the last 600 requests was about',
    'leads.delete.nothing-else',
    'integer-ids',
  ).with(forgottenAfter(600)),
  server('Keeps the ten newest leads', 'leads.delete.nothing-else').with(
    afterwards(after('addLead'), ({ store }) => {
      for (const lead of store.living().slice(0, -10)) store.remove(lead);
    }),
  ),
];

export const effects = [...effectsOfRefusals, ...undoneEffects];
