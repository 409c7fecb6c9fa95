import { fieldsOf, withData } from '../server/mutation.ts';
import type { StoredLead } from '../server/store.ts';
import type { Call, Fields, Mutation, Reply, ServiceContext } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { brokenGroup, everyNth } from './mutation.ts';

const broken = brokenGroup('update-effect', documented('4.6'));

export const textsOf = ({ name, source, note }: StoredLead) => ({ name, source, note });

type UpdateContext = ServiceContext & {
  readonly call: Call;
  readonly lead: StoredLead;
  readonly before: ReturnType<typeof textsOf>;
};

/** Lets an update happen, then interferes with the store, the reply or both. */
export const afterUpdate = (
  interfere: (reply: Reply, scene: UpdateContext) => Reply | undefined,
): Mutation => ({
  handle: (call, next, context) => {
    const lead = context.store.find(call.id);
    const before = lead && textsOf(lead);
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused || !lead || !before) return reply;
    return interfere(reply, { ...context, call, lead, before }) ?? reply;
  },
});

/** §4.6: an update changes what is sent, lastingly. */
export const updates = [
  broken('update-not-stored', 'Update lead shows the change and does not keep it').with(
    afterUpdate((_, { lead, before }) => void Object.assign(lead, before)),
  ),
  broken('update-shows-old', 'Update lead keeps the change and shows the old text', 'integer-ids').with(
    afterUpdate((reply, { before }) => withData(reply, before)),
  ),
  broken('update-ignored', 'Update lead confirms, shows the old text and keeps it', 'uuid-ids').with(
    afterUpdate((reply, { lead, before }) => withData(reply, Object.assign(lead, before) && before)),
  ),
  broken('update-resets-others', 'Update lead empties the fields not sent', 'refusals-at-200').with(
    afterUpdate((reply, { lead, call }) => {
      for (const field of ['name', 'source', 'note'] as const)
        if (!(field in fieldsOf(call))) lead[field] = '';
      return withData(reply, textsOf(lead));
    }),
  ),
  broken('update-resets-others-later', 'Empties the fields not sent, after its reply').with(
    afterUpdate((_, { lead, call }) => {
      for (const field of ['name', 'source', 'note'] as const)
        if (!(field in fieldsOf(call))) lead[field] = '';
      return undefined;
    }),
  ),
  broken('update-resets-source', 'Update lead sets source to "api"', 'behind-a-proxy').with(
    afterUpdate((reply, { lead, call }) => {
      if (!('source' in fieldsOf(call))) lead.source = 'api';
      return withData(reply, textsOf(lead));
    }),
  ),
  broken('update-appends', 'Update lead appends the note to the old one', 'bodies-422').with(
    afterUpdate((reply, { lead, before, call }) => {
      if ('note' in fieldsOf(call)) lead.note = `${before.note}\n${lead.note}`;
      return withData(reply, textsOf(lead));
    }),
  ),
  broken('update-once-only', 'Update lead keeps the first change of a lead, no later one').with(
    afterUpdate((reply, { lead, before, memory }) => {
      if (memory.has(lead.id)) return withData(reply, Object.assign(lead, before) && before);
      memory.set(lead.id, true);
      return undefined;
    }),
  ),
  broken('update-every-third-lost', 'Every third update is shown and not kept').with(
    everyNth(
      3,
      afterUpdate((_, { lead, before }) => void Object.assign(lead, before)),
    ),
  ),
];

const updateField = brokenGroup('update-fields', documented('4.6'));

