import type { Store, StoredLead } from '../../server/store.ts';
import type { Call, Fields, Mutation, Operation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup } from '../mutation.ts';

type Effect = (call: Call, store: Store) => void;
type Cause = (call: Call, reply: Reply) => boolean;

const newest = (store: Store): StoredLead | undefined => store.living().at(-1);
const bodyOf = ({ body }: Call): Fields => (isObject(body) ? body : {});
const textIn = (call: Call, field: string): string => String(bodyOf(call)[field] ?? '');

/** Does something that no response shows. */
const effectOf = (isCause: Cause, effect: Effect, delayMs = 0): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (!isCause(call, reply)) return reply;
    if (delayMs > 0) setTimeout(() => effect(call, store), delayMs).unref();
    else effect(call, store);
    return reply;
  },
});

const after =
  (operation: Operation): Cause =>
  (call, { refused }) =>
    call.operation === operation && !refused;

const refusedFor =
  (operation: Operation, ...reasons: NonNullable<Reply['refused']>[]): Cause =>
  (call, { refused }) =>
    call.operation === operation && refused !== undefined && reasons.includes(refused);

const change = (fields: Partial<Pick<StoredLead, 'name' | 'source' | 'note'>>): Effect => {
  return ({ id }, store) => Object.assign(store.find(id) ?? {}, fields);
};

const refusal = brokenGroup('effects-of-refusals', documented('7'));
const isEmpty: Cause = (call, reply) =>
  refusedFor('updateLead', 'json', 'fields')(call, reply) && call.text === '';

/** §7.2: a failure changes nothing, neither this lead nor another. */
const effectsOfRefusals = [
  refusal('bad-json-empties-note', 'Malformed JSON in an update empties the note').with(
    effectOf(refusedFor('updateLead', 'json'), change({ note: '' })),
  ),
  refusal('bad-fields-empty-note', 'An update refused for its fields empties the note', 'integer-ids').with(
    effectOf(refusedFor('updateLead', 'fields'), change({ note: '' })),
  ),
  refusal('null-note-empties-note', 'Refuses null for a note, and empties it', 'bodies-422').with(
    effectOf(
      (call, reply) => refusedFor('updateLead', 'fields')(call, reply) && bodyOf(call).note === null,
      change({ note: '' }),
    ),
  ),
  refusal('no-body-empties-name', 'An update without a body empties the name', 'uuid-ids').with(
    effectOf(isEmpty, change({ name: '' })),
  ),
  refusal('wrong-key-stored-late', 'Stores the note of a wrong key half a second later', 'plain', '5').with(
    effectOf(
      refusedFor('updateLead', 'key'),
      (call, store) => change({ note: textIn(call, 'note') })(call, store),
      400,
    ),
  ),
  refusal('wrong-key-empties-source', 'An update with a wrong key empties the source', 'uuid-ids', '5').with(
    effectOf(refusedFor('updateLead', 'key'), change({ source: '' })),
  ),
  refusal(
    'refused-add-renames-newest',
    'A new lead with a wrong key renames the newest',
    'uuid-ids',
    '5',
  ).with(
    effectOf(refusedFor('addLead', 'key'), (_, store) =>
      Object.assign(newest(store) ?? {}, { name: 'overwritten' }),
    ),
  ),
  refusal('second-delete-restores', 'A second deletion brings the lead back', 'plain', '4.7').with(
    effectOf(refusedFor('deleteLead', 'lead'), ({ id }, store) => {
      delete store.leads.find((lead) => lead.id === id)?.deleted;
    }),
  ),
  refusal('second-delete-brings-back', 'Deleting twice is deleting never', 'refusals-at-200', '4.7').with(
    effectOf(refusedFor('deleteLead', 'lead'), ({ id }, store) => {
      delete store.leads.find((lead) => lead.id === id)?.deleted;
    }),
  ),
  refusal('refused-update-locks-lead', 'A lead with a refused update cannot be deleted', 'plain', '4.7').with(
    {
      handle: (call, next, { store, memory }) => {
        const lead = store.find(call.id);
        if (call.operation === 'deleteLead' && lead && memory.has(call.id))
          return next({ ...call, id: 'none' });
        const reply = next(call);
        if (refusedFor('updateLead', 'fields', 'json')(call, reply)) memory.set(call.id, true);
        return reply;
      },
    },
  ),
];

const other = brokenGroup('effects-on-other-leads', documented('4.6'));

const writeNote: Effect = (call, store) => {
  const lead = newest(store);
  if (lead) lead.note = textIn(call, 'note');
};

const removeNewest: Effect = (_, store) => {
  const lead = newest(store);
  if (lead) store.remove(lead);
};

const emptyNotes: Effect = (_, store) => {
  for (const lead of store.living()) lead.note = '';
};

/** Finds the lead of an update, or of a deletion, by something else than its whole id. */
const findBy = (
  isSame: (lead: StoredLead, id: string) => boolean,
  operation: Operation = 'updateLead',
): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id) ?? store.living().find((one) => isSame(one, call.id));
    return call.operation === operation && lead ? next({ ...call, id: lead.id }) : next(call);
  },
});

