import type { Behaviour } from '../server/behaviour.ts';
import { refuse, withData } from '../server/mutation.ts';
import { manyTemplates } from '../server/templates.ts';
import type { Fields, Mutation } from '../server/types.ts';
import { conformingWith } from './deployment.ts';

const templates = manyTemplates(30);

/** Somebody deletes the first template of the list after every second request for it. */
const deleteTemplatesBetweenLists: Mutation = {
  handle: (call, next, { memory }) => {
    const gone = Number(memory.get('gone') ?? 0);
    const isGone = (id: unknown) => templates.findIndex((template) => template.id === id) < gone;
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

const editedFrom = 12;

/** Somebody edits the first two templates at once: from a list on that is none after a mail. @param edit returns none to delete */
const editTwoTemplates = (edit: (template: Fields) => readonly Fields[]): Mutation => ({
  handle: (call, next, { memory, store }) => {
    const edited = new Set<unknown>(
      memory.get('edited') ? store.templates.slice(0, 2).map(({ id }) => id) : [],
    );
    const body = call.body as Fields | undefined;
    const isGone = edited.has(body?.template_id) && edit({}).length === 0;
    if (call.operation === 'sendTemplateEmail' && isGone)
      return next({ ...call, body: { ...body, template_id: 'deleted' } });
    const reply = next(call);
    if (call.operation !== 'listTemplates' || reply.refused) return reply;
    if (call.nth >= editedFrom) memory.set('edited', true);
    const data = (reply.body.data as Fields[]).flatMap((one) => (edited.has(one.id) ? edit(one) : [one]));
    return { ...reply, body: { ...reply.body, data } };
  },
});

/** An update takes a moment, and a deletion in that moment is refused as a conflict. */
const lockDuringUpdate: Mutation = {
  handle: async (call, next, { memory, sleep }) => {
    const locked = (memory.get('locked') as Set<unknown> | undefined) ?? new Set();
    memory.set('locked', locked);
    if (call.operation === 'deleteLead' && locked.has(call.id))
      return refuse(409, 'the lead is being updated', 'duplicate');
    if (call.operation !== 'updateLead') return next(call);
    locked.add(call.id);
    await sleep(25);
    locked.delete(call.id);
    return next(call);
  },
};

/** The response to an update is read some time after it was stored, when another update may have been stored too. */
const readAfterUpdate: Mutation = {
  handle: async (call, next, { store, sleep }) => {
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused) return reply;
    await sleep(25);
    const lead = store.find(call.id);
    return lead ? withData(reply, { name: lead.name, source: lead.source, note: lead.note }) : reply;
  },
};

/** Other users may change data while the suite runs. */
export const concurrentEdits = (behaviour: Partial<Behaviour>) => [
  conformingWith(
    'templates-deleted-meanwhile',
    'Its templates are deleted one after the other by somebody else',
    'templates',
    { ...behaviour, templates },
    deleteTemplatesBetweenLists,
  ),
  conformingWith(
    'two-templates-edited',
    'Somebody edits two of its three templates at once',
    'templates',
    behaviour,
    editTwoTemplates((one) => [{ ...one, name: `${one.name}, new`, body: `${one.body} Bye.` }]),
  ),
  conformingWith(
    'two-templates-deleted',
    'Somebody deletes two of its three templates at once',
    'templates',
    behaviour,
    editTwoTemplates(() => []),
  ),
  conformingWith(
    'locked-during-update',
    'Refuses to delete a lead at the moment of its update',
    'concurrency',
    behaviour,
    lockDuringUpdate,
  ),
  conformingWith(
    'update-read-afterwards',
    'Answers an update with the lead as it is then, which an update at the same time may have changed',
    'concurrency',
    behaviour,
    readAfterUpdate,
  ),
];
