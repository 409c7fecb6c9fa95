import { onSuccess } from '../../server/mutation.ts';
import type { StoredLead } from '../../server/store.ts';
import type { Call, Fields, Mutation, Operation, ServiceContext } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup } from '../mutation.ts';

const bodyOf = ({ body }: Call): Fields => (isObject(body) ? body : {});

/** Does something when an operation has succeeded, behind its response. */
const afterSuccess = (
  operation: Operation,
  effect: (call: Call, context: ServiceContext, lead: StoredLead | undefined) => void,
): Mutation =>
  onSuccess(operation, (reply, call, context) => {
    const { store } = context;
    effect(call, context, operation === 'addLead' ? store.living().at(-1) : store.find(call.id));
    return reply;
  });

const cut = (
  operation: 'addLead' | 'updateLead',
  field: 'name' | 'source' | 'note',
  length: number,
): Mutation =>
  afterSuccess(operation, (_call, _context, lead) => {
    if (lead) lead[field] = lead[field].slice(0, length);
  });

const shortened = brokenGroup('cut-in-the-store', derived('2.3'));

/** §2.3: a text that a response shows whole is stored whole. */
const shortenedTexts = [
  shortened('name-cut-in-store', 'Shows a long name and stores 64 characters').with(
    cut('addLead', 'name', 64),
  ),
  shortened(
    'note-cut-at-4096',
    'Shows a very long note and stores 4,096 characters',
    'plain',
    derived('4.6'),
  ).with(cut('updateLead', 'note', 4096)),
];

const foreign = brokenGroup('foreign-fields', documented('4.6'));

/** Stores a new lead under the id that its request names, in place of the one that has it. */
const takeId: Mutation = onSuccess('addLead', (reply, call, { store }) => {
  const { lead_id: id } = bodyOf(call);
  if (typeof id !== 'string') return reply;
  const lead = store.leads.pop();
  if (!lead) return reply;
  store.leads.splice(0, store.leads.length, ...store.leads.filter((other) => other.id !== id), {
    ...lead,
    id,
  });
  return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: id } } };
});

/** Remembers the source of the last lead for one without. */
const keepSource: Mutation = onSuccess('addLead', (reply, call, { memory, store }) => {
  const { source } = bodyOf(call);
  const last = memory.get('source');
  if (typeof source === 'string') memory.set('source', source);
  if (source !== undefined || typeof last !== 'string') return reply;
  const lead = store.living().at(-1);
  if (lead) lead.source = last;
  return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), source: last } } };
});

/** What an update of any lead with the same body was answered first. */
const answerByBody: Mutation = {
  handle: (call, next, { memory }) => {
    if (call.operation !== 'updateLead') return next(call);
    const first = memory.get(call.text);
    const id = typeof first === 'string' && /"note"/.test(call.text) ? first : call.id;
    const reply = next({ ...call, id });
    if (!reply.refused) memory.set(call.text, id);
    return reply;
  },
};

/** A note that a lead had before is not stored again. */
const storeOnce: Mutation = {
  handle: (call, next, { store, memory }) => {
    const lead = store.find(call.id);
    const before = lead?.note;
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused || !lead || before === undefined) return reply;
    const known = `${call.id} ${lead.note}`;
    if (memory.has(known) && lead.note !== before) lead.note = before;
    memory.set(`${call.id} ${before}`, true);
    memory.set(known, true);
    return reply;
  },
};

