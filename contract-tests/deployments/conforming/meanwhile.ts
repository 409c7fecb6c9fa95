import type { Choices } from '../choices.ts';
import type { Deployment } from '../deployment.ts';
import type { Fault, Fields } from '../exchange.ts';
import { createService } from '../service.ts';
import { manyTemplates } from '../templates.ts';

const templates = manyTemplates(30);

/** Somebody deletes the first template of the list after every second look at it. */
const deletedMeanwhile: Fault = {
  around: (call, next, { memory }) => {
    const gone = Number(memory.get('gone') ?? 0);
    const isGone = (id: unknown) => templates.findIndex((one) => one.id === id) < gone;
    const body = call.body as Fields | undefined;
    const known = templates.some(({ id }) => id === body?.template_id);
    if (call.operation === 'sendTemplateEmail' && known && isGone(body?.template_id))
      return next({ ...call, body: { ...body, template_id: 'deleted' } });
    const reply = next(call);
    if (call.operation !== 'listTemplates' || reply.refused) return reply;
    if (call.nth % 2 === 0) memory.set('gone', Math.min(gone + 1, templates.length - 3));
    const data = (reply.body.data as Fields[]).filter(({ id }) => !isGone(id));
    return { ...reply, body: { ...reply.body, data } };
  },
};

/** What others do while the suite runs is theirs. */
export const meanwhile = (choices: Partial<Choices>) => [
  {
    id: 'templates-deleted-meanwhile',
    title: 'Its templates are deleted one after the other by somebody else',
    group: 'templates',
    demands: {},
    start: createService({ ...choices, templates }, deletedMeanwhile).start,
  } satisfies Deployment & { demands: object },
];
