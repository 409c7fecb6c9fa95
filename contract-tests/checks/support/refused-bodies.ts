import type { SendOptions } from '../../session/lead-requests.ts';
import type { Fields } from './lead-assertions.ts';

/** A request for a lead that most deployments refuse, made from fields that would be accepted. */
export type RefusedBody = { readonly label: string; readonly optionsOf: (fields: Fields) => SendOptions };

/** Refused of a new lead as of an update. */
export const refusedBodies: readonly RefusedBody[] = [
  { label: 'a number for note', optionsOf: (fields) => ({ body: { ...fields, note: 7 } }) },
  { label: 'an object for name', optionsOf: (fields) => ({ body: { ...fields, name: { text: 'x' } } }) },
  {
    label: 'another media type',
    optionsOf: (fields) => ({ raw: JSON.stringify(fields), contentType: 'text/plain' }),
  },
  { label: 'malformed JSON', optionsOf: (fields) => ({ raw: JSON.stringify(fields).slice(0, -1) }) },
];

/** One wrong key only: many may lock out. */
export const withWrongKey: RefusedBody = {
  label: 'a wrong key',
  optionsOf: (fields) => ({ body: fields, credentials: 'random key' }),
};
