import type { Fault, Operation } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';
import { withValue } from './faults.ts';
import { inRefusal } from './refusals.ts';

const claims = breaking('claimed-success');

const bases = ['plain', 'bodies-422', 'integer-ids', 'strict-fields', 'behind-a-proxy'];

/** A status other than 200 is a failure (§7.2); `success` true beside it contradicts. */
const beside = (['key', 'fields', 'lead', 'template', 'json'] as const).map((reason, index) =>
  claims(
    `${reason}-refused-with-success`,
    `Refusals for the ${reason} carry success true`,
    bases[index] ?? 'plain',
    derived('7'),
    inRefusal(reason, withValue('success', true)),
  ),
);

/** Confirms to anybody and does nothing: whoever asked believes it is done (§5). */
const confirms = (operation: Operation, body: object): Fault => ({
  around: (call, next) => {
    const reply = next(call);
    if (call.operation !== operation || reply.refused !== 'key') return reply;
    return { status: 200, body: { success: true, ...body } };
  },
});

export const claimedSuccess = [
  ...beside,
  claims(
    'delete-confirmed-to-anybody',
    'Delete lead confirms without a good key, and does nothing',
    'uuid-ids',
    documented('5'),
    confirms('deleteLead', { error: '', message: 'Lead deleted' }),
  ),
  claims(
    'send-confirmed-to-anybody',
    'Send email confirms without a good key, and sends nothing',
    'plain',
    documented('5'),
    confirms('sendEmail', { message: 'Email sent' }),
  ),
  claims(
    'list-empty-for-anybody',
    'List templates shows an empty list without a good key',
    'integer-ids',
    documented('5'),
    confirms('listTemplates', { error: '', message: '', data: [] }),
  ),
];
