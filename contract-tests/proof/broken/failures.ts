import type { Reason } from '../server/behaviour.ts';
import {
  afterRefusal,
  type Cause,
  changeReply,
  fieldsOf,
  internalError,
  rewrite,
} from '../server/mutation.ts';
import type { Call, Fields, Mutation, Operation } from '../server/types.ts';
import { inRefusal, keyChecks, server, without, withValue } from './mutation.ts';

const claimedSuccess = [
  // A status other than 200 is a failure (§7.2); `success` true beside it contradicts.
  server('Refusals of a key carry success true', 'failures.no-success-claim').with(
    inRefusal('key', withValue('success', true)),
  ),
  server(
    'Delete lead confirms without a valid key',
    keyChecks(/^leads\.delete.*(key|scheme)$/),
    'uuid-ids',
  ).with(
    // And does nothing: the client believes it is done (§5).
    changeReply(afterRefusal('deleteLead', 'key'), () => ({
      status: 200,
      body: { success: true, error: '', message: 'Lead deleted' },
    })),
  ),
];

const page = (reason: Reason, type: string, text: string): Mutation =>
  rewrite(
    (_, { refused }) => refused === reason,
    () => ({ headers: { 'content-type': type }, payload: Buffer.from(text) }),
  );

const html = '<html><body><h1>Refused</h1></body></html>';
const errorObject = (body: Fields) => ({ ...body, error: { code: 7, text: body.error } });

/** A page of the service itself, as its `Server` says, which every response carries; no gateway wrote it. */
const ownPageForMarkup: Mutation = {
  rewrite: (raw, { text }) =>
    text.includes('<b>')
      ? {
          status: 403,
          headers: { 'content-type': 'text/html', server: 'gunicorn' },
          payload: Buffer.from(html),
        }
      : { ...raw, headers: { ...raw.headers, server: 'gunicorn' } },
};

/** Knows from `Accept` alone who wants JSON, and §5 has no such header. */
const pageWithoutAccept = (reason: Reason): Mutation =>
  rewrite(
    ({ headers }, { refused }) => refused === reason && !headers.accept?.includes('json'),
    () => ({ headers: { 'content-type': 'text/html' }, payload: Buffer.from(html) }),
  );

/** §7.1, §7.2: a client reads the JSON body of a refusal and finds a string `error` there. */
const bodies = [
  server('Refuses markup with a page of its own server', 'failures.error').with(ownPageForMarkup),
  server('Answers unknown leads with a page without Accept', 'failures.error', 'uuid-ids').with(
    pageWithoutAccept('lead'),
  ),
  server('Refuses keys with a page', 'failures.error').with(page('key', 'text/html', html)),
  server('Refuses keys without a body', 'failures.error', 'bodies-422').with(
    page('key', 'application/json', ''),
  ),
  server('Refuses fields at 200 with an object', 'failures.error', 'refusals-at-200').with(
    inRefusal('fields', errorObject),
  ),
  server('Refuses unknown templates without error', 'failures.error', 'strict-fields').with(
    inRefusal('template', without('error')),
  ),
  server(
    'Refuses keys at 200 without an error',
    keyChecks(/^(?!email\.template).*missing-key$/),
    'refusals-at-200-without-success',
  ).with(inRefusal('key', () => ({ message: 'no' }))),
  server(
    'Refuses leads at 200 with an empty error',
    'leads.update.message',
    'refusals-at-200-without-success',
  ).with(inRefusal('lead', () => ({ error: '' }))),
];

/** §7.1: an empty error means success. §7.3: the message of a failure carries a text. */
const failureMessages = [
  server('Failures leave error empty and explain themselves in message', 'failures.error-text').with(
    inRefusal('fields', withValue('error', '')),
  ),
  server('The message of a refused lead is null', 'failures.message', 'bodies-422').with(
    inRefusal('lead', withValue('message', null)),
  ),
];

/** Bad input is the client's fault; an error without a reason says it is the server's. */
const failWhen = (applies: Cause): Mutation =>
  changeReply(
    (call, reply) => reply.refused !== 'key' && applies(call, reply),
    () => internalError,
  );

/** The process ends, and another one takes its place. */
const crashWhen = (applies: (call: Call) => boolean): Mutation => ({
  handle: (call, next) => {
    if (applies(call)) throw new Error('the connection ends without a response');
    return next(call);
  },
});

const badInput = [
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
  server('A mail without fields ends in 500', 'email.send.survives-bad-input').with(
    failWhen(afterRefusal('sendEmail', 'fields')),
  ),
  server('An empty template mail ends in 500', 'email.template.survives-bad-input', 'behind-a-proxy').with(
    failWhen(afterRefusal('sendTemplateEmail', 'fields')),
  ),
  server('An unknown template ends in 500', 'email.template.survives-bad-input', 'bodies-422').with(
    failWhen((_, { refused }) => refused === 'template'),
  ),
  server('Deleting a deleted lead ends in 500', 'leads.delete.survives-bad-input').with(
    failWhen(afterRefusal('deleteLead', 'lead')),
  ),
  server('An odd number of apostrophes in a name ends in 500', 'leads.add.survives-bad-input').with(
    failWhen(
      (call) => call.operation === 'addLead' && String(fieldsOf(call).name).split("'").length % 2 === 0,
    ),
  ),
  server('A lead id of more than 200 characters ends in 500', 'leads.delete.survives-bad-input').with(
    failWhen(({ id }) => id.length > 200),
  ),
  server('An unknown key ends in 500', 'templates.list.survives-bad-input', 'integer-ids').with(
    changeReply(
      ({ headers }, { refused }) => refused === 'key' && Boolean(headers.authorization),
      () => internalError,
    ),
  ),
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
const badFields = [
  server('A number for a source is refused with a page', 'leads.add.success', 'refusals-at-200').with(
    htmlPageWhere('addLead', (call) => fieldsOf(call).source === 7),
  ),
  server('A number for the note of an update is refused with a page', 'failures.error', 'integer-ids').with(
    htmlPageWhere('updateLead', (call) => fieldsOf(call).note === 7),
  ),
  // Where a body parser may refuse null with the status of malformed JSON, nothing tells the two apart.
  server('A template mail of null is refused with a page', 'email.template.success', 'refusals-at-200').with(
    htmlPageWhere('sendTemplateEmail', ({ body }) => body === null),
  ),
  server('Fields are refused with a page at /send-template only', 'failures.error').with(
    htmlPageWhere('sendTemplateEmail', ({ path }) => path.endsWith('/send-template')),
  ),
];

export const refusals = [claimedSuccess, bodies, failureMessages, badInput, badFields].flat();
