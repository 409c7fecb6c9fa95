import { fieldsOf, onSuccess, refuse, refuseWhere, textsOf, withData } from '../../server/mutation.ts';
import type { StoredLead } from '../../server/store.ts';
import type { Fields, Mutation } from '../../server/types.ts';
import { server } from '../mutation.ts';

type Texts = Pick<StoredLead, 'name' | 'source' | 'note'>;

/** Gives a new lead another id, in place of the lead that has it. */
const withId = (idFor: (nth: number, body: Fields, ids: readonly string[]) => string | undefined): Mutation =>
  onSuccess('addLead', (reply, call, { store }) => {
    const ids = store.living().map((lead) => lead.id);
    const id = idFor(call.nth, fieldsOf(call), ids.slice(0, -1));
    const lead = id === undefined ? undefined : store.leads.pop();
    if (id === undefined || !lead) return reply;
    const others = store.leads.filter((one) => one.id !== id);
    store.leads.splice(0, store.leads.length, ...others, { ...lead, id });
    return withData(reply, { lead_id: id });
  });

const smallestFree = (ids: readonly string[]): string => {
  let number = 1;
  while (ids.includes(String(number))) number += 1;
  return String(number);
};

/** An id is a name for one lead: who stored it must not find another one. */
const reusedIds = [
  server('Ids begin again after thirty leads', 'leads.add.new-ids', 'integer-ids').with(
    withId((nth) => String(100 + (nth % 30))),
  ),
  server('Ids differ in letter case only', 'leads.add.new-ids', 'uuid-ids').with(
    withId((nth) => (nth % 2 ? `lead-${nth}-a` : `LEAD-${nth - 1}-A`)),
  ),
  // Nothing but a warning: which ids there are is not shown. Whole runs show that it breaks nothing else.
  server('Gives the ids of deleted leads again', 'leads.add.new-ids', 'strict-fields').with(
    withId((_nth, _body, ids) => smallestFree(ids)),
  ),
  server('Gives a new lead the id that its request names', 'leads.add.new-ids').with(
    withId((_, { lead_id: id }) => (typeof id === 'string' ? id : undefined)),
  ),
];

/** Takes another lead for the new one, also a deleted one, and answers with it, or writes to it what it was sent. */
const mergeInto = (
  isSame: (other: StoredLead, added: Texts) => boolean,
  written: readonly (keyof Texts)[] = [],
): Mutation =>
  onSuccess('addLead', (reply, _, { store }) => {
    const added = store.leads.at(-1);
    const other = store.leads.find((lead) => added && lead !== added && isSame(lead, added));
    if (!added || !other) return reply;
    store.leads.pop();
    delete other.deleted;
    for (const field of written) other[field] = added[field];
    return withData(reply, { lead_id: other.id, ...textsOf(written.length > 0 ? added : other) });
  });

/** Answers an addition with the data of a deleted lead that had the same fields. */
const answerFromCache: Mutation = onSuccess('addLead', (reply, call, { store, memory }) => {
  const text = JSON.stringify(call.body);
  const earlier = memory.get(text) as Fields | undefined;
  if (!earlier || store.living().some(({ id }) => id === earlier.lead_id)) {
    memory.set(text, reply.body.data);
    return reply;
  }
  store.leads.pop();
  return withData(reply, earlier);
});

const living =
  (isSame: (other: StoredLead, added: Texts) => boolean) =>
  (other: StoredLead, added: Texts): boolean =>
    !other.deleted && isSame(other, added);

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const everyText =
  (keyOf: (text: string) => string) =>
  (other: Texts, added: Texts): boolean =>
    (['name', 'source', 'note'] as const).every((field) => keyOf(other[field]) === keyOf(added[field]));

/** §2.3, §4.5: two leads are two, whatever texts they have in common, and a response shows the new one. */
const mergedLeads = [
  server('A second lead of a name overwrites the first', 'leads.add.new-ids').with(
    mergeInto(
      living((other, { name }) => other.name === name),
      ['source', 'note'],
    ),
  ),
  server('A lead overwrites one whose name differs in letter case only', 'leads.add.new-ids').with(
    mergeInto(
      living(
        (other, { name }) =>
          other.name !== other.name.toUpperCase() && other.name.toLowerCase() === name.toLowerCase(),
      ),
      ['source', 'note'],
    ),
  ),
  server('A lead overwrites the note of one with its name and source', 'leads.add.new-ids', 'uuid-ids').with(
    mergeInto(
      living((other, { name, source }) => other.name === name && other.source === source),
      ['note'],
    ),
  ),
  server('Writes a lead over the one that has its note', 'leads.add.distinct-ids', 'integer-ids').with(
    mergeInto(
      living((other, { note }) => note !== '' && other.note === note),
      ['name', 'source'],
    ),
  ),
  server('A new lead like a deleted one is that one again', 'leads.add.new-ids').with(
    mergeInto(
      (other, { name, source }) =>
        other.deleted !== undefined && other.name === name && other.source === source,
      ['note'],
    ),
  ),
  server('Answers with the deleted lead of that name and source', 'leads.add.echoes-fields', 'uuid-ids').with(
    mergeInto(
      (other, { name, source }) =>
        other.deleted !== undefined && other.name === name && other.source === source,
    ),
  ),
  server('Answers with the deleted lead of the same fields', 'leads.delete.nothing-else', 'integer-ids').with(
    answerFromCache,
  ),
  server('Answers with the lead of that source', 'leads.add.echoes-fields').with(
    mergeInto(living((other, { source }) => source !== '' && other.source === source)),
  ),
  server('Answers with the lead just added of that name', 'leads.add.echoes-fields', 'integer-ids').with(
    mergeInto(
      living((other, { name }) => other.name === name && Date.now() - other.created.getTime() < 3000),
    ),
  ),
  server('Answers with a lead that differs in accents', 'leads.add.keeps-letters', 'integer-ids').with(
    mergeInto(living(everyText(withoutAccents))),
  ),
  server('Compares the first 20 characters of a note', 'leads.add.echoes-fields', 'duplicates-merged').with(
    mergeInto(living(everyText((text) => text.slice(0, 20)))),
  ),
  server('Refuses a lead with the note of another one', 'leads.add.free-note').with(
    refuseWhere('addLead', refuse(409, 'note exists', 'duplicate'), (call, { store }) => {
      const { note } = fieldsOf(call);
      return note !== '' && store.living().some((lead) => lead.note === note);
    }),
  ),
];

export const ids = [...reusedIds, ...mergedLeads];