const beginsAlike = ({ id: own }: StoredLead, id: string): boolean => id.startsWith(own);

const overwriteNamesakes: Effect = (call, store) => {
  const { note = '' } = newest(store) ?? {};
  for (const lead of store.living()) if (lead.name === bodyOf(call).name) lead.note = note;
};

const renameAll: Effect = (call, store) => {
  const source = store.find(call.id)?.source;
  const { name } = bodyOf(call);
  if (typeof name !== 'string') return;
  for (const lead of store.living()) if (lead.source === source) lead.name = name;
};

const noteToNamesakes: Effect = (call, store) => {
  const { name, note } = store.find(call.id) ?? {};
  for (const lead of store.living()) if (lead.name === name && note !== undefined) lead.note = note;
};

/** The condition of a statement names a field beside the id, and an empty text is that of many leads. */
const withEmptyTwins = (
  operation: Operation,
  field: 'name' | 'source' | 'note',
  effect: (twin: StoredLead, call: Call, store: Store) => void,
): Mutation => ({
  handle: (call, next, { store }) => {
    const isEmpty = store.find(call.id)?.[field] === '';
    const twins = store.living().filter((lead) => lead.id !== call.id && isEmpty && lead[field] === '');
    const reply = next(call);
    if (call.operation === operation && !reply.refused) for (const twin of twins) effect(twin, call, store);
    return reply;
  },
});

const removeTwin = (twin: StoredLead, _: Call, store: Store): void => store.remove(twin);

const noteToTwin = (twin: StoredLead, call: Call): void => {
  twin.note = textIn(call, 'note');
};

/** §4: what is done to one lead, to a mail or to nothing at all changes no other lead. */
const effectsOnOthers = [
  other(
    'delete-of-all-that-begin-so',
    'Deletes all leads whose ids begin like this',
    'uuid-ids',
    derived('4.7'),
  ).with(findBy(({ id: own }, id) => id.length > 8 && own.startsWith(id), 'deleteLead')),
  other(
    'delete-like-number',
    'Deletes all leads whose numbers begin like the id',
    'ids-from-zero',
    '4.7',
  ).with(
    effectOf(
      (call, reply) => call.operation === 'deleteLead' && reply.refused !== 'key',
      (call, store) => {
        for (const lead of store.living()) if (lead.id.startsWith(call.id)) store.remove(lead);
      },
    ),
  ),
  other(
    'update-reaches-namesakes',
    'Writes a note to all leads of that name, as their list shows',
    'leads-can-be-read-only',
  ).with(effectOf(after('updateLead'), noteToNamesakes)),
  other('unknown-update-hits-newest', 'An update of an unknown lead is written to the newest').with(
    effectOf(refusedFor('updateLead', 'lead'), writeNote),
  ),
  other('refused-add-hits-newest', 'A refused lead leaves its note to the newest', 'plain', '4.5').with(
    effectOf(refusedFor('addLead', 'fields'), writeNote),
  ),
  other('unknown-delete-hits-newest', 'Deleting no lead deletes the newest', 'plain', '4.7').with(
    effectOf(refusedFor('deleteLead', 'lead'), removeNewest),
  ),
  other('template-mail-empties-notes', 'A template mail empties every note', 'plain', '4.3').with(
    effectOf(after('sendTemplateEmail'), emptyNotes),
  ),
  other('list-empties-source', 'A list empties the source of the newest lead', 'integer-ids', '4.2').with(
    effectOf(after('listTemplates'), (_, store) => Object.assign(newest(store) ?? {}, { source: '' })),
  ),
  other(
    'id-read-as-number',
    'Reads the number at the beginning of an id',
    'integer-ids',
    derived('4.6'),
  ).with(findBy(({ id: own }, id) => Number.parseInt(id, 10) === Number(own))),
  other('id-of-any-length', 'Finds a lead by an id that goes on', 'python-style', derived('4.6')).with(
    findBy(beginsAlike),
  ),
  other('id-cut-short', 'Finds a lead by the beginning of its id', 'uuid-ids').with(
    findBy(({ id: own }, id) => id.length > 8 && own.startsWith(id)),
  ),
  other('add-writes-to-namesakes', 'A new lead writes to its namesakes', 'integer-ids', '4.5').with(
    effectOf(after('addLead'), overwriteNamesakes),
  ),
  other('delete-of-empty-notes', 'Deletes all leads without a note', 'plain', '4.7').with(
    withEmptyTwins('deleteLead', 'note', removeTwin),
  ),
  other('delete-of-empty-names', 'Deletes all leads without a name', 'lenient', '4.7').with(
    withEmptyTwins('deleteLead', 'name', removeTwin),
  ),
  other('update-of-empty-sources', 'Writes a note to all without a source', 'integer-ids').with(
    withEmptyTwins('updateLead', 'source', noteToTwin),
  ),
  other('rename-reaches-neighbours', 'Renames the leads of one source', 'bodies-422').with(
    effectOf(after('updateLead'), renameAll),
  ),
];

/** All of them: what a request does beside what its response shows. */
export const otherEffects = [...effectsOfRefusals, ...effectsOnOthers];
