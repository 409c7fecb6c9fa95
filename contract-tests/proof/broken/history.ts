import {
  afterRefusal,
  afterwards,
  fieldsOf,
  inBody,
  inData,
  layers,
  onSuccess,
  refuse,
  refuseWhere,
  withData,
} from '../server/mutation.ts';
import type { Call, Fields, Mutation, Operation, Reply } from '../server/types.ts';
import { everyNth, server, whileBusy, without, withValue } from './mutation.ts';

const notFound = refuse(404, 'there is nothing of that id');
const conflict = refuse(409, 'try again');
const locked = refuse(423, 'the record is locked', 'lead');

/** Refuses what it took before: the same request, or one that is the same in a part. */
const refuseRepeats = (
  operation: Operation,
  refusal = refuse(400, 'sent before'),
  partOf = (call: Call): string => call.text,
): Mutation =>
  onSuccess(operation, (reply, { call, memory }) => {
    const isKnown = memory.has(partOf(call));
    memory.set(partOf(call), true);
    return isKnown ? refusal : reply;
  });

/** A lead that had a refused update is in use for this operation from then on. */
const lockAfterRefusal = (
  operation: Operation,
  refusal: Reply,
  ...reasons: readonly NonNullable<Reply['refused']>[]
): Mutation =>
  layers(
    refuseWhere(operation, refusal, ({ id }, { memory }) => memory.has(`lock of ${id}`)),
    afterwards(afterRefusal('updateLead', ...reasons), ({ call, memory }) =>
      memory.set(`lock of ${call.id}`, true),
    ),
  );

/** A cache in front of the list, which does not look at the key. */
const keepRefusedList = (milliseconds: number): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation !== 'listTemplates') return next(call);
    const kept = memory.get('kept') as { reply: Reply; until: number } | undefined;
    if (kept && call.at < kept.until) return kept.reply;
    const reply = next(call);
    if (reply.refused === 'key') memory.set('kept', { reply, until: call.at + milliseconds });
    return reply;
  },
});

/** A request that succeeds or not depending on what was asked before it, or meanwhile. */
const ofRequestsBefore = [
  server('Of two template mails at once, one is refused', [
    'email.template.listed-ids-known',
    'email.template.every-time',
  ]).with(whileBusy('sendTemplateEmail', () => refuse(404, 'not found', 'template'))),
  server('Of two mails at once, one is refused', 'email.send.together').with(
    whileBusy('sendEmail', () => refuse(409, 'busy', 'duplicate')),
  ),
  server('The same mail is refused', 'email.send.repeatable').with(refuseRepeats('sendEmail')),
  server('The same template mail is refused', 'email.template.repeatable', 'bodies-422').with(
    refuseRepeats('sendTemplateEmail'),
  ),
  server('A template can be sent once', 'email.template.repeatable', 'paths-as-in-examples').with(
    refuseRepeats('sendTemplateEmail', notFound, (call) => `used ${fieldsOf(call).template_id}`),
  ),
  server('Refuses an update with the note that is there', 'leads.update.repeatable').with(
    refuseWhere('updateLead', conflict, (call, { store }) => {
      const { note } = fieldsOf(call);
      return note !== undefined && note === store.find(call.id)?.note;
    }),
  ),
  server('A lead whose update was refused takes no other', 'leads.update.every-time').with(
    lockAfterRefusal('updateLead', locked, 'fields', 'json'),
  ),
  server('A lead with a refused update cannot be deleted', 'leads.delete.every-time').with(
    lockAfterRefusal('deleteLead', locked, 'fields', 'json'),
  ),
  server(
    'Gives the 401 of a list to the good key for a second',
    'templates.list.every-time',
    'uuid-ids',
  ).with(keepRefusedList(1000)),
];

/** A common mistake: state of one request is stored where the next request overwrites it. */
const sharing = (operation: Call['operation']): Mutation => ({
  handle: async (call, next, { memory, sleep }) => {
    if (call.operation !== operation) return next(call);
    memory.set('body', call.body);
    await sleep(25);
    return next({ ...call, body: memory.get('body') });
  },
});

