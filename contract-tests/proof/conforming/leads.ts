import {
  changeReply,
  fieldsOf,
  inBody,
  mergeInto,
  onSuccess,
  refuse,
  refuseWhere,
  showLate,
  textsOf,
  withData,
  withoutAccents,
} from '../server/mutation.ts';
import type { Fields, Mutation, Reply } from '../server/types.ts';
import { habits } from './variant.ts';

/** An update takes a moment, and a deletion in that moment is refused as a conflict. */
const lockDuringUpdate: Mutation = {
  handle: async (call, next, { memory, sleep }) => {
    const lock = `lock of ${call.id}`;
    if (call.operation === 'deleteLead' && memory.has(lock))
      return refuse(409, 'the lead is being updated', 'duplicate');
    if (call.operation !== 'updateLead') return next(call);
    memory.set(lock, true);
    await sleep(25);
    memory.delete(lock);
    return next(call);
  },
};

/** The response to an update is read some time after it was stored, when another update may have been stored too. */
const readAfterUpdate = onSuccess('updateLead', async (reply, { own, sleep }) => {
  await sleep(25);
  return own ? withData(reply, textsOf(own)) : reply;
});

/** What was read of a lead is read again for a minute, whatever was updated meanwhile. */
const cacheReadings = changeReply(
  ({ operation }, { refused }) => operation === 'readLead' && !refused,
  (reply, { call: { path, at }, memory }) => {
    const cached = memory.get(path) as { readonly at: number; readonly reply: Reply } | undefined;
    if (cached && at - cached.at < 60_000) return cached.reply;
    memory.set(path, { at, reply });
    return reply;
  },
);

/** A list of leads is answered with what was added of it. */
const addSeveral = refuseWhere(
  'addLead',
  { status: 200, body: { success: true, error: '', data: [], message: 'none of them is a lead' } },
  ({ body }) => Array.isArray(body),
);

/** Shows which of its fields a lead has not. @param shown what is left of its data without those */
const showMissing = (shown: (data: Fields, missing: readonly string[]) => Fields): Mutation =>
  inBody(['addLead', 'updateLead'], (body, { call, memory }) => {
    const data = body.data as Fields;
    const sent = fieldsOf(call);
    const before = memory.get(`missing ${data.lead_id}`) as readonly string[] | undefined;
    const missing = (before ?? ['name', 'source', 'note']).filter((name) => sent[name] === undefined);
    memory.set(`missing ${data.lead_id}`, missing);
    return { ...body, data: shown(data, missing) };
  });

/** As the collation of a database compares them. */
const collated = (texts: object): string => withoutAccents(JSON.stringify(texts)).toLowerCase();

/** A lead is taken for one that it holds where letter case and accents make no difference. */
const refuseAlikeLeads = onSuccess('addLead', (reply, { newest: added, store }) => {
  const isAlike = store
    .living()
    .some((lead) => added && lead !== added && collated(textsOf(lead)) === collated(textsOf(added)));
  if (!isAlike) return reply;
  store.leads.pop();
  return refuse(409, 'this lead exists', 'duplicate');
});

/** A lead of an address that is known is the same lead (§2.3 says only that some requests send one). */
const mergeByEmail = onSuccess('addLead', (reply, { call, newest, store, memory }) => {
  const { email } = fieldsOf(call);
  if (email === undefined) return reply;
  const data = (memory.get(`of ${email}`) ?? reply.body.data) as Fields;
  const held = store.living().find(({ id }) => id === data.lead_id);
  if (held === newest) memory.set(`of ${email}`, data);
  if (!held || held === newest) return reply;
  store.leads.pop();
  return withData(reply, { ...data, ...textsOf(held) });
});

/**
 * A lead of a name that is known is the same lead, with another source and note, and a deleted one comes back with it (§2.3 says only
 * that the service assigns ids).
 */
const mergeByName = mergeInto(
  (other, { name }) => other.name === name,
  (other, added) => Object.assign(other, textsOf(added)),
);

