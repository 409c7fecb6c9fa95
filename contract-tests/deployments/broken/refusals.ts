import type { Reason } from '../choices.ts';
import type { Fault, Fields } from '../exchange.ts';
import { breaking, documented } from './breaking.ts';
import { asBytes, onRefusal, without, withValue } from './faults.ts';

const broken = breaking('refusals');

export const inRefusal = (reason: Reason, change: (body: Fields) => Fields): Fault =>
  onRefusal(reason, (reply) => ({ ...reply, body: change(reply.body) }));

const page = (reason: Reason, type: string, text: string): Fault =>
  asBytes(
    ({ refused }) => refused === reason,
    () => ({ headers: { 'content-type': type }, payload: Buffer.from(text) }),
  );

const html = '<html><body><h1>Refused</h1></body></html>';
const errorObject = (body: Fields) => ({ ...body, error: { code: 7, text: body.error } });

/** §7.1, §7.2: a client reads the JSON body of a refusal and finds a string `error` there. */
export const refusals = [
  broken(
    'key-refused-in-html',
    'Refuses keys with a page',
    'plain',
    documented('7'),
    page('key', 'text/html', html),
  ),
  broken(
    'key-refused-in-text',
    'Refuses keys with plain text',
    'integer-ids',
    documented('7'),
    page('key', 'text/plain', 'Unauthorized'),
  ),
  broken(
    'key-refused-without-body',
    'Refuses keys without a body',
    'bodies-422',
    documented('7'),
    page('key', 'application/json', ''),
  ),
  broken(
    'key-refused-with-json-string',
    'Refuses keys with a JSON string',
    'uuid-ids',
    documented('7'),
    page('key', 'application/json', '"Unauthorized"'),
  ),
  broken(
    'key-refused-without-error',
    'Refuses keys without error',
    'strict-fields',
    documented('7'),
    inRefusal('key', without('error')),
  ),
  broken(
    'key-refused-with-error-object',
    'Refuses keys with an object for error',
    'behind-a-proxy',
    documented('7'),
    inRefusal('key', errorObject),
  ),
  broken(
    'fields-refused-in-html',
    'Refuses fields with a page',
    'bodies-422',
    documented('7'),
    page('fields', 'text/html', html),
  ),
  broken(
    'fields-refused-without-body',
    'Refuses fields without a body',
    'integer-ids',
    documented('7'),
    page('fields', 'application/json', ''),
  ),
  broken(
    'fields-refused-with-errors',
    'Refuses fields with a list of errors',
    'plain',
    documented('7'),
    inRefusal('fields', ({ error, ...rest }) => ({ ...rest, errors: [error] })),
  ),
  broken(
    'fields-refused-with-error-array',
    'Refuses fields with an array for error',
    'strict-fields',
    documented('7'),
    inRefusal('fields', (body) => ({ ...body, error: [body.error] })),
  ),
  broken(
    'fields-refused-with-error-object',
    'Refuses fields at 200 with an object',
    'refusals-at-200',
    documented('7'),
    inRefusal('fields', errorObject),
  ),
  broken(
    'fields-refused-with-array',
    'Refuses fields with an array',
    'python-style',
    documented('7'),
    page('fields', 'application/json', '[{"error":"name is required"}]'),
  ),
  broken(
    'lead-refused-in-text',
    'Refuses unknown leads with plain text',
    'plain',
    documented('7'),
    page('lead', 'text/plain', 'Not Found'),
  ),
  broken(
    'lead-refused-with-error-null',
    'Refuses unknown leads with error null',
    'bodies-422',
    documented('7'),
    inRefusal('lead', withValue('error', null)),
  ),
  broken(
    'lead-refused-with-error-true',
    'Refuses unknown leads with error true',
    'integer-ids',
    documented('7'),
    inRefusal('lead', withValue('error', true)),
  ),
  broken(
    'lead-refused-without-error',
    'Refuses unknown leads with a message alone',
    'uuid-ids',
    documented('7'),
    inRefusal('lead', () => ({ success: false, message: 'no such lead' })),
  ),
  broken(
    'template-refused-in-html',
    'Refuses unknown templates with a page',
    'behind-a-proxy',
    documented('7'),
    page('template', 'text/html', html),
  ),
  broken(
    'template-refused-with-error-number',
    'Refuses unknown templates with a number',
    'plain',
    documented('7'),
    inRefusal('template', withValue('error', 404)),
  ),
  broken(
    'template-refused-without-error',
    'Refuses unknown templates without error',
    'strict-fields',
    documented('7'),
    inRefusal('template', without('error')),
  ),
  broken(
    'every-other-key-refusal-in-html',
    'Refuses every other key with a page',
    'integer-ids',
    documented('7'),
    {
      letter: (letter, call, reply) =>
        reply.refused === 'key' && call.nth % 2
          ? { ...letter, headers: { 'content-type': 'text/html' }, payload: Buffer.from(html) }
          : letter,
    },
  ),
  broken(
    'every-third-refusal-without-error',
    'Every third unknown lead is refused bare',
    'plain',
    documented('7'),
    {
      around: (call, next, { memory }) => {
        const reply = next(call);
        if (reply.refused !== 'lead') return reply;
        const refusals = Number(memory.get('refusals') ?? 0) + 1;
        memory.set('refusals', refusals);
        return refusals % 3 ? reply : { ...reply, body: without('error')(reply.body) };
      },
    },
  ),
  broken(
    'key-refused-silently',
    'Refuses keys at 200 with an object that says neither success nor error',
    'refusals-at-200-without-success',
    documented('7'),
    inRefusal('key', () => ({ message: 'no' })),
  ),
  broken(
    'lead-refused-silently',
    'Refuses unknown leads at 200 with an empty error and no success',
    'refusals-at-200-without-success',
    documented('7'),
    inRefusal('lead', () => ({ error: '' })),
  ),
];
