import type { Fault, Fields } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, documented } from './breaking.ts';
import { inData } from './faults.ts';

const odd = breaking('odd-bodies');

/** Changes a new lead before it is added. */
const asked = (change: (body: Fields) => Fields): Fault => ({
  around: (call, next) =>
    next(call.operation === 'addLead' && isObject(call.body) ? { ...call, body: change(call.body) } : call),
});

const unknown = ({ name, source, note, email, ...rest }: Fields) => Object.keys(rest).length > 0;

/** A success with an empty text, an `email` (§2.3) or a field nobody knows leaves the listed fields as sent. */
export const oddLeads = [
  odd(
    'add-empty-source-defaulted',
    'Add lead makes "direct" of an empty source',
    'plain',
    documented('4.5'),
    asked((body) => (body.source === '' ? { ...body, source: 'direct' } : body)),
  ),
  odd(
    'add-empty-note-null',
    'Add lead answers an empty note with null',
    'integer-ids',
    documented('2.3'),
    inData('addLead', (data) => (data.note === '' ? { ...data, note: null } : data)),
  ),
  odd(
    'add-email-takes-note',
    'Add lead loses the note beside an email',
    'plain',
    documented('4.5'),
    asked((body) => (body.email === undefined ? body : { ...body, note: '' })),
  ),
  odd(
    'add-email-for-source',
    'Add lead makes the email the source',
    'php-style',
    documented('4.5'),
    asked((body) => (body.email === undefined ? body : { ...body, source: body.email })),
  ),
  odd(
    'add-unknown-field-takes-source',
    'Add lead loses the source beside a field it does not know',
    'lead-refuses-email',
    documented('4.5'),
    asked((body) => (unknown(body) ? { ...body, source: '' } : body)),
  ),
];
