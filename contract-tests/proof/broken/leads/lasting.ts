import { inBody, inData } from '../../server/mutation.ts';
import type { Call, Fields, Mutation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup } from '../mutation.ts';

type Trigger = (call: Call, reply: Reply) => boolean;

/** The last update of the service is undone by a request that has nothing to do with it. */
const updateUndoneBy = (isTrigger: Trigger): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const lead = store.find(call.id);
    const before = isObject(call.body) && call.body.note !== undefined ? lead?.note : undefined;
    const reply = next(call);
    if (isTrigger(call, reply)) (memory.get('undo') as (() => void) | undefined)?.();
    if (call.operation === 'updateLead' && !reply.refused && lead && before !== undefined)
      memory.set('undo', () => Object.assign(lead, { note: before }));
    return reply;
  },
});

/** A refused update takes the one before it along, unless something has read the lead since. */
const updateTakenBack: Mutation = {
  handle: (call, next, { store, memory }) => {
    const lead = store.find(call.id);
    const before = lead?.note;
    const reply = next(call);
    if (call.operation !== 'updateLead' || !lead) return reply;
    if (!reply.refused) memory.set(call.id, before);
    else if (reply.refused !== 'key' && memory.has(call.id)) lead.note = String(memory.get(call.id));
    return reply;
  },
};

/** The lead that was deleted last comes back. */
const deletionUndoneBy = (isTrigger: Trigger): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const lead = store.find(call.id);
    const reply = next(call);
    if (isTrigger(call, reply)) {
      const deleted = memory.get('deleted') as { deleted?: Date } | undefined;
      delete deleted?.deleted;
      memory.delete('deleted');
    }
    if (call.operation === 'deleteLead' && !reply.refused && lead) memory.set('deleted', lead);
    return reply;
  },
});

const succeeds =
  (operation: Call['operation']): Trigger =>
  (call, { refused }) =>
    call.operation === operation && !refused;
const isRefused =
  (reason: NonNullable<Reply['refused']>): Trigger =>
  (_, { refused }) =>
    refused === reason;

/** Keeps leads in a cache: a lead is lost that none of the last requests was about. */
const forgottenAfter = (requests: number): Mutation => ({
  handle: (call, next, { store, memory }) => {
    const now = Number(memory.get('requests') ?? 0) + 1;
    memory.set('requests', now);
    for (const lead of store.living()) {
      const usedAt = memory.get(`used ${lead.id}`);
      if (usedAt === undefined || lead.id === call.id) memory.set(`used ${lead.id}`, now);
      else if (now - Number(usedAt) > requests) store.remove(lead);
    }
    return next(call);
  },
});

const undone = brokenGroup('undone-effects', documented('4.6'));

/** §4.6, §4.7: what succeeded lasts, whatever comes after it. */
const undoneEffects = [
  undone('update-undone-by-list', 'A list undoes the last update').with(
    updateUndoneBy(succeeds('listTemplates')),
  ),
  undone('update-undone-by-delete', 'A deletion undoes the last update', 'integer-ids').with(
    updateUndoneBy(succeeds('deleteLead')),
  ),
  undone('update-undone-by-bad-json', 'A body that is no JSON undoes the last update', 'uuid-ids').with(
    updateUndoneBy(isRefused('json')),
  ),
  undone('update-undone-by-refusal', 'A refused body undoes the last update', 'bodies-422').with(
    updateUndoneBy(isRefused('fields')),
  ),
  undone('update-taken-back', 'A refused update takes the one before it along', 'integer-ids').with(
    updateTakenBack,
  ),
  undone('update-undone-by-wrong-key', 'A wrong key undoes the last update', 'refusals-at-200').with(
    updateUndoneBy(isRefused('key')),
  ),
  undone(
    'lead-forgotten',
    'Forgets a lead that none of the last 600 requests was about',
    'integer-ids',
    '4.5',
  ).with(forgottenAfter(600)),
  undone('oldest-note-changed-by-mail', 'A template mail changes the note of the oldest lead').with({
    handle: (call, next, { store }) => {
      const reply = next(call);
      const [oldest] = store.living();
      if (oldest && call.operation === 'sendTemplateEmail' && !reply.refused) oldest.note = 'mail sent';
      return reply;
    },
  }),
  undone('deletion-undone-by-list', 'A list brings the last deleted lead back', 'plain', '4.7').with(
    deletionUndoneBy(succeeds('listTemplates')),
  ),
  undone('deletion-undone-by-refusal', 'A refused body brings a lead back', 'integer-ids', '4.7').with(
    deletionUndoneBy(isRefused('fields')),
  ),
  undone('deletion-undone-by-wrong-key', 'A wrong key brings a lead back', 'uuid-ids', '4.7').with(
    deletionUndoneBy(isRefused('key')),
  ),
  undone('deletion-undone-by-update', 'An update brings a lead back', 'strict-fields', '4.7').with(
    deletionUndoneBy(succeeds('updateLead')),
  ),
  undone('deletion-undone-in-a-second', 'A lead comes back half a second later', 'python-style', '4.7').with({
    handle: (call, next, { store }) => {
      const lead = store.find(call.id);
      const reply = next(call);
      if (call.operation === 'deleteLead' && !reply.refused && lead)
        setTimeout(() => delete lead.deleted, 500).unref();
      return reply;
    },
  }),
];

