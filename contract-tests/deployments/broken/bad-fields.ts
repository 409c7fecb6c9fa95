import type { Call, Fault, Fields } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { baseAt, breaking, documented } from './breaking.ts';
import { asBytes } from './faults.ts';

const broken = breaking('bad-fields');

/** A page where the JSON of a refusal belongs, with the status of the framework that wrote it. */
const pageWhere = (operation: Call['operation'], applies: (body: unknown, call: Call) => boolean): Fault =>
  asBytes(
    ({ refused }, call) => refused === 'fields' && call.operation === operation && applies(call.body, call),
    () => ({
      headers: { 'content-type': 'text/html' },
      payload: Buffer.from('<!DOCTYPE html><pre>TypeError: value.trim is not a function</pre>'),
    }),
  );

const field =
  (applies: (fields: Fields) => boolean) =>
  (body: unknown): boolean =>
    isObject(body) && applies(body);

const cases = [
  ['null-lead-page', 'A lead of null', 'addLead', (body: unknown) => body === null],
  ['number-for-name-page', 'A number for a name', 'addLead', field(({ name }) => name === 7)],
  ['number-for-source-page', 'A number for a source', 'addLead', field(({ source }) => source === 7)],
  ['number-for-note-page', 'A number for a note', 'addLead', field(({ note }) => note === 7)],
  ['object-for-note-page', 'An object for a note', 'addLead', field(({ note }) => isObject(note))],
  [
    'null-for-source-page',
    'Null for a source',
    'addLead',
    field(({ source, name }) => source === null && !!name),
  ],
  [
    'no-name-page',
    'A lead that lacks its name alone',
    'addLead',
    field(({ name, source }) => !name && !!source),
  ],
  ['null-update-page', 'An update of null', 'updateLead', (body: unknown) => body === null],
  [
    'number-in-update-page',
    'A number for the note of an update',
    'updateLead',
    field(({ note }) => note === 7),
  ],
  [
    'number-for-new-name-page',
    'A number for a name in an update',
    'updateLead',
    field(({ name }) => name === 7),
  ],
  ['null-mail-page', 'A mail of null', 'sendEmail', (body: unknown) => body === null],
  [
    'no-subject-page',
    'A mail without a subject',
    'sendEmail',
    field(({ subject, from }) => !subject && !!from),
  ],
  [
    'no-sender-page',
    'A mail without a sender',
    'sendEmail',
    field(({ subject, from }) => !!subject && !from),
  ],
  [
    'no-html-page',
    'A mail without a text',
    'sendEmail',
    field(({ subject, html }) => !!subject && html === undefined),
  ],
  ['null-for-html-page', 'Null for the text of a mail', 'sendEmail', field(({ html }) => html === null)],
  ['number-for-from-page', 'A number for a sender', 'sendEmail', field(({ from }) => from === 7)],
  ['number-for-to-page', 'A number for a recipient', 'sendEmail', field(({ to }) => to === 7)],
  [
    'null-template-mail-page',
    'A template mail of null',
    'sendTemplateEmail',
    (body: unknown) => body === null,
  ],
  [
    'no-variables-page',
    'A template mail without variables',
    'sendTemplateEmail',
    field(({ template_id, variables }) => !!template_id && variables === undefined),
  ],
  [
    'null-variables-page',
    'Null for variables',
    'sendTemplateEmail',
    field(({ variables }) => variables === null),
  ],
  [
    'number-for-template-page',
    'A number for a template',
    'sendTemplateEmail',
    field(({ template_id }) => template_id === 7),
  ],
] as const;

/** Those that want no field beyond the ones in question, so that this is what they refuse. */
const baseFor = (index: number): string => {
  const base = baseAt(index);
  return base === 'strict-fields' || base === 'python-style' ? 'plain' : base;
};

const alias = (_: unknown, { path }: Call): boolean => path.endsWith('/send-template');

/** §7.1, §7.2: whatever is wrong with the fields, the refusal is JSON with a string `error`. */
export const badFields = [
  ...cases.map(([id, title, operation, applies], index) =>
    broken(
      id,
      `${title} is refused with a page`,
      baseFor(index),
      documented('7'),
      pageWhere(operation, applies),
    ),
  ),
  broken(
    'alias-fields-page',
    'Fields are refused with a page at /send-template only',
    'plain',
    documented('7'),
    pageWhere('sendTemplateEmail', alias),
  ),
];
