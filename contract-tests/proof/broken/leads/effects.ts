import { inBody, inData, isKeyRefused, onSuccess } from '../../server/mutation.ts';
import type { Fields, Mutation, Operation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup, inRefusal } from '../mutation.ts';

const refuse = (status: number, error: string): Reply => ({
  status,
  refused: 'fields',
  body: { success: false, error, message: error },
});

/** Counts requests that would succeed, and refuses those that are due. */
const refuseWhen = (
  operation: Operation,
  isDue: (count: number, body: Fields) => boolean,
  refusal: Reply,
  subject: 'operation' | 'lead' = 'operation',
): Mutation => ({
  handle: (call, next, { memory, store }) => {
    const admitted = !isKeyRefused(call, next);
    const known = call.id === '' || store.find(call.id) !== undefined;
    if (call.operation !== operation || !admitted || !known) return next(call);
    const counter = subject === 'lead' ? `refused ${call.id}` : 'refused';
    const count = Number(memory.get(counter) ?? 0) + 1;
    memory.set(counter, count);
    return isDue(count, isObject(call.body) ? call.body : {}) ? refusal : next(call);
  },
});

const every = (n: number) => (count: number) => count % n === 0;
const notFound = refuse(404, 'there is nothing of that id');
const conflict = refuse(409, 'try again');

const sporadic = brokenGroup('sporadic-refusals', documented('4.5'));

/** A complete request is refused now and then for no reason of its own. */
const sporadicRefusals = [
  sporadic('every-seventh-add-409', 'Every seventh lead is refused as a conflict', 'uuid-ids').with(
    refuseWhen('addLead', every(7), conflict),
  ),
  sporadic('every-fifth-add-at-200', 'Every fifth lead is refused at 200', 'refusals-at-200').with(
    refuseWhen('addLead', every(5), { ...conflict, status: 200 }),
  ),
  sporadic('every-fourth-update-404', 'Every fourth update finds no lead', 'integer-ids', '4.6').with(
    refuseWhen('updateLead', every(4), notFound),
  ),
  sporadic('every-seventh-update-409', 'Every seventh update is a conflict', 'strict-fields', '4.6').with(
    refuseWhen('updateLead', every(7), conflict),
  ),
  sporadic('every-third-delete-409', 'Every third deletion is a conflict', 'behind-a-proxy', '4.7').with(
    refuseWhen('deleteLead', every(3), conflict),
  ),
  sporadic('every-third-list-404', 'Every third list is not found', 'bodies-422', '4.2').with(
    refuseWhen('listTemplates', every(3), notFound),
  ),
  sporadic('every-fourth-template-send-422', 'Every fourth template mail is refused', 'plain', '4.3').with(
    refuseWhen('sendTemplateEmail', every(4), refuse(422, 'cannot be processed')),
  ),
  sporadic(
    'every-fifth-send-400',
    'Every fifth mail is invalid, as each sender with a name',
    'plain',
    '4.1',
  ).with(
    refuseWhen(
      'sendEmail',
      (count, { from }) => count % 5 === 0 || String(from).includes('<'),
      refuse(400, 'invalid request'),
    ),
  ),
  sporadic('every-seventh-send-401', 'Every seventh mail lacks a key', 'uuid-ids', '4.1').with(
    refuseWhen('sendEmail', every(7), refuse(401, 'the key has expired')),
  ),
  sporadic('every-eighth-send-400', 'Every eighth mail is invalid', 'integer-ids', '4.1').with(
    refuseWhen('sendEmail', every(8), refuse(400, 'invalid request')),
  ),
  sporadic('first-update-404', 'The first update of each lead finds no lead', 'uuid-ids', '4.6').with(
    refuseWhen('updateLead', (count) => count === 1, notFound, 'lead'),
  ),
  sporadic('first-update-409', 'The first update of each lead is refused', 'plain', '4.6').with(
    refuseWhen('updateLead', (count) => count === 1, conflict, 'lead'),
  ),
  sporadic('second-update-409', 'A lead can be updated once only', 'plain', '4.6').with(
    refuseWhen('updateLead', (count) => count > 1, conflict, 'lead'),
  ),
];

const stored = brokenGroup('stored-notes', documented('4.5'));

