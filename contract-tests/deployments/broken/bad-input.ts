import type { Call, Fault, Reply } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived } from './breaking.ts';

const broken = breaking('bad-input');

/** Bad input is the client's fault; a status of 500 and above says it is the server's. */
const failsWhen = (applies: (call: Call, reply: Reply) => boolean): Fault => ({
  around: (call, next) => {
    const reply = next(call);
    if (reply.refused === 'key' || !applies(call, reply)) return reply;
    return {
      status: 500,
      refused: 'fields',
      body: { success: false, error: 'Internal Server Error', message: '' },
    };
  },
});

const strings = ({ body }: Call) => (isObject(body) ? Object.values(body) : []);
const refusedFields = (operation: Call['operation']) =>
  failsWhen((call, reply) => call.operation === operation && reply.refused === 'fields');

export const badInput = [
  broken(
    'malformed-json-500',
    'Broken JSON ends in 500',
    'plain',
    derived('7'),
    failsWhen((_, { refused }) => refused === 'json'),
  ),
  broken(
    'malformed-json-500-among-200',
    'Broken JSON ends in 500, other refusals in 200',
    'refusals-at-200',
    derived('7'),
    failsWhen((_, { refused }) => refused === 'json'),
  ),
  broken(
    'wrong-type-500',
    'A number for a text ends in 500',
    'integer-ids',
    derived('7'),
    failsWhen((call) => strings(call).some((value) => typeof value === 'number')),
  ),
  broken(
    'null-value-500',
    'Null for a text ends in 500',
    'bodies-422',
    derived('7'),
    failsWhen((call) => strings(call).some((value) => value === null)),
  ),
  broken(
    'array-body-500',
    'An array for a body ends in 500',
    'plain',
    derived('7'),
    failsWhen(({ body }) => Array.isArray(body)),
  ),
  broken(
    'null-body-500',
    'A body of null ends in 500',
    'uuid-ids',
    derived('7'),
    failsWhen(({ body }) => body === null),
  ),
  broken(
    'empty-body-500',
    'No body, where one belongs, ends in 500',
    'python-style',
    derived('7'),
    failsWhen(({ method, text }) => (method === 'POST' || method === 'PUT') && text === ''),
  ),
  broken(
    'lead-without-fields-500',
    'A lead without fields ends in 500',
    'strict-fields',
    derived('7'),
    refusedFields('addLead'),
  ),
  broken(
    'mail-without-fields-500',
    'A mail without fields ends in 500',
    'plain',
    derived('7'),
    refusedFields('sendEmail'),
  ),
  broken(
    'template-mail-without-fields-500',
    'A template mail without fields ends in 500',
    'behind-a-proxy',
    derived('7'),
    refusedFields('sendTemplateEmail'),
  ),
  broken(
    'unknown-template-500',
    'An unknown template ends in 500',
    'bodies-422',
    derived('7'),
    failsWhen((_, { refused }) => refused === 'template'),
  ),
  broken(
    'unknown-lead-500',
    'Updating an unknown lead ends in 500',
    'integer-ids',
    derived('7'),
    failsWhen((call, { refused }) => call.operation === 'updateLead' && refused === 'lead'),
  ),
  broken(
    'delete-again-500',
    'Deleting a deleted lead ends in 500',
    'plain',
    derived('7'),
    failsWhen((call, { refused }) => call.operation === 'deleteLead' && refused === 'lead'),
  ),
  broken(
    'long-id-500',
    'A lead id of more than 200 characters ends in 500',
    'plain',
    derived('7'),
    failsWhen(({ id }) => id.length > 200),
  ),
  broken(
    'non-ascii-id-500',
    'A lead id beyond ASCII ends in 500',
    'uuid-ids',
    derived('7'),
    failsWhen(({ id }) => /[^\0-\x7f]/.test(id)),
  ),
  broken('missing-key-500', 'A request without a key ends in 500', 'python-style', derived('5'), {
    around: (call, next) => {
      const reply = next(call);
      const missing = reply.refused === 'key' && !call.headers.authorization;
      return missing ? { ...reply, status: 500 } : reply;
    },
  }),
  broken('unknown-key-500', 'An unknown key ends in 500', 'integer-ids', derived('5'), {
    around: (call, next) => {
      const reply = next(call);
      return reply.refused === 'key' && call.headers.authorization ? { ...reply, status: 500 } : reply;
    },
  }),
];
