import { isKeyRefused } from '../../server/mutation.ts';
import type { Call, Fields, Mutation, Operation, Reply, ServiceContext } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup } from '../mutation.ts';

const lasting = brokenGroup('lasting-refusals', documented('4.6'));

const locked: Reply = {
  status: 423,
  refused: 'lead',
  body: { success: false, error: 'locked', message: 'The record is in use' },
};

/** A lead whose update was refused stays locked: this operation finds it in use from then on. */
const lockAfter = (operation: Operation, ...reasons: NonNullable<Reply['refused']>[]): Mutation => ({
  handle: (call, next, { memory }) => {
    const isLocked = call.operation === operation && memory.has(`lock of ${call.id}`);
    if (isLocked && !isKeyRefused(call, next)) return locked;
    const reply = next(call);
    if (call.operation === 'updateLead' && reply.refused && reasons.includes(reply.refused))
      memory.set(`lock of ${call.id}`, true);
    return reply;
  },
});

/** A cache in front of the list, which does not look at the key. */
const keepRefusedList = (milliseconds: number): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation !== 'listTemplates') return next(call);
    const kept = memory.get('kept') as { reply: Reply; until: number } | undefined;
    if (kept && Date.now() < kept.until) return kept.reply;
    const reply = next(call);
    if (reply.refused === 'key') memory.set('kept', { reply, until: Date.now() + milliseconds });
    return reply;
  },
});

const templateIdOf = ({ body }: Call): string => (isObject(body) ? String(body.template_id) : '');

const withTemplateId = (call: Call, id: string): Call => ({
  ...call,
  body: { ...(call.body as Fields), template_id: id },
});

/** Each list numbers the templates anew, and forgets the numbers of the list before it. */
const renumberTemplates: Mutation = {
  handle: (call, next, { memory }) => {
    const suffix = `.${memory.get('edition') ?? 0}`;
    if (call.operation === 'sendTemplateEmail' && templateIdOf(call)) {
      const id = templateIdOf(call);
      return next(withTemplateId(call, id.endsWith(suffix) ? id.slice(0, -suffix.length) : 'forgotten'));
    }
    const reply = next(call);
    if (call.operation !== 'listTemplates' || reply.refused) return reply;
    const edition = Number(memory.get('edition') ?? 0) + 1;
    memory.set('edition', edition);
    const data = (reply.body.data as Fields[]).map((template) => ({
      ...template,
      id: `${template.id}.${edition}`,
    }));
    return { ...reply, body: { ...reply.body, data } };
  },
};

/** A template that was sent is gone, though it is listed. */
const useUpTemplates: Mutation = {
  handle: (call, next, { memory }) => {
    if (call.operation !== 'sendTemplateEmail' || !isObject(call.body)) return next(call);
    const mark = `used ${templateIdOf(call)}`;
    if (memory.has(mark)) return next(withTemplateId(call, 'used up'));
    const reply = next(call);
    if (!reply.refused) memory.set(mark, true);
    return reply;
  },
};

/** Carries an operation out otherwise once its lead has had more than so many updates. */
const afterUpdates = (
  maxUpdates: number,
  operation: Operation,
  perform: (call: Call, next: (call: Call) => Reply, context: ServiceContext) => Reply,
): Mutation => ({
  handle: (call, next, context) => {
    const { memory, store } = context;
    const count = `updates of ${call.id}`;
    const isAffected = call.operation === operation && store.find(call.id) !== undefined;
    if (isAffected && !isKeyRefused(call, next) && Number(memory.get(count) ?? 0) >= maxUpdates)
      return perform(call, next, context);
    const reply = next(call);
    if (call.operation === 'updateLead' && !reply.refused)
      memory.set(count, Number(memory.get(count) ?? 0) + 1);
    return reply;
  },
});

/** What looks like an outage, a quota or a lock-out, and is refused because of one request before it. */
export const lastingRefusals = [
  lasting('update-locks-lead-when-refused', 'A lead whose update was refused takes no other').with(
    lockAfter('updateLead', 'fields', 'json'),
  ),
  lasting(
    'malformed-update-keeps-lead',
    'A lead cannot be deleted after malformed JSON',
    'integer-ids',
    '4.7',
  ).with(lockAfter('deleteLead', 'json')),
  lasting('ninth-update-400', 'A lead takes eight updates', 'uuid-ids').with(
    afterUpdates(8, 'updateLead', () => ({
      status: 400,
      refused: 'fields',
      body: { success: false, error: 'too many revisions', message: 'too many revisions' },
    })),
  ),
  lasting('delete-keeps-updated-often', 'Does not delete a lead after five updates', 'plain', '4.7').with(
    afterUpdates(5, 'deleteLead', (call, next, { store }) => {
      const lead = store.find(call.id);
      const reply = next(call);
      delete lead?.deleted;
      return reply;
    }),
  ),
  lasting('list-refusal-kept', 'Gives the 401 of a list to the good key for a second', 'uuid-ids', '5').with(
    keepRefusedList(1000),
  ),
  lasting(
    'key-refused-once-after-wrong-key',
    'Refuses the good key once after a wrong one',
    'plain',
    '5',
  ).with({
    admit: (_, expected, { memory }) => {
      const isSpoilt = memory.delete('spoilt');
      if (!expected) memory.set('spoilt', true);
      return expected && !isSpoilt;
    },
  }),
  lasting(
    'template-ids-of-one-list',
    'Every list has other ids of its templates',
    'bodies-422',
    derived('2.2'),
  ).with(renumberTemplates),
  lasting('template-sent-once', 'A template can be sent once', 'paths-as-in-examples', derived('4.3')).with(
    useUpTemplates,
  ),
];
