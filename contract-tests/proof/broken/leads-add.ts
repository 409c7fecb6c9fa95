import { inBody, inData, onSuccess } from '../server/mutation.ts';
import type { Fields, Mutation, Reply, ServiceContext } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { baseAt, brokenGroup, without, withValue } from './mutation.ts';

const adding = brokenGroup('add-effect', documented('4.6'));

const idOf = (reply: Reply) => String((reply.body.data as Fields).lead_id);
const addedLead = (reply: Reply, { leads }: ServiceContext['store']) =>
  leads.find(({ id }) => id === idOf(reply));

/** §4.5: an added lead is stored as sent, under its own id. */
export const additions = [
  adding('add-keeps-nothing', 'Add lead confirms and keeps nothing').with(
    onSuccess('addLead', (reply, _, { store }) => {
      store.leads.pop();
      return reply;
    }),
  ),
  adding('add-keeps-other-name', 'Add lead keeps the name in capitals, and shows it as sent').with(
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = addedLead(reply, store);
      if (lead) lead.name = lead.name.toUpperCase();
      return reply;
    }),
  ),
  adding('add-loses-source', 'Add lead shows the source and does not keep it', 'refusals-at-200').with(
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = addedLead(reply, store);
      if (lead) lead.source = '';
      return reply;
    }),
  ),
  adding('add-answers-useless-id', 'Add lead answers with an id the paths do not know', 'uuid-ids').with(
    inData('addLead', (data) => ({ ...data, lead_id: `ref-${String(data.lead_id)}` })),
  ),
  adding('add-same-id-twice', 'Every other new lead has the id of the one before').with(
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
  adding('add-one-id-for-all', 'All leads have one id', 'behind-a-proxy').with(
    onSuccess('addLead', (reply, _, { store }) => {
      const lead = store.leads.at(-1);
      if (lead) store.leads.splice(0, store.leads.length, { ...lead, id: 'lead' });
      return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: 'lead' } } };
    }),
  ),
];

const oddLead = brokenGroup('odd-bodies', documented('4.5'));

/** Changes a new lead before it is added. */
const changeNewLead = (change: (body: Fields) => Fields): Mutation => ({
  handle: (call, next) =>
    next(call.operation === 'addLead' && isObject(call.body) ? { ...call, body: change(call.body) } : call),
});

const unknown = ({ name, source, note, email, ...rest }: Fields) => Object.keys(rest).length > 0;

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddLeads = [
  oddLead('add-empty-note-null', 'Add lead answers an empty note with null', 'integer-ids', '2.3').with(
    inData('addLead', (data) => (data.note === '' ? { ...data, note: null } : data)),
  ),
  oddLead('add-email-takes-note', 'Add lead loses the note beside an email').with(
    changeNewLead((body) => (body.email === undefined ? body : { ...body, note: '' })),
  ),
  oddLead('add-email-for-source', 'Add lead makes the email the source', 'php-style').with(
    changeNewLead((body) => (body.email === undefined ? body : { ...body, source: body.email })),
  ),
  oddLead(
    'add-unknown-field-takes-source',
    'Add lead loses the source beside an unknown field',
    'lead-refuses-email',
  ).with(changeNewLead((body) => (unknown(body) ? { ...body, source: '' } : body))),
];

const leadShape = brokenGroup('lead-shape', documented('4.5'));
const echo = brokenGroup('echo', documented('4.6'));

type Row = readonly [what: string, title: string, change: (data: Fields) => unknown];

const ofBoth: readonly Row[] = [
  [
    'id-number',
    'a number for lead_id',
    (data) => ({ ...data, lead_id: Number.parseInt(String(data.lead_id), 36) }),
  ],
  ['id-empty', 'an empty lead_id', withValue('lead_id', '')],
  ['id-absent', 'no lead_id', without('lead_id')],
  ['id-renamed', 'id instead of lead_id', ({ lead_id: id, ...rest }) => ({ id, ...rest })],
  ['name-null', 'null for name', withValue('name', null)],
  ['name-absent', 'no name', without('name')],
  ['source-array', 'an array for source', (data) => ({ ...data, source: [data.source] })],
  ['source-absent', 'no source', without('source')],
  ['note-object', 'an object for note', (data) => ({ ...data, note: { text: data.note } })],
  ['note-absent', 'no note', without('note')],
  ['data-array', 'an array for data', (data) => [data]],
  ['data-null', 'null for data', () => null],
];

/** §4.5, §4.6: what `data` holds. Each mutation on adding and on updating, on different bases. */
const shapes = ofBoth.flatMap(([name, title, change], index) => [
  leadShape(`add-${name}`, `Add lead answers with ${title}`, baseAt(index)).with(inData('addLead', change)),
  leadShape(`update-${name}`, `Update lead answers with ${title}`, baseAt(index + 3), '4.6').with(
    inData('updateLead', change),
  ),
]);

const swapped = (data: Fields) => ({ ...data, name: data.source, source: data.name });

export const leadFields = [
  ...shapes,
  leadShape('update-data-absent', 'Update lead answers without data', 'java-style', '4.6').with(
    inBody('updateLead', without('data')),
  ),
  leadShape('add-data-flat', 'Add lead puts the lead beside success').with(
    inBody('addLead', ({ data, ...rest }) => ({ ...rest, ...(data as Fields) })),
  ),
  leadShape('add-created-at-absent', 'Add lead answers without created_at', 'strict-fields').with(
    inData('addLead', without('created_at')),
  ),
  leadShape(
    'update-updated-at-absent',
    'Update lead answers without updated_at',
    'behind-a-proxy',
    '4.6',
  ).with(inData('updateLead', without('updated_at'))),
  leadShape('add-email-shown', 'Add lead answers with the email it was sent', 'plain', derived('2.3')).with(
    inData('addLead', (data, { body }) => ({ ...(body as Fields), ...data })),
  ),
  echo('add-swaps-name-and-source', 'Add lead answers with name and source swapped', 'uuid-ids', '4.5').with(
    inData('addLead', swapped),
  ),
  echo('update-swaps-name-and-source', 'Update lead answers with both swapped').with(
    inData('updateLead', swapped),
  ),
  echo('add-blanks-note', 'Add lead answers with an empty note', 'bodies-422', '4.5').with(
    inData('addLead', withValue('note', '')),
  ),
  echo('update-blanks-source', 'Update lead answers with an empty source', 'refusals-at-200').with(
    inData('updateLead', withValue('source', '')),
  ),
  echo('update-answers-other-id', 'Update lead answers with an id of its own').with(
    inData('updateLead', (data) => ({ ...data, lead_id: `${data.lead_id}-2` })),
  ),
];
