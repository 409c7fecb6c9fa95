import { inBody, inData, onSuccess, withData } from '../../server/mutation.ts';
import type { Fields, Mutation } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { baseAt, server, without, withValue } from '../mutation.ts';

/** §4.5: an added lead is stored as sent, under its own id. */
export const additions = [
  server('Every other new lead has the id of the one before', [
    'leads.add.distinct-ids',
    'leads.add.new-ids',
  ]).with(
    onSuccess('addLead', (reply, call, { store }) => {
      const [lead, previous] = [store.leads.at(-1), store.leads.at(-2)];
      if (call.nth % 2 || !lead || !previous) return reply;
      store.leads.splice(-2, 2, { ...lead, id: previous.id });
      return withData(reply, { lead_id: previous.id });
    }),
  ),
];

/** Changes a new lead before it is added. */
const changeNewLead = (change: (body: Fields) => Fields): Mutation => ({
  handle: (call, next) =>
    next(call.operation === 'addLead' && isObject(call.body) ? { ...call, body: change(call.body) } : call),
});

const unknown = ({ name, source, note, email, ...rest }: Fields) => Object.keys(rest).length > 0;

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddLeads = [
  server('Add lead answers an empty note with null', 'leads.add.note', 'integer-ids').with(
    inData('addLead', (data) => (data.note === '' ? { ...data, note: null } : data)),
  ),
  server('Add lead loses the note beside an email', 'leads.add.echoes-fields').with(
    changeNewLead((body) => (body.email === undefined ? body : { ...body, note: '' })),
  ),
  server(
    'Add lead loses the source beside an unknown field',
    'leads.add.echoes-fields',
    'lead-refuses-email',
  ).with(changeNewLead((body) => (unknown(body) ? { ...body, source: '' } : body))),
];

type Row = readonly [title: string, field: string, change: (data: Fields) => unknown];

const wrongData: readonly Row[] = [
  ['no lead_id', 'lead-id', without('lead_id')],
  ['an empty lead_id', 'lead-id', withValue('lead_id', '')],
  [
    'a number for lead_id',
    'lead-id',
    (data) => ({ ...data, lead_id: Number.parseInt(String(data.lead_id), 36) }),
  ],
  ['id instead of lead_id', 'lead-id', ({ lead_id: id, ...rest }) => ({ id, ...rest })],
  ['null for name', 'name', withValue('name', null)],
  ['no name', 'name', without('name')],
  ['an array for source', 'source', (data) => ({ ...data, source: [data.source] })],
  ['no source', 'source', without('source')],
  ['an object for note', 'note', (data) => ({ ...data, note: { text: data.note } })],
  ['no note', 'note', without('note')],
  ['an array for data', 'data', (data) => [data]],
  ['null for data', 'data', () => null],
  ['no created_at', 'created-at', without('created_at')],
  ['no updated_at', 'updated-at', without('updated_at')],
];

/** §4.5, §4.6: what `data` holds, wrong on adding and on updating by turns. */
const shapes = wrongData.map(([title, field, change], index) => {
  const [word, operation] =
    index % 2 === 0 ? (['add', 'addLead'] as const) : (['update', 'updateLead'] as const);
  return server(`The response of ${operation} has ${title}`, `leads.${word}.${field}`, baseAt(index)).with(
    inData(operation, change),
  );
});

const swapped = (data: Fields) => ({ ...data, name: data.source, source: data.name });

export const leadFields = [
  ...shapes,
  server('Add lead puts the lead beside success', 'leads.add.data').with(
    inBody('addLead', ({ data, ...rest }) => ({ ...rest, ...(data as Fields) })),
  ),
  server('Add lead answers with the email it was sent', 'leads.add.no-email').with(
    inData('addLead', (data, { body }) => ({ ...(body as Fields), ...data })),
  ),
  server('Add lead answers with name and source swapped', 'leads.add.echoes-fields', 'uuid-ids').with(
    inData('addLead', swapped),
  ),
  server(
    'Update lead answers with an empty source',
    'leads.update.keeps-other-fields',
    'refusals-at-200',
  ).with(inData('updateLead', withValue('source', ''))),
  server('Update lead answers with an id of its own', 'leads.update.same-id').with(
    inData('updateLead', (data) => ({ ...data, lead_id: `${data.lead_id}-2` })),
  ),
];
