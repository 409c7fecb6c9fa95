import type { Behaviour } from '../server/behaviour.ts';
import { isKeyRefused, refuse } from '../server/mutation.ts';
import type { NewLead } from '../server/store.ts';
import { ordinaryTemplates } from '../server/templates.ts';
import type { Mutation } from '../server/types.ts';
import { conformingWith } from './deployment.ts';

const duplicateMs = 3000;
const momentMs = 300;

/** First the one without variables, of which all mails are the same. */
const plainFirst = ordinaryTemplates.toReversed();

/** A mail that arrives twice within moments is taken for one that a client repeats after a broken connection. */
const refuseDuplicateMails = (duplicateMs: number): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation !== 'sendEmail' && call.operation !== 'sendTemplateEmail') return next(call);
    const mail = `${call.operation} ${call.text}`;
    const lastAt = Number(memory.get(mail) ?? 0);
    if (Date.now() - lastAt < duplicateMs && !isKeyRefused(call, next))
      return refuse(409, 'was sent a moment ago', 'duplicate');
    const reply = next(call);
    if (!reply.refused) memory.set(mail, Date.now());
    return reply;
  },
});

/** As the collation of a database compares them. */
const collated = (text: unknown): string =>
  String(text).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A lead is taken for one that it holds where letter case and accents make no difference. */
const refuseAlikeLeads: Mutation = {
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (call.operation !== 'addLead' || reply.refused) return reply;
    const added = store.leads.at(-1);
    const isAlike = ({ id, name, source, note }: NewLead & { readonly id: string }): boolean =>
      added !== undefined &&
      id !== added.id &&
      collated([name, source, note]) === collated([added.name, added.source, added.note]);
    if (!store.living().some(isAlike)) return reply;
    store.leads.pop();
    return refuse(409, 'this lead exists', 'duplicate');
  },
};

/** What a deployment makes of a request that it has just taken is not shown. */
export const repeatedRequests = (behaviour: Partial<Behaviour>) => [
  conformingWith(
    'duplicate-mails-refused',
    'Refuses a mail with 409 that equals one of the last three seconds',
    'mail-fields',
    behaviour,
    refuseDuplicateMails(duplicateMs),
  ),
  conformingWith(
    'plain-duplicates-refused',
    'Refuses a mail with 409 that equals one of the last moment, and lists a template without variables first',
    'mail-fields',
    { ...behaviour, templates: plainFirst },
    refuseDuplicateMails(momentMs),
  ),
  conformingWith(
    'alike-leads-refused',
    'Refuses a lead that differs from another one in letter case or accents only',
    'lead-fields',
    behaviour,
    refuseAlikeLeads,
  ),
];
