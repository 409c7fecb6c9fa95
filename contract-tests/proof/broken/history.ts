import {
  after,
  afterRefusal,
  type Cause,
  fieldsOf,
  isKeyRefused,
  refuse,
  refuseWhere,
} from '../server/mutation.ts';
import type { Call, Mutation, Operation, Reply, ServiceContext } from '../server/types.ts';
import { server, whileBusy } from './mutation.ts';

const notFound = refuse(404, 'there is nothing of that id');
const conflict = refuse(409, 'try again');
const locked = refuse(423, 'the record is locked', 'lead');

/** Refuses a request that would succeed, once, where one before it was of a kind. */
const refuseAfter = (operation: Operation, isTrigger: Cause, status = 400): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation === operation && memory.get('armed') === true) {
      const { refused } = next({ ...call, operation: undefined });
      if (refused !== 'key' && refused !== 'json') {
        memory.set('armed', false);
        return refuse(status, 'busy');
      }
    }
    const reply = next(call);
    if (isTrigger(call, reply)) memory.set('armed', true);
    return reply;
  },
});

/** Refuses what it took before: the same request, or one that is the same in a part. */
const refuseRepeats = (
  operation: Operation,
  refusal = refuse(400, 'sent before'),
  partOf = (call: Call): string => call.text,
): Mutation => ({
  handle: (call, next, { memory }) => {
    const reply = next(call);
    if (!after(operation)(call, reply)) return reply;
    const isKnown = memory.has(partOf(call));
    memory.set(partOf(call), true);
    return isKnown ? refusal : reply;
  },
});

/** A lead that had a refused update is in use for this operation from then on. */
const lockAfterRefusal = (
  operation: Operation,
  refusal: Reply,
  ...reasons: readonly NonNullable<Reply['refused']>[]
): Mutation => ({
  handle: (call, next, { memory }) => {
    const isLocked = call.operation === operation && memory.has(`lock of ${call.id}`);
    if (isLocked && !isKeyRefused(call, next)) return refusal;
    const reply = next(call);
    if (afterRefusal('updateLead', ...reasons)(call, reply)) memory.set(`lock of ${call.id}`, true);
    return reply;
  },
});

/** A cache in front of the list, which does not look at the key. */
const keepRefusedList = (milliseconds: number): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation !== 'listTemplates') return next(call);
    const kept = memory.get('kept') as { reply: Reply; until: number } | undefined;
    if (kept && Date.now() < kept.until) return kept.reply;
    const reply = next(call);
    if (reply.refused === 'key') memory.set('kept', { reply, until: Date.now() + milliseconds });
    return reply;
  },
});

/** Changes an update that leaves the note as it is, or its reply. */
const sameNote = (change: (reply: Reply) => Reply, added = ''): Mutation => ({
  handle: (call, next, { store }) => {
    const { note } = fieldsOf(call);
    const isSame =
      call.operation === 'updateLead' && note !== undefined && note === store.find(call.id)?.note;
    return isSame
      ? change(next({ ...call, body: { ...fieldsOf(call), note: `${note}${added}` } }))
      : next(call);
  },
});

/** The database counts the rows that an update changed, and none is taken for an unknown lead; only after a minute does its time change. */
const countChangedRows: Mutation = {
  handle: (call, next, { store, memory }) => {
    if (call.operation !== 'updateLead') return next(call);
    const name = `changed ${call.id}`;
    const isRecent = Date.now() - Number(memory.get(name) ?? 0) < 60_000;
    const isUnchanged = fieldsOf(call).note === store.find(call.id)?.note && isRecent;
    const reply = next(call);
    if (!reply.refused) memory.set(name, Date.now());
    return isUnchanged && !reply.refused ? refuse(404, 'lead not found', 'lead') : reply;
  },
};

/** A lead can be updated again after a second. */
const updateAfterARest = (call: Call, { memory, store }: ServiceContext): boolean => {
  const last = Number(memory.get(call.id) ?? 0);
  if (store.find(call.id)) memory.set(call.id, Date.now());
  return Date.now() - last < 1000;
};

/** A deletion of a lead that had five updates is confirmed and not done. */
const keepUpdatedOften: Mutation = {
  handle: (call, next, { memory, store }) => {
    const lead = store.find(call.id);
    const reply = next(call);
    const count = Number(memory.get(call.id) ?? 0);
    if (after('updateLead')(call, reply)) memory.set(call.id, count + 1);
    if (after('deleteLead')(call, reply) && count >= 5) delete lead?.deleted;
    return reply;
  },
};

/** A request that succeeds or not depending on what was asked before it, or meanwhile. */
export const histories = [
  server(
    'A template mail after an unknown one is refused',
    'email.template.every-time',
    'paths-as-in-examples',
  ).with(refuseAfter('sendTemplateEmail', afterRefusal('sendTemplateEmail', 'template'), 404)),
  server('Of two template mails at once, one is refused', 'email.template.listed-ids-known').with(
    whileBusy('sendTemplateEmail', () => refuse(404, 'not found', 'template')),
  ),
  server('Of two mails at once, one is refused', 'email.send.together').with(
    whileBusy('sendEmail', () => refuse(409, 'busy', 'duplicate')),
  ),
  server('The same mail is refused', 'email.send.repeatable').with(refuseRepeats('sendEmail')),
  server(
    'The same template mail is refused',
    ['email.template.repeatable', 'email.template.every-time'],
    'bodies-422',
  ).with(refuseRepeats('sendTemplateEmail')),
  server('A template can be sent once', 'email.template.repeatable', 'paths-as-in-examples').with(
    refuseRepeats('sendTemplateEmail', notFound, (call) => `used ${fieldsOf(call).template_id}`),
  ),
  server(
    'A second update within a second is refused',
    ['leads.update.every-time', 'leads.update.auth.then-key'],
    'integer-ids',
  ).with(refuseWhere('updateLead', refuse(409, 'edit conflict', 'duplicate'), updateAfterARest)),
  server('Refuses an update with the note that is there', 'leads.update.repeatable').with(
    sameNote(() => conflict),
  ),
  server('Adds a mark to a note sent twice', 'leads.update.echoes-note', 'integer-ids').with(
    sameNote((reply) => reply, ' (2)'),
  ),
  server(
    'An update that changes nothing within a minute gets 404',
    'leads.delete.that-lead-only',
    'uuid-ids',
  ).with(countChangedRows),
  server('A lead whose update was refused takes no other', 'leads.update.after-invalid').with(
    lockAfterRefusal('updateLead', locked, 'fields', 'json'),
  ),
  server('A lead with a refused update cannot be deleted', 'leads.delete.that-lead-only').with(
    lockAfterRefusal('deleteLead', notFound, 'fields', 'json'),
  ),
  server('A lead cannot be deleted after malformed JSON', 'leads.delete.every-time', 'integer-ids').with(
    lockAfterRefusal('deleteLead', locked, 'json'),
  ),
  server('Does not delete a lead after five updates', 'leads.delete.removes').with(keepUpdatedOften),
  server(
    'Gives the 401 of a list to the good key for a second',
    'templates.list.every-time',
    'uuid-ids',
  ).with(keepRefusedList(1000)),
  server('Refuses the good key once after a wrong one', 'templates.list.auth.then-key').with({
    admit: (_, expected, { memory }) => {
      const isSpoilt = memory.delete('spoilt');
      if (!expected) memory.set('spoilt', true);
      return expected && !isSpoilt;
    },
  }),
];
