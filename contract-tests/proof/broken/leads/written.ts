import {
  after,
  afterwards,
  changeBody,
  fieldsOf,
  inBody,
  inData,
  layers,
  onSuccess,
  textsOf,
  withData,
} from '../../server/mutation.ts';
import { isObject, leadTexts } from '../../server/operations.ts';
import type { Call, Fields } from '../../server/types.ts';
import { baseAt, server, without, withValue } from '../mutation.ts';

/** §4.5: an added lead is stored as sent, under its own id. */
const additions = [
  server('Every other new lead has the id of the one before', [
    'leads.add.distinct-ids',
    'leads.add.new-ids',
  ]).with(
    onSuccess('addLead', (reply, { call, store }) => {
      const [lead, previous] = [store.leads.at(-1), store.leads.at(-2)];
      if (call.nth % 2 || !lead || !previous) return reply;
      store.leads.splice(-2, 2, { ...lead, id: previous.id });
      return withData(reply, { lead_id: previous.id });
    }),
  ),
  // A success with an empty text or an `email` (§2.3) leaves the listed fields as sent.
  server('Add lead answers an empty note with null', 'leads.add.note', 'integer-ids').with(
    inData('addLead', (data) => (data.note === '' ? { ...data, note: null } : data)),
  ),
  server('Add lead loses the note beside an email', 'leads.add.echoes-fields').with(
    changeBody('addLead', (body) => (body.email === undefined ? body : { ...body, note: '' })),
  ),
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

const leadFields = [
  ...shapes,
  server('Add lead answers with the email it was sent', 'leads.add.no-email').with(
    inData('addLead', (data, { body }) => ({ ...(body as Fields), ...data })),
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

/** §4.6: an update changes what is sent, and shows it. */
const updates = [
  server(
    'Update lead keeps the change and shows the old text',
    'leads.update.echoes-note',
    'integer-ids',
  ).with(onSuccess('updateLead', (reply, { before }) => withData(reply, { ...before }))),
  server('Empties the fields not sent, after its reply', 'leads.update.keeps-other-fields').with(
    afterwards(after('updateLead'), ({ own, call }) => {
      for (const field of leadTexts) if (own && !(field in fieldsOf(call))) own[field] = '';
    }),
  ),
  // Whether a name and a source may be sent is open; what comes of a success is not.
  server(
    'Update lead empties the note later if only a name is sent',
    'leads.update.lasts',
    'integer-ids',
  ).with(
    afterwards(after('updateLead'), ({ call, own }) => {
      if (own && 'name' in fieldsOf(call) && !('note' in fieldsOf(call))) own.note = '';
    }),
  ),
  server(
    'Update lead writes a lone source into the name',
    'leads.update.keeps-other-fields',
    'leads-can-be-read',
  ).with(
    changeBody('updateLead', (body) =>
      body.source !== undefined && body.name === undefined ? { name: body.source, ...body } : body,
    ),
  ),
  server('Update lead loses a source beside a name', 'leads.update.fields-together').with(
    changeBody('updateLead', ({ source, ...rest }) => (rest.name === undefined ? { source, ...rest } : rest)),
  ),
  server(
    'Concurrent updates of a lead overwrite each other',
    'leads.update.keeps-other-fields',
    'integer-ids',
  ).with({
    handle: async (call, next, { store, sleep }) => {
      const lead = store.find(call.id);
      if (call.operation !== 'updateLead' || !lead || !isObject(call.body)) return next(call);
      const before = textsOf(lead);
      // Long enough for the other update to arrive, on a busy machine too.
      await sleep(250);
      Object.assign(lead, before);
      return next(call);
    },
  }),
  // A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent.
  server('Update lead ignores an empty note', 'leads.update.echoes-note').with(
    changeBody('updateLead', ({ note, ...rest }) => (note === '' ? rest : { note, ...rest })),
  ),
  server('Update lead writes the email into the name', 'leads.update.keeps-other-fields').with(
    changeBody('updateLead', (body) => (body.email === undefined ? body : { ...body, name: body.email })),
  ),
  server(
    'Update lead loses the note beside an unknown field',
    'leads.update.echoes-note',
    'lead-refuses-email',
  ).with(
    changeBody('updateLead', ({ note, ...rest }) =>
      Object.keys(rest).some((name) => !['name', 'source', 'email'].includes(name))
        ? rest
        : { note, ...rest },
    ),
  ),
];

const emailOf = ({ body }: Call): Fields =>
  isObject(body) && body.email !== undefined ? { email: body.email } : {};

const emails = new WeakMap<object, Fields>();

/** §2.3: `email` is part of no response. */
const echoedEmails = [
  server('Update lead shows the email that the lead was added with', 'leads.update.no-email').with(
    layers(
      afterwards(after('addLead'), ({ call, newest }) => newest && emails.set(newest, emailOf(call))),
      inBody('updateLead', (body, { own }) => ({
        ...body,
        data: { ...(body.data as Fields), ...(own && emails.get(own)) },
      })),
    ),
  ),
  server('Update lead shows the email of the request', 'leads.update.no-email').with(
    inData('updateLead', (data, call) => ({ ...data, ...emailOf(call) })),
  ),
  server('Add lead shows the request, with the email', 'leads.add.no-email', 'python-style').with(
    inBody('addLead', (body, { call }) => ({ ...body, meta: { request: emailOf(call) } })),
  ),
];

export const written = [...additions, ...leadFields, ...updates, ...echoedEmails];
