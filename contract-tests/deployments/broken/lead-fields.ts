import type { Fields } from '../exchange.ts';
import { baseAt, breaking, derived, documented } from './breaking.ts';
import { inBody, inData, without, withValue } from './faults.ts';

const shape = breaking('lead-shape');
const echo = breaking('echo');

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

/** §4.5, §4.6: what `data` holds. Each fault on adding and on updating, on different bases. */
const shapes = ofBoth.flatMap(([what, title, change], index) => [
  shape(
    `add-${what}`,
    `Add lead answers with ${title}`,
    baseAt(index),
    documented('4.5'),
    inData('addLead', change),
  ),
  shape(
    `update-${what}`,
    `Update lead answers with ${title}`,
    baseAt(index + 3),
    documented('4.6'),
    inData('updateLead', change),
  ),
]);

const swapped = (data: Fields) => ({ ...data, name: data.source, source: data.name });

export const leadFields = [
  ...shapes,
  shape(
    'add-data-absent',
    'Add lead answers without data',
    'plain',
    documented('4.5'),
    inBody('addLead', without('data')),
  ),
  shape(
    'update-data-absent',
    'Update lead answers without data',
    'java-style',
    documented('4.6'),
    inBody('updateLead', without('data')),
  ),
  shape(
    'add-data-flat',
    'Add lead puts the lead beside success',
    'plain',
    documented('4.5'),
    inBody('addLead', ({ data, ...rest }) => ({ ...rest, ...(data as Fields) })),
  ),
  shape(
    'add-created-at-absent',
    'Add lead answers without created_at',
    'strict-fields',
    documented('4.5'),
    inData('addLead', without('created_at')),
  ),
  shape(
    'update-updated-at-absent',
    'Update lead answers without updated_at',
    'behind-a-proxy',
    documented('4.6'),
    inData('updateLead', without('updated_at')),
  ),
  shape(
    'update-created-at-instead',
    'Update lead has created_at for updated_at',
    'plain',
    documented('4.6'),
    inData('updateLead', ({ updated_at, ...rest }) => ({ ...rest, created_at: updated_at })),
  ),
  shape(
    'add-email-shown',
    'Add lead answers with the email it was sent',
    'plain',
    derived('2.3'),
    inData('addLead', (data, { body }) => ({ ...(body as Fields), ...data })),
  ),
  shape(
    'update-email-shown',
    'Update lead answers with an email',
    'integer-ids',
    derived('2.3'),
    inData('updateLead', withValue('email', 'someone@academy.example')),
  ),
  echo(
    'add-swaps-name-and-source',
    'Add lead answers with name and source swapped',
    'uuid-ids',
    documented('4.5'),
    inData('addLead', swapped),
  ),
  echo(
    'update-swaps-name-and-source',
    'Update lead answers with both swapped',
    'plain',
    documented('4.6'),
    inData('updateLead', swapped),
  ),
  echo(
    'add-blanks-note',
    'Add lead answers with an empty note',
    'bodies-422',
    documented('4.5'),
    inData('addLead', withValue('note', '')),
  ),
  echo(
    'update-blanks-source',
    'Update lead answers with an empty source',
    'refusals-at-200',
    documented('4.6'),
    inData('updateLead', withValue('source', '')),
  ),
  echo(
    'update-answers-other-id',
    'Update lead answers with an id of its own',
    'plain',
    documented('4.6'),
    inData('updateLead', (data) => ({ ...data, lead_id: `${data.lead_id}-2` })),
  ),
];
