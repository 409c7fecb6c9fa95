import { after, afterRefusal, afterwards, changeCall, type Event, fieldsOf } from '../../server/mutation.ts';
import { leadTexts } from '../../server/operations.ts';
import type { StoredLead, Texts } from '../../server/store.ts';
import type { Mutation, Operation } from '../../server/types.ts';
import { always, server } from '../mutation.ts';

const noteOf = ({ call }: Event): string => String(fieldsOf(call).note ?? '');

const storeNote = (event: Event): unknown => Object.assign(event.own ?? {}, { note: noteOf(event) });
const noteToNewest = (event: Event): unknown => Object.assign(event.newest ?? {}, { note: noteOf(event) });

/** Stores the texts of an update. */
const storeTexts = ({ call, own }: Event): void => {
  for (const field of leadTexts) {
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
  server('Stores an update of another media type', 'leads.update.keeps-other-fields', 'uuid-ids').with(
    afterwards(afterRefusal('updateLead', 'media-type'), storeTexts),
  ),
  server(
    'An addition with a wrong key gives its note to the newest lead',
    'leads.add.auth.changes-nothing',
  ).with(afterwards(afterRefusal('addLead', 'key'), noteToNewest)),
  server('Stores a refused update half a second later', 'leads.update.keeps-other-fields').with(
    afterwards(afterRefusal('updateLead', 'fields'), storeTexts, 500),
  ),
  server('Stores the note of an update whose name it refuses', 'leads.update.lasts').with(
    afterwards(
      (call, reply) => afterRefusal('updateLead', 'fields')(call, reply) && fieldsOf(call).name === '',
      storeNote,
    ),
  ),
  server('An update without a body empties the name', 'leads.update.keeps-other-fields').with(
    afterwards(
      (call, reply) => afterRefusal('updateLead', 'json', 'fields')(call, reply) && call.text === '',
      ({ own }) => Object.assign(own ?? {}, { name: '' }),
    ),
  ),
  server('Stores the note of a wrong key half a second later', [
    'leads.update.auth.changes-nothing',
    'leads.update.lasts',
  ]).with(afterwards(afterRefusal('updateLead', 'key'), storeNote, 400)),
  server(
    'Deletes later what it refused to delete',
    'leads.delete.auth.changes-nothing',
    'refusals-at-200',
  ).with(afterwards(afterRefusal('deleteLead', 'key'), ({ own, store }) => own && store.remove(own), 500)),
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
    'leads.add.refused-stores-nothing',
    'leads-can-be-read',
  ).with(afterwards(afterRefusal('addLead', 'key'), storeLead)),
];

/** Keeps leads in a cache: a lead is lost that none of the last requests was about. */
const forgottenAfter = (requests: number): Mutation =>
  afterwards(always, ({ call, store, memory }) => {
    const now = Number(memory.get('requests') ?? 0) + 1;
    memory.set('requests', now);
    for (const lead of store.living()) {
      const usedAt = memory.get(`used ${lead.id}`);
      if (usedAt === undefined || lead.id === call.id) memory.set(`used ${lead.id}`, now);
      else if (now - Number(usedAt) > requests) store.remove(lead);
    }
  });

/** §4.6, §4.7: what succeeded lasts, whatever comes after it; the grid has more of these. */
const undoneEffects = [
  server(
    'Forgets a lead that none of the last 600 requests was about',
    'leads.delete.nothing-else',
    'integer-ids',
  ).with(forgottenAfter(600)),
];

/** Writes a text of an updated lead to other leads too. */
const writeTo = (field: keyof Texts, isReached: (other: StoredLead, before: Texts) => boolean): Mutation =>
  afterwards(after('updateLead'), ({ own, before, store }) => {
    if (!own || !before) return;
    for (const other of store.living()) if (isReached(other, before)) other[field] = own[field];
  });

/** Finds the lead of a request by something else than its whole id. */
const findBy = (operation: Operation, isSame: (lead: StoredLead, id: string) => boolean): Mutation =>
  changeCall(operation, ({ id }, { store }) => ({
    id: (store.find(id) ?? store.living().find((one) => isSame(one, id)))?.id ?? id,
  }));

const beginsSo = ({ id: own }: StoredLead, id: string): boolean => id.length > 8 && own.startsWith(id);

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

/** The numbers of rows are from before the deletions since a lead was added. */
const countRowsOnce = changeCall('updateLead', (call, { store }) => {
  const rows = store.living();
  const own = rows.find(({ id }) => id === call.id);
  if (!own) return {};
  const older = store.leads.slice(0, store.leads.indexOf(own));
  const since = older.filter(({ deleted }) => deleted !== undefined && deleted >= own.created).length;
  const { id } = rows[rows.indexOf(own) + since] ?? rows.at(-1) ?? own;
  return { id };
});

/** §4: what is done to one lead, to a mail or to nothing at all changes no other lead. It takes two leads to see that. */
const otherLeads = [
  server(
    'Update lead gives its name to every lead',
    'leads.update.keeps-other-fields',
    'leads-can-be-read',
  ).with(writeTo('name', () => true)),
  server(
    'Writes a note to all leads of that name, as their list shows',
    'leads.update.lasts',
    'leads-can-be-read-only',
  ).with(writeTo('note', (other, { name }) => other.name === name)),
  server('Update lead changes the lead that the body names', 'leads.update.same-id').with(
    changeCall('updateLead', (call) => {
      const { lead_id: id } = fieldsOf(call);
      return typeof id === 'string' ? { id } : {};
    }),
  ),
  server('An update with the body of another changes the lead of that', 'leads.update.same-id').with(
    answerByBody,
  ),
  server('Updates the row that a lead had before deletions', 'leads.update.same-id').with(countRowsOnce),
  server('Finds a lead by an id that goes on', 'leads.update.whole-id', 'python-style').with(
    findBy('updateLead', ({ id: own }, id) => id.startsWith(own)),
  ),
  server('Finds a lead by the beginning of its id', 'leads.update.lasts', 'uuid-ids').with(
    findBy('updateLead', beginsSo),
  ),
  server('Deletes all leads whose ids begin like this', 'leads.delete.nothing-else', 'uuid-ids').with(
    findBy('deleteLead', beginsSo),
  ),
  // The condition of a statement names the note beside the id, and an empty one is that of many leads.
  server('Finds the eight oldest leads', 'leads.delete.nothing-else', 'integer-ids').with(
    changeCall('updateLead', (call, { store }) => {
      const oldest = store.living().slice(0, 8);
      return oldest.some(({ id }) => id === call.id) ? {} : { id: 'none' };
    }),
  ),
];

export const effects = [...effectsOfRefusals, ...undoneEffects, ...otherLeads];
