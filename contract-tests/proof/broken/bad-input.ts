import { afterRefusal, fieldsOf, internalError, rewrite } from '../server/mutation.ts';
import type { Call, Mutation, Operation, Reply } from '../server/types.ts';
import { server } from './mutation.ts';

/** Bad input is the client's fault; an error without a reason says it is the server's. */
const failWhen = (applies: (call: Call, reply: Reply) => boolean): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    return reply.refused === 'key' || !applies(call, reply) ? reply : internalError;
  },
});

const refusedFields = (operation: Operation) =>
  failWhen((call, reply) => call.operation === operation && reply.refused === 'fields');

/** The process ends, and another one takes its place. */
const crashWhen = (applies: (call: Call) => boolean): Mutation => ({
  handle: (call, next) => {
    if (applies(call)) throw new Error('the connection ends without a response');
    return next(call);
  },
});

export const badInput = [
  server('A note that is no text ends the connection', 'leads.update.survives-bad-input', 'integer-ids').with(
    crashWhen((call) => call.operation === 'updateLead' && Array.isArray(fieldsOf(call).note)),
  ),
  server('Broken JSON ends in 500', 'leads.add.survives-bad-input').with(
    failWhen((_, { refused }) => refused === 'json'),
  ),
  server(
    'Null for a text ends in 500',
    ['leads.add.survives-bad-input', 'leads.update.survives-bad-input'],
    'bodies-422',
  ).with(failWhen((call) => Object.values(fieldsOf(call)).includes(null))),
  server('An array for a body ends in 500', 'leads.update.survives-bad-input').with(
    failWhen(({ body }) => Array.isArray(body)),
  ),
  server('No body, where one belongs, ends in 500', 'leads.add.survives-bad-input', 'python-style').with(
    failWhen(({ method, text }) => (method === 'POST' || method === 'PUT') && text === ''),
  ),
  server('A lead without fields ends in 500', 'leads.add.survives-bad-input', 'strict-fields').with(
    refusedFields('addLead'),
  ),
  server('A mail without fields ends in 500', 'email.send.survives-bad-input').with(
    refusedFields('sendEmail'),
  ),
  server('An empty template mail ends in 500', 'email.template.survives-bad-input', 'behind-a-proxy').with(
    refusedFields('sendTemplateEmail'),
  ),
  server('An unknown template ends in 500', 'replies.no-server-error', 'bodies-422').with(
    failWhen((_, { refused }) => refused === 'template'),
  ),
  server('Updating an unknown lead ends in 500', 'leads.update.survives-bad-input', 'integer-ids').with(
    failWhen((call, { refused }) => call.operation === 'updateLead' && refused === 'lead'),
  ),
  server('Deleting a deleted lead ends in 500', 'leads.delete.survives-bad-input').with(
    failWhen((call, { refused }) => call.operation === 'deleteLead' && refused === 'lead'),
  ),
  server('A lead id of more than 200 characters ends in 500', 'leads.delete.survives-bad-input').with(
    failWhen(({ id }) => id.length > 200),
  ),
  server('A lead id beyond ASCII ends in 500', 'leads.delete.survives-bad-input', 'uuid-ids').with(
    failWhen(({ id }) => /[^\0-\x7f]/.test(id)),
  ),
  server('An unknown key ends in 500', 'replies.no-server-error', 'integer-ids').with({
    handle: (call, next) => {
      const reply = next(call);
      return reply.refused === 'key' && call.headers.authorization ? internalError : reply;
    },
  }),
];

/** A page where the JSON of a refusal belongs, with the status of the framework that wrote it. */
const htmlPageWhere = (operation: Operation, applies: (call: Call) => boolean): Mutation =>
  rewrite(
    (call, reply) => afterRefusal(operation, 'fields')(call, reply) && applies(call),
    () => ({
      headers: { 'content-type': 'text/html' },
      payload: Buffer.from('<!DOCTYPE html><pre>TypeError: value.trim is not a function</pre>'),
    }),
  );

/** §7.1, §7.2: whatever is wrong with the fields, the refusal is JSON with a string `error`. */
export const badFields = [
  server('A number for a source is refused with a page', 'leads.add.success', 'refusals-at-200').with(
    htmlPageWhere('addLead', (call) => fieldsOf(call).source === 7),
  ),
  server('A number for the note of an update is refused with a page', 'failures.error', 'integer-ids').with(
    htmlPageWhere('updateLead', (call) => fieldsOf(call).note === 7),
  ),
  server('A mail without a sender is refused with a page', 'failures.error').with(
    htmlPageWhere('sendEmail', (call) => 'subject' in fieldsOf(call) && !('from' in fieldsOf(call))),
  ),
  server('A number for a template is refused with a page', 'failures.error').with(
    htmlPageWhere('sendTemplateEmail', (call) => fieldsOf(call).template_id === 7),
  ),
  // Where a body parser may refuse null with the status of malformed JSON, nothing tells the two apart.
  server('A template mail of null is refused with a page', 'email.template.success', 'refusals-at-200').with(
    htmlPageWhere('sendTemplateEmail', ({ body }) => body === null),
  ),
  server('Fields are refused with a page at /send-template only', 'failures.error').with(
    htmlPageWhere('sendTemplateEmail', ({ path }) => path.endsWith('/send-template')),
  ),
];
