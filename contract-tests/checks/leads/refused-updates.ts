import { setTimeout as wait } from 'node:timers/promises';
import { dataOf, describeRefusal, type Exchange, isRefusal } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import type { SendOptions } from '../../session/lead-requests.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckInconclusive, CheckSkipped, describeValue, fail, show } from '../../session/outcome.ts';
import { leadFields, type OwnLead, textsIn } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import {
  expectFields,
  expectNotUndone,
  expectThere,
  type Fields,
  requireNotRefused,
} from '../support/lead-assertions.ts';
import { expectUnchanged, knownLead, watchLead } from '../support/lead-state.ts';
import { type RefusedBody, refusedBodies, withWrongKey } from './refused-adds.ts';

const update = claimOf('updateLead');

const oneSecondMs = 1000;

/** An update that a deployment may refuse, with values that must not be stored then. */
type Attempt = {
  readonly body: RefusedBody;
  readonly fields: Fields;
  readonly options: SendOptions;
};

const updateBodies: readonly RefusedBody[] = [
  ...refusedBodies,
  { label: 'null for source', optionsOf: (fields) => ({ body: { ...fields, source: null } }) },
  { label: 'an array', optionsOf: (fields) => ({ body: [fields] }) },
  { label: 'null for note', optionsOf: () => ({ body: { note: null } }) },
  { label: 'an empty name', optionsOf: (fields) => ({ body: { ...fields, name: '' } }) },
  { label: 'no body', optionsOf: () => ({ raw: '' }) },
];

const attemptWith = (session: Session, body: RefusedBody): Attempt => {
  const fields = session.newFields();
  return { body, fields, options: body.optionsOf(fields) };
};

/** A lead and the refused updates of it. */
type Subject = {
  readonly lead: OwnLead;
  readonly refused: readonly Attempt[];
  /** Whether an update without a note showed the last note. */
  readonly showsNote: boolean;
};

const expectNoFieldStored = (exchange: Exchange, refused: readonly Attempt[], when: string): void => {
  const data = dataOf(exchange);
  for (const { body, fields } of refused) {
    for (const name of leadFields)
      if (data[name] === fields[name])
        fail(
          `nothing stored of an update that was refused (${body.label})`,
          `its ${name} ${when}: ${show(data[name])}`,
          exchange,
        );
  }
};

/** Sends an attempt for a lead. */
const sendTo = (session: Session, { options }: Attempt, { id }: OwnLead): Promise<Exchange> =>
  session.send('updateLead', { ...options, leadId: id, intent: 'probe' });

/** Sends invalid updates one after another, and uses a new lead after one that was accepted. */
const sendRefused = async (session: Session): Promise<Subject> => {
  let watched = await watchLead(session, await knownLead(session));
  let refused: Attempt[] = [];
  const ofLeadsBefore: RefusedBody[] = [];
  for (const body of updateBodies) {
    const attempt = attemptWith(session, body);
    const run = (lead: OwnLead): Promise<Exchange> => sendTo(session, attempt, lead);
    const { outcome } = await run(watched.lead);
    if (outcome === 'refusal') {
      refused.push(attempt);
      const action = { label: `an update that was refused (${attempt.body.label})`, run };
      const shown = await expectUnchanged(session, watched, action);
      expectNoFieldStored(shown, refused, 'at once');
      expectNotUndone(shown, watched.lead, action.label);
      continue;
    }
    watched.lead.predictable = false;
    await session.deleteLead(watched.lead);
    watched = await watchLead(session, await knownLead(session));
    ofLeadsBefore.push(...refused.map((attempt) => attempt.body));
    refused = [];
  }
  const { lead } = watched;
  // Bodies that earlier leads refused may have a late effect on this lead.
  for (const body of ofLeadsBefore) {
    const attempt = attemptWith(session, body);
    const { outcome } = await sendTo(session, attempt, lead);
    if (outcome === 'refusal') refused.push(attempt);
    else lead.predictable = false;
  }
  requireNotRefused(await session.updateLead(lead, session.newNote()));
  // Directly after an update, before any request has read it.
  const [first] = refused;
  if (first) await sendTo(session, first, lead);
  const shown = await session.readBack(lead);
  if (first && shown) expectNotUndone(shown, lead, `an update that was refused (${first.body.label})`);
  const showsNote = shown !== undefined && dataOf(shown).note === lead.expected.note;
  return { lead, refused, showsNote };
};

