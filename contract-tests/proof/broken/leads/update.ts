import { after, afterwards, fieldsOf, inBody, inData, textsOf, withData } from '../../server/mutation.ts';
import type { Call, Fields, Mutation } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { server } from '../mutation.ts';

/** §4.6: an update changes what is sent, and shows it. */
export const updates = [
  server(
    'Update lead keeps the change and shows the old text',
    'leads.update.echoes-note',
    'integer-ids',
  ).with({
    handle: (call, next, { store }) => {
      const lead = store.find(call.id);
      const before = lead && textsOf(lead);
      const reply = next(call);
      return before && after('updateLead')(call, reply) ? withData(reply, before) : reply;
    },
  }),
  server('Empties the fields not sent, after its reply', 'leads.update.keeps-other-fields').with(
    afterwards(after('updateLead'), ({ own, call }) => {
      for (const field of ['name', 'source', 'note'] as const)
        if (own && !(field in fieldsOf(call))) own[field] = '';
    }),
  ),
];

/** Changes what an update is asked for before it is carried out. */
const changeUpdate = (change: (body: Fields, before: Fields) => Fields): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id);
    if (call.operation !== 'updateLead' || !lead || !isObject(call.body)) return next(call);
    return next({ ...call, body: change(call.body, textsOf(lead)) });
  },
});

const hasNameAndSource = ({ name, source }: Fields) => name !== undefined && source !== undefined;

/** §4.6: whether a name and a source may be sent is open; what comes of a success is not. */
export const updateFields = [
  server(
    'Update lead swaps a new name and source',
    'leads.update.field-by-field',
    'update-needs-everything',
  ).with(
    changeUpdate((body, { name }) =>
      hasNameAndSource(body) && body.name !== name ? { ...body, name: body.source, source: body.name } : body,
    ),
  ),
  server('Update lead stores name and source swapped', 'leads.update.keeps-other-fields', 'uuid-ids').with(
    afterwards(after('updateLead'), ({ call, own }) => {
      if (own && hasNameAndSource(fieldsOf(call))) [own.name, own.source] = [own.source, own.name];
    }),
  ),
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
    changeUpdate((body) =>
      body.source !== undefined && body.name === undefined ? { name: body.source, ...body } : body,
    ),
  ),
  server('Update lead loses a source beside a name', 'leads.update.fields-together').with(
    changeUpdate(({ source, ...rest }) => (rest.name === undefined ? { source, ...rest } : rest)),
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
];

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddUpdates = [
  server('Update lead ignores an empty note', 'leads.update.echoes-note').with(
    changeUpdate(({ note, ...rest }) => (note === '' ? rest : { note, ...rest })),
  ),
  server('Update lead answers an empty note with null', 'leads.update.note', 'bodies-422').with(
    inData('updateLead', (data) => (data.note === '' ? { ...data, note: null } : data)),
  ),
  server('Update lead writes the email into the name', 'leads.update.keeps-other-fields').with(
    changeUpdate((body) => (body.email === undefined ? body : { ...body, name: body.email })),
  ),
  server(
    'Update lead loses the note beside an unknown field',
    'leads.update.echoes-note',
    'lead-refuses-email',
  ).with(
    changeUpdate(({ note, ...rest }) =>
      Object.keys(rest).some((name) => !['name', 'source', 'email'].includes(name))
        ? rest
        : { note, ...rest },
    ),
  ),
];

const emailOf = ({ body }: Call): Fields =>
  isObject(body) && body.email !== undefined ? { email: body.email } : {};

/** §2.3: `email` is part of no response. */
export const echoedEmails = [
  server('Update lead shows the email of the request', 'leads.update.no-email').with(
    inData('updateLead', (data, call) => ({ ...data, ...emailOf(call) })),
  ),
  server('Add lead shows the request, with the email', 'leads.add.no-email', 'python-style').with(
    inBody('addLead', (body, call) => ({ ...body, meta: { request: emailOf(call) } })),
  ),
];
