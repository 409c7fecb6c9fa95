import { inData, onSuccess, showLate } from '../../server/mutation.ts';
import type { Store, StoredLead } from '../../server/store.ts';
import type { Call, Fields, Mutation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup } from '../mutation.ts';

const bodyOf = ({ body }: Call): Fields => (isObject(body) ? body : {});

const stored = brokenGroup('stored-otherwise', documented('4.6'));

/** Changes what an update stores after its response. */
const storeNote = (noteOf: (note: string, before: string) => string): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id);
    const before = lead?.note ?? '';
    const reply = next(call);
    if (call.operation === 'updateLead' && !reply.refused && lead && typeof bodyOf(call).note === 'string')
      lead.note = noteOf(lead.note, before);
    return reply;
  },
});

const plainEmoji = storeNote((note) => note.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'));
const keepIfEmpty = storeNote((note, before) => (note === '' ? before : note));
const isDigits = (text: unknown): boolean => /^[1-9]\d*$/.test(String(text));
const digitsAsNumber = inData('addLead', (data) =>
  isDigits(data.name) ? { ...data, name: Number(data.name) } : data,
);
const parseNote = inData('updateLead', (data) =>
  /^\{/.test(String(data.note)) ? { ...data, note: JSON.parse(String(data.note)) } : data,
);
const reverse = inData('updateLead', (data) =>
  /[\u0590-\u06ff]/.test(String(data.note))
    ? { ...data, note: [...String(data.note)].reverse().join('') }
    : data,
);

const late = showLate(300);

/** Two faults that look alike: updates show late, which is no fault, and some of them never. */
const loseSomeOfLate: Mutation = {
  handle: (call, next, context) => {
    const isLost = call.nth % 4 === 0 && typeof bodyOf(call).note === 'string';
    const reply = late.handle?.(call, next, context) ?? next(call);
    const written = context.memory.get(`written ${call.id}`) as Record<string, unknown> | undefined;
    if (call.operation === 'updateLead' && isLost && written)
      written.note = context.store.find(call.id)?.note;
    return reply;
  },
};

/** §4.6: the response to an update shows what is stored, §2.3: as it was sent. */
const storedOtherwise = [
  stored(
    'update-stores-emoji-as-mark',
    'Shows an emoji and stores a question mark',
    'plain',
    derived('4.6'),
  ).with(plainEmoji),
  stored('update-keeps-note-for-empty', 'Shows an empty note and keeps the old one').with(keepIfEmpty),
  stored(
    'update-ignores-letter-case',
    'Does not store a note that differs in letter case only',
    'bodies-422',
  ).with(storeNote((note, before) => (note.toLowerCase() === before.toLowerCase() ? before : note))),
  stored('late-update-lost', 'Shows updates late, and every fourth never').with(loseSomeOfLate),
  stored('add-name-number', 'A name of digits is a number', 'plain', '2.3').with(digitsAsNumber),
  stored('update-parses-note', 'A note that is JSON is an object', 'plain', '2.3').with(parseNote),
  stored('update-reverses-hebrew', 'Reverses right-to-left text', 'plain', derived('2.3')).with(reverse),
];

/** Answers an addition with the data of a deleted lead that had the same fields. */
const answerFromCache: Mutation = onSuccess('addLead', (reply, call, { store, memory }) => {
  const text = JSON.stringify(call.body);
  const earlier = memory.get(text) as Fields | undefined;
  const lead = store.leads.at(-1);
  if (!earlier || store.living().some(({ id }) => id === earlier.lead_id)) {
    memory.set(text, reply.body.data);
    return reply;
  }
  if (lead) store.remove(lead);
  return { ...reply, body: { ...reply.body, data: earlier } };
});

const named = brokenGroup('ids-by-name', derived('2.3'));

/** Answers with the lead that has the name, or another field, already, instead of a new one. */
const idByName = (
  isMerged: (first: StoredLead, lead: StoredLead) => boolean,
  isWritten: boolean,
  field: 'name' | 'source' = 'name',
  keyOf = (text = ''): string => text,
): Mutation =>
  onSuccess('addLead', (reply, call, { store }) => {
    const lead = store.leads.at(-1);
    const first = store.living().find((other) => keyOf(other[field]) === keyOf(lead?.[field]));
    if (!lead || !first || first === lead || !isMerged(first, lead)) return reply;
    store.leads.pop();
    if (isWritten) Object.assign(first, { source: lead.source, note: lead.note });
    const { id, name, source, note } = first;
    const data = { ...(reply.body.data as Fields), lead_id: id, name, source, note };
    return {
      ...reply,
      body: { ...reply.body, data: isWritten ? { ...data, ...bodyOf(call), lead_id: id } : data },
    };
  });

/** §2.3: two leads of one name are two leads. */
const idsByName = [
  named('id-is-of-the-name', 'A second lead of a name overwrites the first').with(idByName(() => true, true)),
  named('id-is-of-the-name-in-any-case', 'A lead overwrites one whose name differs in letter case only').with(
    idByName(
      ({ name }) => name !== name.toUpperCase(),
      true,
      'name',
      (text = '') => text.toLowerCase(),
    ),
  ),
  named(
    'id-is-of-name-and-source',
    'A lead overwrites the note of one with its name and source',
    'uuid-ids',
  ).with(idByName(({ source }, lead) => source === lead.source, true)),
  named('id-of-the-deleted', 'Answers with the deleted lead of the same fields', 'integer-ids').with(
    answerFromCache,
  ),
  named('id-is-of-the-source', 'Answers with the lead of that source', 'plain', documented('4.5')).with(
    idByName(({ source }) => source !== '', false, 'source'),
  ),
  named('add-answers-with-namesake', 'Answers with the lead just added of that name', 'integer-ids').with(
    idByName(({ created }) => Date.now() - created.getTime() < 3000, false),
  ),
];

/** Gives a new lead the smallest number that no living lead has. */
const smallestFreeId = onSuccess('addLead', (reply, _, { store }) => {
  const lead = store.leads.at(-1);
  if (!lead) return reply;
  const taken = new Set(store.living().map(({ id }) => id));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  const id = String(number);
  Object.assign(lead, { id });
  return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: id } } };
});

