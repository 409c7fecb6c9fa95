import { rewrite } from '../server/mutation.ts';
import type { Call, Fields, Mutation, Reply } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { baseAt, brokenGroup } from './mutation.ts';

const broken = brokenGroup('bad-input', derived('7'));

/** Bad input is the client's fault; an error without a reason says it is the server's. */
const crash: Reply = {
  status: 500,
  refused: 'fields',
  body: { success: false, error: 'Internal Server Error', message: '' },
};

const failWhen = (applies: (call: Call, reply: Reply) => boolean): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    return reply.refused === 'key' || !applies(call, reply) ? reply : crash;
  },
});

const strings = ({ body }: Call) => (isObject(body) ? Object.values(body) : []);
const refusedFields = (operation: Call['operation']) =>
  failWhen((call, reply) => call.operation === operation && reply.refused === 'fields');

export const badInput = [
  broken('malformed-json-500', 'Broken JSON ends in 500').with(
    failWhen((_, { refused }) => refused === 'json'),
  ),
  broken('wrong-type-500', 'A number for a text ends in 500', 'integer-ids').with(
    failWhen((call) => strings(call).some((value) => typeof value === 'number')),
  ),
  broken('null-value-500', 'Null for a text ends in 500', 'bodies-422').with(
    failWhen((call) => strings(call).some((value) => value === null)),
  ),
  broken('array-body-500', 'An array for a body ends in 500').with(
    failWhen(({ body }) => Array.isArray(body)),
  ),
  broken('null-body-500', 'A body of null ends in 500', 'uuid-ids').with(
    failWhen(({ body }) => body === null),
  ),
  broken('empty-body-500', 'No body, where one belongs, ends in 500', 'python-style').with(
    failWhen(({ method, text }) => (method === 'POST' || method === 'PUT') && text === ''),
  ),
  broken('lead-without-fields-500', 'A lead without fields ends in 500', 'strict-fields').with(
    refusedFields('addLead'),
  ),
  broken('mail-without-fields-500', 'A mail without fields ends in 500').with(refusedFields('sendEmail')),
  broken('template-mail-without-fields-500', 'An empty template mail ends in 500', 'behind-a-proxy').with(
    refusedFields('sendTemplateEmail'),
  ),
  broken('unknown-template-500', 'An unknown template ends in 500', 'bodies-422').with(
    failWhen((_, { refused }) => refused === 'template'),
  ),
  broken('unknown-lead-500', 'Updating an unknown lead ends in 500', 'integer-ids').with(
    failWhen((call, { refused }) => call.operation === 'updateLead' && refused === 'lead'),
  ),
  broken('delete-again-500', 'Deleting a deleted lead ends in 500').with(
    failWhen((call, { refused }) => call.operation === 'deleteLead' && refused === 'lead'),
  ),
  broken('long-id-500', 'A lead id of more than 200 characters ends in 500').with(
    failWhen(({ id }) => id.length > 200),
  ),
  broken('non-ascii-id-500', 'A lead id beyond ASCII ends in 500', 'uuid-ids').with(
    failWhen(({ id }) => /[^\0-\x7f]/.test(id)),
  ),
  broken('missing-key-500', 'A request without a key ends in 500', 'python-style', '5').with({
    handle: (call, next) => {
      const reply = next(call);
      const missing = reply.refused === 'key' && !call.headers.authorization;
      return missing ? crash : reply;
    },
  }),
  broken('unknown-key-500', 'An unknown key ends in 500', 'integer-ids', '5').with({
    handle: (call, next) => {
      const reply = next(call);
      return reply.refused === 'key' && call.headers.authorization ? crash : reply;
    },
  }),
];

const badField = brokenGroup('bad-fields', documented('7'));

/** A page where the JSON of a refusal belongs, with the status of the framework that wrote it. */
const htmlPageWhere = (
  operation: Call['operation'],
  applies: (body: unknown, call: Call) => boolean,
): Mutation =>
  rewrite(
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
  ['number-for-name-page', 'A number for a name', 'addLead', field(({ name }) => name === 7)],
  ['number-for-source-page', 'A number for a source', 'addLead', field(({ source }) => source === 7)],
  ['number-for-note-page', 'A number for a note', 'addLead', field(({ note }) => note === 7)],
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
  [
    'no-sender-page',
    'A mail without a sender',
    'sendEmail',
    field(({ subject, from }) => !!subject && !from),
  ],
  ['number-for-from-page', 'A number for a sender', 'sendEmail', field(({ from }) => from === 7)],
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
    badField(id, `${title} is refused with a page`, baseFor(index)).with(htmlPageWhere(operation, applies)),
  ),
  // Where a body parser may refuse null with the status of malformed JSON, nothing tells the two apart.
  badField(
    'null-template-mail-page',
    'A template mail of null is refused with a page',
    'refusals-at-200',
  ).with(htmlPageWhere('sendTemplateEmail', (body) => body === null)),
  badField('alias-fields-page', 'Fields are refused with a page at /send-template only').with(
    htmlPageWhere('sendTemplateEmail', alias),
  ),
];