const changeStoredNote = (change: (note: string) => string): Mutation =>
  onSuccess('addLead', (reply, _, { store }) => {
    const lead = store.leads.at(-1);
    if (lead) lead.note = change(lead.note);
    return reply;
  });

/** §4.5: the note of a new lead is stored, and not only shown. */
const storedNotes = [
  stored('add-stores-note-cut', 'Add lead shows the note and stores its beginning', 'integer-ids').with(
    changeStoredNote((note) => note.slice(0, 10)),
  ),
  stored(
    'add-stores-long-note-cut',
    'Shows a long note and stores 255 characters',
    'uuid-ids',
    derived('4.5'),
  ).with(changeStoredNote((note) => note.slice(0, 255))),
  stored('add-stores-backslashes', 'Stores a note with a backslash before quotes', 'markup-refused').with(
    changeStoredNote((note) => note.replaceAll(/["']/g, '\\$&')),
  ),
  stored('add-loses-note-to-readers', 'Add lead loses a note, as reading it shows', 'python-style').with(
    changeStoredNote(() => ''),
  ),
];

const effect = brokenGroup('refused-effects', documented('4.6'));

const textsIn = (body: unknown): Fields =>
  isObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'))
    : {};

/** Stores the texts of an update that was refused for this reason. */
const storeAnyway = (reason: NonNullable<Reply['refused']>, delayMs = 0): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    const lead = store.find(call.id);
    if (call.operation !== 'updateLead' || reply.refused !== reason || !lead) return reply;
    const { name = lead.name, source = lead.source, note = lead.note } = textsIn(call.body);
    const sent = Array.isArray(call.body) ? {} : { name, source, note };
    const change = () => Object.assign(lead, sent);
    if (delayMs > 0) setTimeout(change, delayMs).unref();
    else change();
    return reply;
  },
});

/** §7: what is refused has no effect. */
const refusedEffects = [
  effect('update-stored-before-validation', 'Stores the valid fields of an update it refuses').with(
    storeAnyway('fields'),
  ),
  effect('update-of-other-type-stored', 'Stores an update of another media type', 'uuid-ids').with(
    storeAnyway('media-type'),
  ),
  effect('update-stored-without-key', 'Stores an update with an unknown key', 'integer-ids').with(
    storeAnyway('key'),
  ),
  effect('update-with-empty-name-stored', 'Stores the note of an update whose name it refuses').with({
    handle: (call, next, { store }) => {
      const reply = next(call);
      const lead = store.find(call.id);
      const { name, note } = textsIn(call.body);
      if (call.operation === 'updateLead' && reply.refused === 'fields' && name === '' && lead)
        lead.note = String(note ?? lead.note);
      return reply;
    },
  }),
  effect('refused-update-stored-late', 'Stores a refused update half a second later').with(
    storeAnyway('fields', 500),
  ),
  effect(
    'refused-delete-takes-effect',
    'Deletes later what it refused to delete',
    'refusals-at-200',
    '4.7',
  ).with({
    handle: (call, next, { store }) => {
      const reply = next(call);
      const lead = store.find(call.id);
      if (call.operation === 'deleteLead' && reply.refused === 'key' && lead)
        setTimeout(() => store.remove(lead), 500).unref();
      return reply;
    },
  }),
  effect('old-row-written-back', 'Writes the row from before an update back 400 ms later', 'uuid-ids').with({
    handle: (call, next, { store }) => {
      const lead = store.find(call.id);
      const { name, source, note } = lead ?? {};
      const reply = next(call);
      if (call.operation === 'updateLead' && !reply.refused && lead)
        setTimeout(() => Object.assign(lead, { name, source, note }), 400).unref();
      return reply;
    },
  }),
  effect('quiet-lead-lost', 'Loses a lead that is not updated within half a second', 'plain', '4.5').with({
    handle: (call, next, { store, memory }) => {
      const reply = next(call);
      if (call.operation === 'updateLead') memory.set(call.id, true);
      const lead = store.leads.at(-1);
      if (call.operation === 'addLead' && !reply.refused && lead)
        setTimeout(() => {
          if (!memory.has(lead.id)) store.remove(lead);
        }, 500).unref();
      return reply;
    },
  }),
  effect('update-forgotten-in-a-second', 'Forgets an update half a second later', 'plain').with({
    handle: (call, next, { store }) => {
      const lead = store.find(call.id);
      const before = isObject(call.body) && call.body.note !== undefined ? lead?.note : undefined;
      const reply = next(call);
      if (call.operation === 'updateLead' && !reply.refused && lead && before !== undefined)
        setTimeout(() => Object.assign(lead, { note: before }), 500).unref();
      return reply;
    },
  }),
];