const empty = brokenGroup('empty-texts', documented('2.3'));

const nullIfEmpty = (data: Fields, name: string): Fields =>
  data[name] === '' ? { ...data, [name]: null } : data;

/** §2.3: an empty text that is accepted is a string. */
const emptyTexts = [
  empty('add-empty-name-null', 'A lead with an empty name has name null', 'lenient').with(
    inData('addLead', (data) => nullIfEmpty(data, 'name')),
  ),
  empty(
    'add-empty-name-filled',
    'A lead with an empty name is called Unnamed',
    'lead-needs-nothing',
    derived('4.5'),
  ).with(inData('addLead', (data) => (data.name === '' ? { ...data, name: 'Unnamed' } : data))),
  empty('update-empty-source-null', 'An update to an empty source shows null', 'integer-ids').with(
    inData('updateLead', (data) => nullIfEmpty(data, 'source')),
  ),
];

const varying = brokenGroup('varying-lists', derived('4.2'));

const everyTemplate = (change: (template: Fields, call: Call) => Fields): Mutation =>
  inBody('listTemplates', (body, call) => ({
    ...body,
    data: (body.data as Fields[]).map((template) => change(template, call)),
  }));

const leaveOut = (isLeftOut: (index: number, call: Call) => boolean): Mutation =>
  inBody('listTemplates', (body, call) => ({
    ...body,
    data: (body.data as Fields[]).filter((_, index) => !isLeftOut(index, call)),
  }));

/** §4.2: what a list says of a template, the next list says too. */
const varyingLists = [
  varying('list-created-this-second', 'created_at is the time of the request, to the second').with(
    everyTemplate((template) => ({ ...template, created_at: `${new Date().toISOString().slice(0, 19)}Z` })),
  ),
  varying('list-created-today', 'created_at of one template alternates', 'integer-ids').with(
    everyTemplate((template, { nth }) =>
      template.name === 'Welcome' && nth % 4 === 0
        ? { ...template, created_at: '2024-03-10T00:00:00Z' }
        : template,
    ),
  ),
  varying('list-lacks-item-now-and-then', 'Every fifth list lacks a template', 'uuid-ids').with(
    leaveOut((index, { nth }) => index === 1 && nth % 5 === 0),
  ),
  varying('list-variables-alternate', 'Every third list names other variables', 'behind-a-proxy').with(
    everyTemplate((template, { nth }) =>
      nth % 3 === 0 && (template.variables as string[]).length === 0
        ? { ...template, variables: ['unsubscribe_link'] }
        : template,
    ),
  ),
  varying('list-body-alternates', 'Every third list shows other bodies', 'python-style').with(
    everyTemplate((template, { nth }) =>
      nth % 3 === 0 ? { ...template, body: `${template.body}<!-- cached -->` } : template,
    ),
  ),
];

/** What lasts for a while only, or is another thing the next time. */
export const passing = [...undoneEffects, ...emptyTexts, ...varyingLists];