/** §4.5, §4.6: a request is about the lead of its path, and a lead has what its own requests say. */
const foreignFields = [
  foreign('add-takes-id', 'Gives a new lead the id that its request names', 'plain', derived('2.3')).with(
    takeId,
  ),
  foreign('update-of-id-in-body', 'Update lead changes the lead that the body names').with({
    handle: (call, next) => {
      const { lead_id: id } = bodyOf(call);
      return next(call.operation === 'updateLead' && typeof id === 'string' ? { ...call, id } : call);
    },
  }),
  foreign(
    'add-keeps-source',
    'A lead without a source gets that of the last one',
    'lead-needs-nothing',
    derived('4.5'),
  ).with(keepSource),
  foreign(
    'update-answered-by-body',
    'An update with the body of another changes the lead of that',
    'plain',
  ).with(answerByBody),
  foreign(
    'sources-without-case',
    'Takes sources for one that differ in case and accents',
    'plain',
    '2.3',
  ).with(
    onSuccess('addLead', (reply, _call, { memory, store }) => {
      const lead = store.living().at(-1);
      if (!lead) return reply;
      const folded = lead.source.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
      const first = memory.get(folded);
      if (typeof first === 'string') lead.source = first;
      memory.set(folded, lead.source);
      return reply;
    }),
  ),
  foreign('source-renamed-for-all', 'A new source is that of all leads with the same one', 'uuid-ids').with({
    handle: (call, next, { store }) => {
      const before = store.find(call.id)?.source;
      const reply = next(call);
      const after = store.find(call.id)?.source;
      if (call.operation === 'updateLead' && !reply.refused && before !== undefined && after !== undefined)
        for (const other of store.living()) if (other.source === before) other.source = after;
      return reply;
    },
  }),
  foreign(
    'add-members-by-position',
    'Reads the fields of a new lead by their position',
    'plain',
    derived('1'),
  ).with({
    handle: (call, next) => {
      const names = ['name', 'source', 'note'] as const;
      const values = Object.entries(bodyOf(call)).filter(([name]) => names.some((known) => known === name));
      if (call.operation !== 'addLead' || values.length < names.length) return next(call);
      return next({ ...call, body: Object.fromEntries(names.map((name, at) => [name, values[at]?.[1]])) });
    },
  }),
  foreign('digits-lose-precision', 'Stores long numbers as floating point', 'integer-ids', '2.3').with(
    afterSuccess('addLead', (_call, _context, lead) => {
      if (lead && /^\d{16,}$/.test(lead.source)) lead.source = BigInt(Number(lead.source)).toString();
    }),
  ),
  foreign('update-drops-earlier-note', 'Does not store a note that the lead had before', 'integer-ids').with(
    storeOnce,
  ),
  foreign('update-by-name-and-source', 'Updates all leads with that name and source', 'uuid-ids').with(
    afterSuccess('updateLead', ({ body }, { store }, lead) => {
      const { note } = isObject(body) ? body : {};
      for (const other of store.living())
        if (lead && typeof note === 'string' && other.name === lead.name && other.source === lead.source)
          other.note = note;
    }),
  ),
];

const refused = brokenGroup('refused-additions', documented('7'));

const addRefused = (reason: 'fields' | 'key' | 'media-type'): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (call.operation !== 'addLead' || reply.refused !== reason) return reply;
    const { name, source, note } = bodyOf(call);
    store.add({ name: String(name ?? ''), source: String(source ?? ''), note: String(note ?? '') });
    return reply;
  },
});

/** §7.2: what is refused is not stored, as the list of leads shows. */
const refusedAdditions = [
  refused('refused-add-stored', 'Stores a lead that it refuses for its fields', 'leads-can-be-read').with(
    addRefused('fields'),
  ),
  refused('wrong-key-add-stored', 'Stores a lead that it refuses for its key', 'leads-can-be-read', '5').with(
    addRefused('key'),
  ),
];

const few = brokenGroup('few-leads', documented('4.5'));

/** §4.5: a lead that was added is there. */
const fewLeads = [
  few('ten-leads-kept', 'Keeps the ten newest leads').with(
    afterSuccess('addLead', (_call, { store }) => {
      for (const lead of store.living().slice(0, -10)) store.remove(lead);
    }),
  ),
  few('eight-leads-found', 'Finds the eight oldest leads', 'integer-ids').with({
    handle: (call, next, { store }) => {
      const isFound = store
        .living()
        .slice(0, 8)
        .some(({ id }) => id === call.id);
      return next(call.operation === 'updateLead' && !isFound ? { ...call, id: 'none' } : call);
    },
  }),
];

const mails = brokenGroup('mails-at-once', derived('4.1'));

const failForValues = (pattern: RegExp): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    const values = bodyOf(call).variables;
    const fails = isObject(values) && Object.values(values).some((value) => pattern.test(String(value)));
    return call.operation === 'sendTemplateEmail' && fails && !reply.refused
      ? { status: 500, refused: 'fields', body: { success: false, error: 'internal error', message: '' } }
      : reply;
  },
});

/** §4.1, §4.3: what others send meanwhile, and how a value is written, is no reason to refuse. */
const mailsAtOnce = [
  mails('second-mail-at-once', 'Of two mails at once, one is refused').with({
    handle: async (call, next, { memory, sleep }) => {
      const reply = next(call);
      if (call.operation !== 'sendEmail' || reply.refused) return reply;
      if (memory.get('busy') === true)
        return {
          status: 409,
          refused: 'duplicate',
          body: { success: false, error: 'busy', message: 'busy' },
        };
      memory.set('busy', true);
      await sleep(25);
      memory.set('busy', false);
      return reply;
    },
  }),
  mails(
    'template-mail-dollar-500',
    'A dollar sign in a variable is a server error',
    'plain',
    derived('7'),
  ).with(failForValues(/\$/)),
  mails('template-mail-quotes-500', 'A quote in a variable is a server error', 'plain', derived('7')).with(
    failForValues(/["']/),
  ),
];

/** All of them: what a request contains, and what becomes of it. */
export const contents = [
  ...shortenedTexts,
  ...foreignFields,
  ...refusedAdditions,
  ...fewLeads,
  ...mailsAtOnce,
];