/** Nothing but a warning: which ids there are is not shown. Whole runs show that it breaks nothing else. */
const idsAgain = [
  named('ids-given-again', 'Gives the ids of deleted leads again', 'strict-fields', derived('2.3')).with(
    smallestFreeId,
  ),
];

const merged = brokenGroup('merged-leads', documented('4.5'));

/** Answers with a lead that it takes for the new one, and brings it back where it was deleted. */
const mergeWith = (isSame: (other: StoredLead, lead: StoredLead) => boolean): Mutation =>
  onSuccess('addLead', (reply, _call, { store }) => {
    const lead = store.leads.at(-1);
    const first = store.leads.find((other) => lead && other !== lead && isSame(other, lead));
    if (!first) return reply;
    store.leads.pop();
    delete first.deleted;
    const { id, name, source, note } = first;
    const data = { ...(reply.body.data as Fields), lead_id: id, name, source, note };
    return { ...reply, body: { ...reply.body, data } };
  });

const mergeLiving = (keyOf: (text: string) => string, noteKeyOf = keyOf): Mutation =>
  mergeWith(
    (other, lead) =>
      !other.deleted &&
      keyOf(other.name) === keyOf(lead.name) &&
      keyOf(other.source) === keyOf(lead.source) &&
      noteKeyOf(other.note) === noteKeyOf(lead.note),
  );

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** §4.5: the response to an addition has the texts of the new lead, whatever a database takes for the same. */
const mergedLeads = [
  merged('merges-other-accents', 'Answers with a lead that differs in accents', 'integer-ids').with(
    mergeLiving(withoutAccents),
  ),
  merged('merges-same-beginning', 'Compares the first 20 characters of a note', 'duplicates-merged').with(
    mergeLiving(
      (text) => text,
      (note) => note.slice(0, 20),
    ),
  ),
  merged('revives-deleted-lead', 'Brings back the deleted lead of that name and source', 'uuid-ids').with(
    mergeWith(
      (other, lead) =>
        other.deleted !== undefined && other.name === lead.name && other.source === lead.source,
    ),
  ),
];

/** Of updates that are under way at once, those that come later get a response without data. */
const updatesTogether: Mutation = {
  handle: async (call, next, { memory, sleep }) => {
    if (call.operation !== 'updateLead') return next(call);
    const name = `updates of ${call.id}`;
    const others = Number(memory.get(name) ?? 0);
    memory.set(name, others + 1);
    await sleep(10);
    const reply = next(call);
    memory.set(name, Number(memory.get(name)) - 1);
    return reply.refused || others === 0 ? reply : { ...reply, body: { ...reply.body, data: null } };
  },
};

const sameNotes = brokenGroup('leads-of-one-note', derived('2.3'));

const noteTaken: Reply = {
  status: 409,
  refused: 'duplicate',
  body: { success: false, error: 'note exists' },
};

const noteTwin = (call: Call, store: Store): StoredLead | undefined =>
  call.operation === 'addLead' && typeof bodyOf(call).note === 'string' && bodyOf(call).note !== ''
    ? store.living().find(({ note }) => note === bodyOf(call).note)
    : undefined;

/** One note may be on many leads: it names none of them. */
const leadsOfOneNote = [
  sameNotes('same-note-refused', 'Refuses a lead with the note of another one').with({
    handle: (call, next, { store }) => {
      const reply = next({ ...call, operation: undefined });
      return noteTwin(call, store) && reply.refused !== 'key' ? noteTaken : next(call);
    },
  }),
  sameNotes('same-note-merged', 'Writes a lead over the one that has its note', 'integer-ids').with(
    onSuccess('addLead', (reply, call, { store }) => {
      const added = store.leads.at(-1);
      const twin = noteTwin(call, store);
      if (!added || !twin || twin === added) return reply;
      store.leads.pop();
      Object.assign(twin, { name: added.name, source: added.source });
      return {
        ...reply,
        body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: twin.id } },
      };
    }),
  ),
];

/** All of them: what is stored is not what a response shows, or not what was sent. */
export const storage = [
  ...storedOtherwise,
  ...idsByName,
  ...idsAgain,
  ...mergedLeads,
  ...leadsOfOneNote,
  stored('updates-together-null', 'Updates of one lead at once get null', 'update-refuses-name').with(
    updatesTogether,
  ),
];
