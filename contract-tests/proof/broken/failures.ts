import type { Reason } from '../server/behaviour.ts';
import { rewrite } from '../server/mutation.ts';
import type { Fields, Mutation, Operation } from '../server/types.ts';
import { inRefusal, keyChecks, server, without, withValue } from './mutation.ts';

/** Confirms without a valid key and does nothing: the client believes it is done (§5). */
const confirmWithoutKey = (operation: Operation, body: object): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    if (call.operation !== operation || reply.refused !== 'key') return reply;
    return { status: 200, body: { success: true, ...body } };
  },
});

export const claimedSuccess = [
  // A status other than 200 is a failure (§7.2); `success` true beside it contradicts.
  server('Refusals of a key carry success true', 'failures.no-success-claim').with(
    inRefusal('key', withValue('success', true)),
  ),
  server('Refusals of a template carry success true', 'failures.no-success-claim', 'strict-fields').with(
    inRefusal('template', withValue('success', true)),
  ),
  server(
    'Delete lead confirms without a valid key',
    keyChecks(/^leads\.delete.*(key|scheme)$/),
    'uuid-ids',
  ).with(confirmWithoutKey('deleteLead', { error: '', message: 'Lead deleted' })),
  server(
    'List templates is empty without a valid key',
    ['templates.list.auth.missing-key', 'templates.list.auth.unknown-key'],
    'integer-ids',
  ).with(confirmWithoutKey('listTemplates', { error: '', message: '', data: [] })),
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
export const refusals = [
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
  server('Refuses fields with an array', 'failures.error', 'python-style').with(
    page('fields', 'application/json', '[{"error":"name is required"}]'),
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
export const failureMessages = [
  server('Failures leave error empty and explain themselves in message', 'failures.error-text').with(
    inRefusal('fields', withValue('error', '')),
  ),
  server('Another media type is refused with an empty error', 'failures.error-text').with(
    inRefusal('media-type', withValue('error', '')),
  ),
  server('The message of a refused lead is null', 'failures.message', 'bodies-422').with(
    inRefusal('lead', withValue('message', null)),
  ),
];
