import type { Call, Fault, Fields } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived, documented } from './breaking.ts';
import { afterUpdate, fields, showing, texts } from './updating.ts';

const broken = breaking('update-fields');

const carries = (call: Call, ...names: readonly string[]) => names.every((name) => name in fields(call));

/** Changes what an update is asked for before it is carried out. */
const asked = (change: (body: Fields, before: Fields) => Fields): Fault => ({
  around: (call, next, { store }) => {
    const lead = store.find(call.id);
    if (call.operation !== 'updateLead' || !lead || !isObject(call.body)) return next(call);
    return next({ ...call, body: change(call.body, texts(lead)) });
  },
});

const both = ({ name, source }: Fields) => name !== undefined && source !== undefined;

/** §4.6: whether a name and a source may be sent is open; what comes of a success is not. */
export const updateFields = [
  broken(
    'update-swaps-both',
    'Update lead swaps name and source where both are sent',
    'plain',
    documented('4.6'),
    asked((body) => (both(body) ? { ...body, name: body.source, source: body.name } : body)),
  ),
  broken(
    'update-swaps-both-in-full',
    'Update lead, always in full, swaps a new name and a new source',
    'update-needs-everything',
    documented('4.6'),
    asked((body, { name }) =>
      both(body) && body.name !== name ? { ...body, name: body.source, source: body.name } : body,
    ),
  ),
  broken(
    'update-swaps-both-later',
    'Update lead shows name and source as sent, and keeps them swapped',
    'uuid-ids',
    documented('4.6'),
    afterUpdate((_, { call, lead }) => {
      if (carries(call, 'name', 'source')) [lead.name, lead.source] = [lead.source, lead.name];
      return undefined;
    }),
  ),
  broken(
    'update-name-empties-note',
    'Update lead empties the note where the name is sent without one',
    'plain',
    documented('4.6'),
    asked((body) => (body.name !== undefined && body.note === undefined ? { ...body, note: '' } : body)),
  ),
  broken(
    'update-name-empties-note-later',
    'Update lead shows the note, and empties it where the name is sent alone',
    'integer-ids',
    documented('4.6'),
    afterUpdate((_, { call, lead }) => {
      if (carries(call, 'name') && !carries(call, 'note')) lead.note = '';
      return undefined;
    }),
  ),
  broken(
    'update-source-renames',
    'Update lead writes a source that is sent alone into the name',
    'leads-can-be-read',
    documented('4.6'),
    asked((body) =>
      body.source !== undefined && body.name === undefined ? { name: body.source, ...body } : body,
    ),
  ),
  broken(
    'update-name-shown-not-kept',
    'Update lead shows a new name and keeps the old one',
    'update-refuses-source-only',
    documented('4.6'),
    afterUpdate((_, { lead, before }) => {
      lead.name = before.name;
      return undefined;
    }),
  ),
  broken(
    'update-loses-source-beside-name',
    'Update lead takes a source alone, and loses it where a name is sent too',
    'plain',
    derived('4.6'),
    asked(({ source, ...rest }) => (rest.name === undefined ? { source, ...rest } : rest)),
  ),
  broken(
    'update-at-once-lost',
    'Updates of one lead at the same time each write back the whole of it',
    'integer-ids',
    derived('4.6'),
    {
      around: async (call, next, { store, sleep }) => {
        const lead = store.find(call.id);
        if (call.operation !== 'updateLead' || !lead || !isObject(call.body)) return next(call);
        const before = texts(lead);
        await sleep(10);
        Object.assign(lead, before);
        return next(call);
      },
    },
  ),
];

const text = breaking('text');

const inTexts = (change: (text: string) => string, ...names: readonly string[]) =>
  asked((body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) =>
        names.includes(name) && typeof value === 'string' ? [name, change(value)] : [name, value],
      ),
    ),
  );

/** Where an update takes a name and a source, it takes them as they are sent. */
export const updateTexts = [
  text(
    'source-escaped-in-updates',
    'Escapes markup in updated sources only',
    'plain',
    derived('4.6'),
    inTexts((source) => source.replaceAll(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`), 'source'),
  ),
  text(
    'names-in-latin1-in-updates',
    'Loses all but Latin letters in updated names only',
    'update-refuses-source-only',
    derived('4.6'),
    inTexts((name) => name.replaceAll(/[^\0-\xff]/gu, '?'), 'name'),
  ),
  text(
    'quotes-backslashed-in-full-updates',
    'Puts a backslash before quotes in updated names and sources',
    'update-needs-everything',
    derived('4.6'),
    inTexts((value) => value.replaceAll(/["'\\]/g, '\\$&'), 'name', 'source'),
  ),
];

const odd = breaking('odd-bodies');

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddUpdates = [
  odd(
    'update-empty-note-passed-over',
    'Update lead takes an empty note for none',
    'plain',
    documented('4.6'),
    asked(({ note, ...rest }) => (note === '' ? rest : { note, ...rest })),
  ),
  odd(
    'update-empty-note-null',
    'Update lead answers an empty note with null',
    'bodies-422',
    documented('2.3'),
    afterUpdate((reply, { lead }) => (lead.note === '' ? showing(reply, { note: null }) : undefined)),
  ),
  odd(
    'update-email-renames',
    'Update lead writes the email into the name',
    'plain',
    documented('4.6'),
    asked((body) => (body.email === undefined ? body : { ...body, name: body.email })),
  ),
  odd(
    'update-unknown-field-takes-note',
    'Update lead loses the note beside a field it does not know',
    'lead-refuses-email',
    documented('4.6'),
    asked(({ note, ...rest }) =>
      Object.keys(rest).some((name) => !['name', 'source', 'email'].includes(name))
        ? rest
        : { note, ...rest },
    ),
  ),
];