const concurrency = [
  server('Concurrent adds get one id', 'leads.add.distinct-ids').with({
    handle: async (call, next, { store, sleep }) => {
      if (call.operation !== 'addLead') return next(call);
      const id = `lead_${store.leads.length + 1}`;
      await sleep(25);
      const reply = next(call);
      const lead = reply.refused ? undefined : store.leads.pop();
      if (!lead) return reply;
      store.leads.push({ ...lead, id });
      return withData(reply, { lead_id: id });
    },
  }),
  server('An update writes a deleted lead back', 'leads.delete.removes', 'uuid-ids').with({
    handle: async (call, next, { store, sleep }) => {
      const lead = store.find(call.id);
      if (call.operation !== 'updateLead' || !lead) return next(call);
      // Long enough for the deletion to arrive, on a busy machine too.
      await sleep(250);
      delete lead.deleted;
      return next(call);
    },
  }),
  server('Concurrent adds get one content', 'leads.add.echoes-fields').with(sharing('addLead')),
  server(
    'Concurrent updates get one content',
    ['leads.update.fields-together', 'leads.update.echoes-note'],
    'integer-ids',
  ).with(sharing('updateLead')),
];

/** Two processes that take turns, and do not share their leads. */
const twoProcesses: Mutation = {
  handle: (call, next, { memory }) => {
    const turn = Number(memory.get('turn') ?? 0) % 2;
    memory.set('turn', turn + 1);
    const home = memory.get(`home of ${call.id}`);
    if (call.id !== '' && home !== undefined && home !== turn) return next({ ...call, id: 'unknown' });
    const reply = next(call);
    const { lead_id: id } = (reply.body.data ?? {}) as Fields;
    if (call.operation === 'addLead' && !reply.refused) memory.set(`home of ${id}`, turn);
    return reply;
  },
};

/** Good replies most of the time: only the second, third or fifth request shows the mutation. */
const intermittent = [
  server('Two processes take turns, each with leads of its own', 'leads.delete.nothing-else').with(
    twoProcesses,
  ),
  server('Every fifth added lead has note null', 'leads.add.note').with(
    everyNth(5, inData('addLead', withValue('note', null))),
  ),
  server('Every second deletion has no message', 'leads.delete.message', 'php-style').with(
    everyNth(2, inBody('deleteLead', without('message'))),
  ),
];

/** Counts requests that would succeed, of the operation or of each lead, and refuses those that are due. */
const refuseCounted = (
  operation: Operation,
  refusal: Reply,
  isDue: (count: number) => boolean,
  subject: 'operation' | 'lead' = 'operation',
): Mutation =>
  refuseWhere(operation, refusal, (call, { store, memory }) => {
    if (call.id !== '' && store.find(call.id) === undefined) return false;
    const counter = subject === 'lead' ? `count of ${call.id}` : 'count';
    const count = Number(memory.get(counter) ?? 0) + 1;
    memory.set(counter, count);
    return isDue(count);
  });

const every = (n: number) => (count: number) => count % n === 0;

/** A complete request is refused now and then for no reason of its own. */
const sporadicRefusals = [
  server('Every fifth lead is refused at 200', 'leads.add.every-time', 'refusals-at-200').with(
    refuseCounted('addLead', { ...conflict, status: 200 }, every(5)),
  ),
  server('Every fourth update finds no lead', 'leads.delete.nothing-else', 'integer-ids').with(
    refuseCounted('updateLead', notFound, every(4)),
  ),
  server('Every third list is not found', 'templates.list.every-time', 'bodies-422').with(
    refuseCounted('listTemplates', notFound, every(3)),
  ),
  server('Every fourth template mail is refused', 'email.template.every-time').with(
    refuseCounted('sendTemplateEmail', refuse(422, 'cannot be processed'), every(4)),
  ),
  server('Every third valid mail is refused', ['email.send.every-time', 'email.send.any-json-form']).with(
    refuseCounted('sendEmail', refuse(400, 'invalid'), every(3)),
  ),
  server('Every eighth mail is invalid', 'email.send.every-time', 'integer-ids').with(
    refuseCounted('sendEmail', refuse(400, 'invalid request'), every(8)),
  ),
  server('The first update of each lead is refused', 'leads.update.every-time').with(
    refuseCounted('updateLead', conflict, (count) => count === 1, 'lead'),
  ),
  server('A lead can be updated once only', ['leads.update.repeatable', 'leads.update.every-time']).with(
    refuseCounted('updateLead', conflict, (count) => count > 1, 'lead'),
  ),
  server('A lead takes eight updates', 'leads.update.every-time', 'uuid-ids').with(
    refuseCounted('updateLead', refuse(400, 'too many revisions'), (count) => count > 8, 'lead'),
  ),
];

export const histories = [...ofRequestsBefore, ...concurrency, ...intermittent, ...sporadicRefusals];