/** A lead without a name, or with an empty one, gets one. */
const nameTheUnnamed = onSuccess('addLead', (reply, { call, newest: added }) => {
  if (!added || (fieldsOf(call).name ?? '') !== '') return reply;
  added.name = 'unnamed';
  return withData(reply, { name: added.name });
});

/** The note from before an update is in its response, beside the note that is stored. */
const showPreviousNote = inBody('updateLead', (body, { before }) => ({
  ...body,
  replaced: { note: before?.note },
}));

const mostLeads = 60;
const maxLengths = { name: 64, source: 32, note: 255 } as const;

const of = habits('lead-habits');

/** What is shown of what is stored and how soon, what happens at the same time, and which leads are refused or merged. */
export const leadHabits = [
  of('locked-during-update', 'Refuses to delete a lead at the moment of its update', lockDuringUpdate),
  of(
    'update-read-afterwards',
    'Answers an update with the lead as it is then, which an update at the same time may have changed',
    readAfterUpdate,
  ),
  of(
    'updates-show-late',
    'Shows an update in the responses to others 500 ms later',
    showLate(500),
    {},
    { settleMs: 600 },
  ),
  of(
    'updates-show-later-now-and-then',
    'Shows an update to others 300 ms later, and every ninth a second later',
    showLate(...Array.from({ length: 9 }, (_, turn) => (turn < 8 ? 300 : 1000))),
    {},
    { settleMs: 1100 },
  ),
  of('readings-cached', 'Caches what is read of a lead for a minute', cacheReadings, {
    leadReading: 'present',
  }),
  of('several-leads-at-once', 'Takes a list of leads in one addition', addSeveral),
  of(
    'missing-fields-null',
    'Shows null for a name, a source or a note that a lead was added without',
    showMissing((data, missing) => ({ ...data, ...Object.fromEntries(missing.map((name) => [name, null])) })),
    { leadRequires: [] },
  ),
  of(
    'missing-fields-absent',
    'Shows no source and no note where a lead was added without',
    showMissing((data, missing) =>
      Object.fromEntries(Object.entries(data).filter(([name]) => !missing.includes(name))),
    ),
  ),
  of('previous-note-shown', 'Shows what each update replaced beside what it stored', showPreviousNote),
  of(
    'alike-leads-refused',
    'Refuses a lead that differs from another one in letter case or accents only',
    refuseAlikeLeads,
  ),
  of(
    'merges-by-email',
    'Answers with the lead it holds of the same email instead of adding another',
    mergeByEmail,
  ),
  of('unnamed-leads', 'Gives a lead without a name the name "unnamed"', nameTheUnnamed, { leadRequires: [] }),
  of(
    'merges-by-name',
    'Takes a second lead of a name for the first one, also if that was deleted',
    mergeByName,
  ),
  // Columns of usual widths (§8).
  of(
    'short-texts',
    'Refuses names beyond 64 letters, sources beyond 32 and notes beyond 255',
    refuseWhere(['addLead', 'updateLead'], refuse(400, 'a text is too long'), (call) =>
      Object.entries(maxLengths).some(([name, most]) => String(fieldsOf(call)[name] ?? '').length > most),
    ),
  ),
  // A plan with a limit (§8): refused are the leads beyond it, until one is deleted.
  of(
    'limited-leads',
    `Holds ${mostLeads} leads and refuses more`,
    refuseWhere(
      'addLead',
      refuse(403, `the plan is limited to ${mostLeads} leads`),
      (_, { store }) => store.living().length >= mostLeads,
    ),
  ),
  // What the document shows without a body may be refused with one.
  of(
    'bodies-refused-where-none-is-shown',
    'Refuses a list and a deletion that carry a body',
    refuseWhere(
      ['listTemplates', 'deleteLead'],
      refuse(400, 'no body is expected'),
      ({ text }) => text !== '',
    ),
  ),
];