const repeated = brokenGroup('repeated-updates', derived('4.6'));

const sameNote = (change: (reply: Reply) => Reply, add = ''): Mutation => ({
  handle: (call, next, { store }) => {
    const lead = store.find(call.id);
    const same = isObject(call.body) && call.body.note !== undefined && call.body.note === lead?.note;
    if (call.operation !== 'updateLead' || !same || !isObject(call.body)) return next(call);
    return change(next({ ...call, body: { ...call.body, note: `${call.body.note}${add}` } }));
  },
});

/** Sending an update again does nothing more. */
const repeatedUpdates = [
  repeated('same-note-409', 'Refuses an update with the note that is there').with(sameNote(() => conflict)),
  repeated('same-note-appended', 'Adds a mark to a note sent twice', 'integer-ids', documented('4.6')).with(
    sameNote((reply) => reply, ' (2)'),
  ),
];

const reused = brokenGroup('reused-ids', derived('2.3'));

const withId = (idFor: (count: number, alive: readonly string[]) => string): Mutation =>
  onSuccess('addLead', (reply, call, { store }) => {
    const lead = store.leads.pop();
    if (!lead) return reply;
    const id = idFor(
      call.nth,
      store.living().map((one) => one.id),
    );
    store.leads.splice(0, store.leads.length, ...store.leads.filter((one) => one.id !== id), { ...lead, id });
    return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: id } } };
  });

/** An id is a name for one lead: who stored it must not find another one. */
const reusedIds = [
  reused('ids-repeat', 'Ids begin again after thirty leads', 'integer-ids').with(
    withId((count) => String(100 + (count % 30))),
  ),
  reused('ids-in-two-cases', 'Ids differ in letter case only', 'uuid-ids').with(
    withId((count) => (count % 2 ? `lead-${count}-a` : `LEAD-${count - 1}-A`)),
  ),
];

const empty = brokenGroup('empty-errors', derived('7'));

/** §7.1: an empty error means success. */
const emptyErrors = [
  empty('failure-error-empty', 'Failures leave error empty and explain themselves in message').with(
    inRefusal('fields', (body) => ({ ...body, error: '' })),
  ),
];

const echoed = brokenGroup('echoed-email', derived('2.3'));
const emailOf = ({ body }: { readonly body: unknown }): Fields =>
  isObject(body) && body.email !== undefined ? { email: body.email } : {};

/** §2.3: `email` is part of no response. */
const echoedEmails = [
  echoed('update-echoes-email', 'Update lead shows the email of the request').with(
    inData('updateLead', (data, call) => ({ ...data, ...emailOf(call) })),
  ),
  echoed('update-echoes-email-beside-data', 'Update lead shows the email beside the data', 'php-style').with(
    inBody('updateLead', (body, call) => ({ ...body, ...emailOf(call) })),
  ),
  echoed('add-echoes-request', 'Add lead shows the request, with the email', 'python-style').with(
    inBody('addLead', (body, call) => ({ ...body, meta: { request: emailOf(call) } })),
  ),
];

const databaseError = brokenGroup('database-errors', derived('7'));

/** A statement that is put together from texts fails at a quote, and says so. */
const failAtApostrophes = (error: string): Mutation => ({
  handle: (call, next) =>
    (call.operation === 'addLead' || call.operation === 'updateLead') &&
    Object.values(textsIn(call.body)).some((text) => String(text).includes("'"))
      ? { status: 500, refused: 'fields', body: { success: false, error } }
      : next(call),
});

const databaseErrors = [
  databaseError('apostrophes-not-inserted', 'A lead with an apostrophe is not inserted', 'uuid-ids').with(
    failAtApostrophes('could not insert the lead'),
  ),
];

/** All of them: what a server does beside the response that it shows. */
export const effects = [
  ...sporadicRefusals,
  ...storedNotes,
  ...refusedEffects,
  ...repeatedUpdates,
  ...reusedIds,
  ...emptyErrors,
  ...echoedEmails,
  ...databaseErrors,
];
