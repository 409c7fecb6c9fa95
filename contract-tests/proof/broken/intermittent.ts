import { inBody, inData, rewrite, withData } from '../server/mutation.ts';
import type { Call, Fields, Mutation, Operation, Reply } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { brokenGroup, everyNth, inTemplates, succeeds, without, withStatus, withValue } from './mutation.ts';

const concurrent = brokenGroup('concurrency', documented('4.5'));

/** A common mistake: state of one request is stored where the next request overwrites it. */
const sharing = (operation: Call['operation']): Mutation => ({
  handle: async (call, next, { memory, sleep }) => {
    if (call.operation !== operation) return next(call);
    memory.set('body', call.body);
    await sleep(25);
    return next({ ...call, body: memory.get('body') });
  },
});

export const concurrency = [
  concurrent('concurrent-ids-collide', 'Concurrent adds get one id', 'plain', derived('4.5')).with({
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
  concurrent(
    'deletion-undone-by-update-under-way',
    'An update writes a deleted lead back',
    'uuid-ids',
    derived('4.7'),
  ).with({
    handle: async (call, next, { store, sleep }) => {
      const lead = store.find(call.id);
      if (call.operation !== 'updateLead' || !lead) return next(call);
      // Long enough for the deletion to arrive, on a busy machine too.
      await sleep(250);
      delete lead.deleted;
      return next(call);
    },
  }),
  concurrent('concurrent-adds-mixed', 'Concurrent adds get one content').with(sharing('addLead')),
  concurrent('concurrent-updates-mixed', 'Concurrent updates get one content', 'integer-ids', '4.6').with(
    sharing('updateLead'),
  ),
  concurrent('concurrent-replies-crossed', 'Concurrent adds get the latest reply', 'bodies-422').with({
    handle: async (call, next, { memory, sleep }) => {
      const reply = next(call);
      if (call.operation !== 'addLead' || reply.refused) return reply;
      memory.set('reply', reply);
      await sleep(25);
      return memory.get('reply') as Reply;
    },
  }),
];

const broken = brokenGroup('intermittent', documented('4.5'));

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

/** Answers a good request with 500; what was asked is not done. */
const failWith500 = (operation: Operation): Mutation => ({
  handle: (call, next) => {
    if (call.operation !== operation) return next(call);
    const { refused } = next({ ...call, operation: undefined });
    if (refused === 'key') return next(call);
    return { status: 500, refused: 'fields', body: { success: false, error: 'Internal Server Error' } };
  },
});

/** Good replies most of the time: only the second, third or fifth request shows the mutation. */
export const intermittent = [
  broken('every-second-add-without-id', 'Every second added lead has no id', 'integer-ids').with(
    everyNth(2, inData('addLead', without('lead_id'))),
  ),
  broken(
    'leads-of-one-process',
    'Two processes take turns, each with leads of its own',
    'plain',
    documented('4.6'),
  ).with(twoProcesses),
  broken('every-fifth-add-note-null', 'Every fifth added lead has note null').with(
    everyNth(5, inData('addLead', withValue('note', null))),
  ),
  broken('every-third-list-without-variables', 'Every third list lacks variables', 'uuid-ids', '2.2').with(
    everyNth(3, inTemplates(without('variables'))),
  ),
  broken('every-second-list-500', 'Every second list meets an internal error', 'integer-ids', '4.2').with(
    everyNth(2, failWith500('listTemplates')),
  ),
  broken(
    'every-second-update-error-null',
    'Every second update has error null',
    'refusals-at-200',
    '4.6',
  ).with(everyNth(2, inBody('updateLead', withValue('error', null)))),
  broken(
    'every-third-update-without-time',
    'Every third update has no updated_at',
    'strict-fields',
    '4.6',
  ).with(everyNth(3, inData('updateLead', without('updated_at')))),
  broken('every-fifth-update-other-name', 'Every fifth update shows another name', 'plain', '4.6').with(
    everyNth(
      5,
      inData('updateLead', (data: Fields) => ({ ...data, name: 'Unnamed' })),
    ),
  ),
  broken(
    'every-second-delete-success-text',
    'Every second deletion has success "true"',
    'bodies-422',
    '4',
  ).with(everyNth(2, inBody('deleteLead', withValue('success', 'true')))),
  broken(
    'every-second-delete-without-message',
    'Every second deletion has no message',
    'php-style',
    '4.7',
  ).with(everyNth(2, inBody('deleteLead', without('message')))),
  broken(
    'every-second-template-send-202',
    'Every second template mail has status 202',
    'integer-ids',
    '4.3',
  ).with(everyNth(2, withStatus('sendTemplateEmail', 202))),
  broken('every-third-update-cut-short', 'Every third update ends too early', 'behind-a-proxy', '1').with(
    rewrite(
      (reply, call) => succeeds('updateLead')(reply, call) && call.nth % 3 === 0,
      ({ payload }) => ({ payload: payload.subarray(0, -1) }),
    ),
  ),
];
