import type { Call, Fault, Fields, Reply } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';

const concurrent = breaking('concurrency');

/** The classic: what belongs to one request is kept where the next one finds it. */
const sharing = (operation: Call['operation']): Fault => ({
  around: async (call, next, { memory, sleep }) => {
    if (call.operation !== operation) return next(call);
    memory.set('body', call.body);
    await sleep(25);
    return next({ ...call, body: memory.get('body') });
  },
});

export const concurrency = [
  concurrent('concurrent-ids-collide', 'Leads added at the same time get one id', 'plain', derived('4.5'), {
    around: async (call, next, { store, sleep }) => {
      if (call.operation !== 'addLead') return next(call);
      const id = `lead_${store.leads.length + 1}`;
      await sleep(25);
      const reply = next(call);
      const lead = reply.refused ? undefined : store.leads.pop();
      if (!lead) return reply;
      store.leads.push({ ...lead, id });
      return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: id } } };
    },
  }),
  concurrent(
    'concurrent-adds-mixed',
    'Leads added at the same time get one content',
    'plain',
    documented('4.5'),
    sharing('addLead'),
  ),
  concurrent(
    'concurrent-updates-mixed',
    'Updates at the same time get one content',
    'integer-ids',
    documented('4.6'),
    sharing('updateLead'),
  ),
  concurrent(
    'concurrent-replies-crossed',
    'Adds at the same time get the reply of the latest',
    'bodies-422',
    documented('4.5'),
    {
      around: async (call, next, { memory, sleep }) => {
        const reply = next(call);
        if (call.operation !== 'addLead' || reply.refused) return reply;
        memory.set('reply', reply);
        await sleep(25);
        return memory.get('reply') as Reply;
      },
    },
  ),
];
