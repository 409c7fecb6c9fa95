import {
  fieldsOf,
  mergeInto,
  onSuccess,
  refuse,
  refuseWhere,
  withData,
  withoutAccents,
} from '../../server/mutation.ts';
import { leadTexts } from '../../server/operations.ts';
import type { StoredLead, Texts } from '../../server/store.ts';
import type { Mutation } from '../../server/types.ts';
import { server } from '../mutation.ts';

/** Gives a new lead another id, in place of the lead that has it. */
const withId = (idFor: (nth: number, ids: readonly string[]) => string): Mutation =>
  onSuccess('addLead', (reply, { call, store }) => {
    const ids = store.living().map((lead) => lead.id);
    const id = idFor(call.nth, ids.slice(0, -1));
    const lead = store.leads.pop();
    if (!lead) return reply;
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
  // Nothing but a warning: which ids there are is not shown. Whole runs show that it breaks nothing else.
  server('Gives the ids of deleted leads again', 'leads.add.new-ids', 'strict-fields').with(
    withId((_, ids) => smallestFree(ids)),
  ),
  server('An update moves its lead to another id', 'leads.update.same-id', 'uuid-ids').with(
    onSuccess('updateLead', (reply, { call, own, store }) => {
      if (!own) return reply;
      const id = `${own.id}-${call.nth}`;
      store.leads.splice(store.leads.indexOf(own), 1);
      store.leads.push({ ...own, id });
      return withData(reply, { lead_id: id });
    }),
  ),
];

const living =
  (isSame: (other: StoredLead, added: Texts) => boolean) =>
  (other: StoredLead, added: Texts): boolean =>
    !other.deleted && isSame(other, added);

const everyText =
  (keyOf: (text: string) => string) =>
  (other: Texts, added: Texts): boolean =>
    leadTexts.every((field) => keyOf(other[field]) === keyOf(added[field]));

/** §2.3, §4.5: two leads are two, whatever texts they have in common, and a response shows the new one. */
const mergedLeads = [
  server('Answers with the deleted lead of that name and source', 'leads.add.echoes-fields', 'uuid-ids').with(
    mergeInto(
      (other, { name, source }) =>
        other.deleted !== undefined && other.name === name && other.source === source,
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
