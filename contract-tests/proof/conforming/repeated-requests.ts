import type { Behaviour } from '../server/behaviour.ts';
import { createService } from '../server/server.ts';
import type { Deployment, Mutation } from '../server/types.ts';

const duplicateMs = 3000;

/** A mail that arrives twice within moments is taken for one that a client repeats after a broken connection. */
const refuseDuplicateMails: Mutation = {
  handle: (call, next, { memory }) => {
    if (call.operation !== 'sendEmail' && call.operation !== 'sendTemplateEmail') return next(call);
    const mail = `${call.operation} ${call.text}`;
    const lastAt = Number(memory.get(mail) ?? 0);
    if (Date.now() - lastAt < duplicateMs && next({ ...call, operation: undefined }).refused !== 'key')
      return { status: 409, refused: 'duplicate', body: { success: false, error: 'was sent a moment ago' } };
    const reply = next(call);
    if (!reply.refused) memory.set(mail, Date.now());
    return reply;
  },
};

/** What a deployment makes of a request that it has just taken is not shown. */
export const repeatedRequests = (behaviour: Partial<Behaviour>) => [
  {
    id: 'duplicate-mails-refused',
    title: 'Refuses a mail with 409 that equals one of the last three seconds',
    group: 'mail-fields',
    requirements: {},
    start: createService(behaviour, refuseDuplicateMails).start,
  } satisfies Deployment & { requirements: object },
];
