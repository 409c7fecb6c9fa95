import type { Fields, Reply, Tools } from '../exchange.ts';
import { breaking, documented } from './breaking.ts';
import { inData, onSuccess } from './faults.ts';

const adding = breaking('add-effect');

const idOf = (reply: Reply) => String((reply.body.data as Fields).lead_id);
const added = (reply: Reply, { leads }: Tools['store']) => leads.find(({ id }) => id === idOf(reply));

/** §4.5: what was added is there, as it was sent, under an id of its own. */
export const additions = [
  adding(
    'add-keeps-nothing',
    'Add lead confirms and keeps nothing',
    'plain',
    documented('4.6'),
    onSuccess('addLead', (reply, _, { store }) => {
      store.leads.pop();
      return reply;
    }),
  ),
  adding(
    'add-keeps-other-name',
    'Add lead keeps the name in capitals, and shows it as sent',
    'plain',
    documented('4.6'),
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = added(reply, store);
      if (lead) lead.name = lead.name.toUpperCase();
      return reply;
    }),
  ),
  adding(
    'add-loses-source',
    'Add lead shows the source and does not keep it',
    'refusals-at-200',
    documented('4.6'),
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = added(reply, store);
      if (lead) lead.source = '';
      return reply;
    }),
  ),
  adding(
    'add-answers-useless-id',
    'Add lead answers with an id the paths do not know',
    'uuid-ids',
    documented('4.6'),
    inData('addLead', (data) => ({ ...data, lead_id: `ref-${String(data.lead_id)}` })),
  ),
  adding(
    'add-same-id-twice',
    'Every other new lead has the id of the one before',
    'plain',
    documented('4.6'),
    onSuccess('addLead', (reply, call, { store }) => {
      const [lead, previous] = [store.leads.at(-1), store.leads.at(-2)];
      if (call.nth % 2 || !lead || !previous) return reply;
      store.leads.splice(-2, 2, { ...lead, id: previous.id });
      return {
        ...reply,
        body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: previous.id } },
      };
    }),
  ),
  adding(
    'add-one-id-for-all',
    'All leads have one id',
    'behind-a-proxy',
    documented('4.6'),
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = store.leads.at(-1);
      if (lead) store.leads.splice(0, store.leads.length, { ...lead, id: 'lead' });
      return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: 'lead' } } };
    }),
  ),
];
