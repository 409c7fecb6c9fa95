import type { Reason } from '../server/behaviour.ts';
import { rewrite } from '../server/mutation.ts';
import type { Call, Fields, Mutation, Operation } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { brokenGroup, inRefusal, without, withValue } from './mutation.ts';

const claim = brokenGroup('claimed-success', documented('5'));

const bases = ['plain', 'bodies-422', 'integer-ids', 'strict-fields', 'behind-a-proxy'];

/** A status other than 200 is a failure (§7.2); `success` true beside it contradicts. */
const successOnRefusal = (['key', 'fields', 'lead', 'template', 'json'] as const).map((reason, index) =>
  claim(
    `${reason}-refused-with-success`,
    `Refusals for the ${reason} carry success true`,
    bases[index] ?? 'plain',
    derived('7'),
  ).with(inRefusal(reason, withValue('success', true))),
);

/** Confirms without a valid key and does nothing: the client believes it is done (§5). */
const confirmWithoutKey = (operation: Operation, body: object): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    if (call.operation !== operation || reply.refused !== 'key') return reply;
    return { status: 200, body: { success: true, ...body } };
  },
});

export const claimedSuccess = [
  ...successOnRefusal,
  claim('delete-confirmed-to-anybody', 'Delete lead confirms without a valid key', 'uuid-ids').with(
    confirmWithoutKey('deleteLead', { error: '', message: 'Lead deleted' }),
  ),
  claim('send-confirmed-to-anybody', 'Send email confirms without a valid key').with(
    confirmWithoutKey('sendEmail', { message: 'Email sent' }),
  ),
  claim('list-empty-for-anybody', 'List templates is empty without a valid key', 'integer-ids').with(
    confirmWithoutKey('listTemplates', { error: '', message: '', data: [] }),
  ),
];

const broken = brokenGroup('refusals', documented('7'));

const page = (reason: Reason, type: string, text: string): Mutation =>
  rewrite(
    ({ refused }) => refused === reason,
    () => ({ headers: { 'content-type': type }, payload: Buffer.from(text) }),
  );

const html = '<html><body><h1>Refused</h1></body></html>';
const errorObject = (body: Fields) => ({ ...body, error: { code: 7, text: body.error } });

/** A page of the service itself, as its `Server` says, which every response carries; no gateway wrote it. */
const ownPage = (isDue: (call: Call, refused: Reason | undefined) => boolean): Mutation => ({
  rewrite: (raw, call, { refused }) =>
    isDue(call, refused)
      ? {
          status: 403,
          headers: { 'content-type': 'text/html', server: 'gunicorn' },
          payload: Buffer.from(html),
        }
      : { ...raw, headers: { ...raw.headers, server: 'gunicorn' } },
});

/** Knows from `Accept` alone who wants JSON, and §5 has no such header. */
const pageWithoutAccept = (reason: Reason): Mutation =>
  rewrite(
    ({ refused }, { headers }) => refused === reason && !headers.accept?.includes('json'),
    () => ({ headers: { 'content-type': 'text/html' }, payload: Buffer.from(html) }),
  );

/** §7.1, §7.2: a client reads the JSON body of a refusal and finds a string `error` there. */
export const refusals = [
  broken('errors-are-own-pages-for-markup', 'Refuses markup with a page of its own server').with(
    ownPage(({ text }) => text.includes('<b>')),
  ),
  broken('lead-page-without-accept', 'Answers unknown leads with a page without Accept', 'uuid-ids').with(
    pageWithoutAccept('lead'),
  ),
  broken('key-refused-in-html', 'Refuses keys with a page').with(page('key', 'text/html', html)),
  broken('key-refused-without-body', 'Refuses keys without a body', 'bodies-422').with(
    page('key', 'application/json', ''),
  ),
  broken('fields-refused-with-error-object', 'Refuses fields at 200 with an object', 'refusals-at-200').with(
    inRefusal('fields', errorObject),
  ),
  broken('fields-refused-with-array', 'Refuses fields with an array', 'python-style').with(
    page('fields', 'application/json', '[{"error":"name is required"}]'),
  ),
  broken('lead-refused-in-text', 'Refuses unknown leads with plain text').with(
    page('lead', 'text/plain', 'Not Found'),
  ),
  broken('template-refused-without-error', 'Refuses unknown templates without error', 'strict-fields').with(
    inRefusal('template', without('error')),
  ),
  broken(
    'key-refused-silently',
    'Refuses keys at 200 without an error',
    'refusals-at-200-without-success',
  ).with(inRefusal('key', () => ({ message: 'no' }))),
  broken(
    'lead-refused-silently',
    'Refuses leads at 200 with an empty error',
    'refusals-at-200-without-success',
  ).with(inRefusal('lead', () => ({ error: '' }))),
];

const failureMessage = brokenGroup('failure-messages', derived('7'));

/** §7.3: the message of a failure carries a text. */
export const failureMessages = [
  failureMessage('failure-message-null', 'The message of a refused lead is null', 'bodies-422').with(
    inRefusal('lead', withValue('message', null)),
  ),
  failureMessage('failure-message-true', 'The message of refused fields is true', 'refusals-at-200').with(
    inRefusal('fields', withValue('message', true)),
  ),
];