const hasFields = (call: Call, ...names: readonly string[]) => names.every((name) => name in fieldsOf(call));

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
  updateField('update-swaps-both', 'Update lead swaps name and source where both are sent').with(
    changeUpdate((body) =>
      hasNameAndSource(body) ? { ...body, name: body.source, source: body.name } : body,
    ),
  ),
  updateField(
    'update-swaps-both-in-full',
    'Update lead swaps a new name and source',
    'update-needs-everything',
  ).with(
    changeUpdate((body, { name }) =>
      hasNameAndSource(body) && body.name !== name ? { ...body, name: body.source, source: body.name } : body,
    ),
  ),
  updateField('update-swaps-both-later', 'Update lead stores name and source swapped', 'uuid-ids').with(
    afterUpdate((_, { call, lead }) => {
      if (hasFields(call, 'name', 'source')) [lead.name, lead.source] = [lead.source, lead.name];
      return undefined;
    }),
  ),
  updateField('update-name-empties-note', 'Update lead empties the note if only a name is sent').with(
    changeUpdate((body) =>
      body.name !== undefined && body.note === undefined ? { ...body, note: '' } : body,
    ),
  ),
  updateField(
    'update-name-empties-note-later',
    'Update lead empties the note later if only a name is sent',
    'integer-ids',
  ).with(
    afterUpdate((_, { call, lead }) => {
      if (hasFields(call, 'name') && !hasFields(call, 'note')) lead.note = '';
      return undefined;
    }),
  ),
  updateField(
    'update-source-renames',
    'Update lead writes a lone source into the name',
    'leads-can-be-read',
  ).with(
    changeUpdate((body) =>
      body.source !== undefined && body.name === undefined ? { name: body.source, ...body } : body,
    ),
  ),
  updateField(
    'update-name-shown-not-kept',
    'Update lead shows a new name, stores the old',
    'update-refuses-source-only',
  ).with(
    afterUpdate((_, { lead, before }) => {
      lead.name = before.name;
      return undefined;
    }),
  ),
  updateField(
    'update-loses-source-beside-name',
    'Update lead loses a source beside a name',
    'plain',
    derived('4.6'),
  ).with(changeUpdate(({ source, ...rest }) => (rest.name === undefined ? { source, ...rest } : rest))),
  updateField(
    'update-at-once-lost',
    'Concurrent updates of a lead overwrite each other',
    'integer-ids',
    derived('4.6'),
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

const updateText = brokenGroup('text', derived('4.6'));

const inTexts = (change: (updateText: string) => string, ...names: readonly string[]) =>
  changeUpdate((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        names.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
      ),
    ),
  );

/** Where an update takes a name and a source, it takes them as they are sent. */
export const updateTexts = [
  updateText('source-escaped-in-updates', 'Escapes markup in updated sources only').with(
    inTexts((source) => source.replaceAll(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`), 'source'),
  ),
  updateText(
    'names-in-latin1-in-updates',
    'Loses non-Latin letters in updated names',
    'update-refuses-source-only',
  ).with(inTexts((name) => name.replaceAll(/[^\0-\xff]/gu, '?'), 'name')),
  updateText(
    'quotes-backslashed-in-full-updates',
    'Adds backslashes to quotes in updates',
    'update-needs-everything',
  ).with(inTexts((value) => value.replaceAll(/["'\\]/g, '\\$&'), 'name', 'source')),
];

const oddUpdate = brokenGroup('odd-bodies', documented('4.6'));

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddUpdates = [
  oddUpdate('update-empty-note-passed-over', 'Update lead ignores an empty note').with(
    changeUpdate(({ note, ...rest }) => (note === '' ? rest : { note, ...rest })),
  ),
  oddUpdate(
    'update-empty-note-null',
    'Update lead answers an empty note with null',
    'bodies-422',
    '2.3',
  ).with(afterUpdate((reply, { lead }) => (lead.note === '' ? withData(reply, { note: null }) : undefined))),
  oddUpdate('update-email-renames', 'Update lead writes the email into the name').with(
    changeUpdate((body) => (body.email === undefined ? body : { ...body, name: body.email })),
  ),
  oddUpdate(
    'update-unknown-field-takes-note',
    'Update lead loses the note beside an unknown field',
    'lead-refuses-email',
  ).with(
    changeUpdate(({ note, ...rest }) =>
      Object.keys(rest).some((name) => !['name', 'source', 'email'].includes(name))
        ? rest
        : { note, ...rest },
    ),
  ),
];