/** The response to a deletion, directly after an attempt if one is passed. */
const deleteAfter = async (session: Session, attempt?: Attempt): Promise<Exchange> => {
  const lead = await knownLead(session);
  if (attempt) await sendTo(session, attempt, lead);
  return session.deleteLead(lead);
};

/** A lead must be deletable after refused updates, if a lead without them is. */
const expectStillDeletable = async (session: Session, { lead, refused }: Subject): Promise<void> => {
  const exchange = await session.deleteLead(lead);
  if (!isRefusal(exchange)) return;
  for (const attempt of refused) {
    requireNotRefused(await deleteAfter(session));
    const deletion = await deleteAfter(session, attempt);
    if (deletion.outcome === 'refusal')
      fail(
        `a lead to be deleted after an update that was refused (${attempt.body.label})`,
        `refused: ${describeRefusal(deletion)}`,
        deletion,
      );
  }
  throw new CheckInconclusive(`the lead could not be deleted: ${describeRefusal(exchange)}`);
};

/** Leads that get no requests for a while: one as added, and one after an update of all its fields. */
type QuietLeads = { readonly added: OwnLead; readonly updated: OwnLead };

const createQuietLeads = async (session: Session): Promise<QuietLeads> => {
  const [added, updated] = [await session.ownLead(), await session.ownLead()];
  const request = { leadId: updated.id, body: session.newFields(), intent: 'probe' } as const;
  const exchange = await session.send('updateLead', request);
  // The document leaves open which fields an update applies: what its response shows must persist.
  if (exchange.outcome === 'success')
    updated.expected = { ...updated.expected, ...textsIn(dataOf(exchange)) };
  return { added, updated };
};

const expectQuietLeadsUnchanged = async (
  session: Session,
  { added, updated }: QuietLeads,
  showsNote: boolean,
): Promise<void> => {
  const { expected } = updated;
  const read = showsNote ? await session.readBack(updated) : undefined;
  if (read) expectFields(read, expected, 'as in the response to the last update');
  await expectThere(session, updated, 'a second without requests about it');
  await expectThere(session, added, 'a second without requests about it');
};

export const refusedUpdateCheck: ActiveCheck = {
  id: 'leads.update.refused-changes-nothing',
  title: 'an update that is refused changes nothing',
  level: 'documented',
  ...update,
  run: async (session) => {
    const subject = await sendRefused(session);
    if (subject.refused.length === 0) throw new CheckSkipped('the deployment refuses none of these updates');
    await expectStillDeletable(session, subject);
  },
};

/** The same check after a pause of one second, and with a wrong key. */
export const lastingUpdateCheck: ActiveCheck = {
  id: 'leads.update.lasts-a-second',
  waits: true,
  // Few leads, so that no other check waits for room while this one waits.
  leads: 3,
  title: 'an update persists for a second, refused requests do not take effect later',
  level: 'documented',
  ...update,
  run: async (session) => {
    const { lead, refused, showsNote } = await sendRefused(session);
    const attempt = attemptWith(session, withWrongKey);
    const update = await sendTo(session, attempt, lead);
    const deletion = await session.send('deleteLead', { leadId: lead.id, credentials: 'random key' });
    if (deletion.outcome === 'success' || update.outcome === 'success')
      throw new CheckInconclusive('a wrong key is accepted, see leads.update.auth and leads.delete.auth');
    await session.send('addLead', { body: session.newFields(), credentials: 'random key', intent: 'probe' });
    const quiet = await createQuietLeads(session);
    await wait(oneSecondMs);
    await expectQuietLeadsUnchanged(session, quiet, showsNote);
    const shown = await session.readBack(lead);
    if (shown) expectNoFieldStored(shown, [...refused, attempt], 'a second later');
    const { note } = lead.expected;
    if (shown && showsNote && dataOf(shown).note !== note)
      fail(`the note of the last update: ${show(note)}`, describeValue(dataOf(shown).note, note), shown);
    await expectThere(session, lead, 'a second');
    const { outcome } = await session.deleteLead(lead);
    if (outcome !== 'success') throw new CheckInconclusive('the lead could not be deleted');
    // For `leads.add.created-at-advances`: another lead was added before the pause.
    await session.addLead();
  },
};
