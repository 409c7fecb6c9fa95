import { setTimeout as wait } from 'node:timers/promises';
import { dataOf, describeRefusal, type Exchange, isRefusal } from '../../client/exchange.ts';
import { readUntil } from '../../session/availability.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckSkipped, fail } from '../../session/outcome.ts';
import { carriesEmail, maxPropagationMs, type OwnLead, snapshot, textsIn } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { cannotRead, expectFields, type Fields, requireNotRefused } from '../support/lead-assertions.ts';
import { retrieveLead, type ShownLead } from '../support/lead-reading.ts';
import { knownLead } from '../support/lead-state.ts';
import { expectTextsKept, mixedTexts } from '../support/text-assertions.ts';

const add = claimOf('addLead');
const update = claimOf('updateLead');

/**
 * An update with the note that is there. A copy that lags behind may not know a new lead; one of some seconds is known, and
 * directly after an update that succeeds there is nothing to lag behind.
 */
const sendUnchanged = async (session: Session, lead: OwnLead): Promise<Exchange> => {
  const send = (): Promise<Exchange> =>
    session.send('updateLead', {
      leadId: lead.id,
      body: session.updateBody({ note: lead.expected.note }, lead),
      lead: snapshot(lead),
    });
  const first = await send();
  if (!isRefusal(first)) return first;
  await wait(Math.max(0, lead.createdAtMs + maxPropagationMs - Date.now()));
  for (let round = 1; ; round += 1) {
    requireNotRefused(await session.updateLead(lead, session.newNote()));
    const again = await send();
    if (isRefusal(again) || round === 3) return again;
  }
};

/** Where a note is shown at all: one that was updated is shown by an update without a note. */
const showsNotes = async (session: Session): Promise<boolean> => {
  const lead = await knownLead(session);
  const shown = await session.readBack(lead);
  const keeps = shown !== undefined && dataOf(shown).note === lead.expected.note;
  await session.deleteLead(lead);
  return keeps;
};

/** What is retrieved is what is stored, though a cache may take its time. */
const expectRetrieved = async (
  session: Session,
  lead: OwnLead,
  stored: Partial<Fields>,
  after: string,
): Promise<boolean> => {
  const isAsStored = ({ data }: ShownLead): boolean =>
    Object.entries(textsIn(data)).every(
      ([name, text]) => !(name in stored) || text === stored[name as keyof Fields],
    );
  const shown = await readUntil(
    () => retrieveLead(session, lead),
    (shown) => !shown || isAsStored(shown),
  );
  if (shown) expectFields(shown.exchange, stored, `as stored, after ${after}`, shown.data);
  return shown !== undefined;
};

/** The note of an update is retrieved: of a lead that nothing retrieved yet, as a cache may keep it and nothing is shown of how fresh that is (§4.8). */
export const expectUpdateRetrieved = async (session: Session): Promise<void> => {
  const lead = await knownLead(session);
  await expectRetrieved(session, lead, { note: lead.expected.note }, 'an update');
  await session.deleteLead(lead);
};

/** A lead with a note that storage easily damages, or a plain one where such notes are refused; expected is what the response shows. */
const addWithMixedNote = async (session: Session): Promise<OwnLead> => {
  for (const text of mixedTexts) {
    const note = `${text} ${session.runId}`;
    const { exchange, lead } = await session.addLead({ ...session.newFields(), note }, 'text');
    if (exchange.outcome !== 'success' || !lead) continue;
    lead.expected = { ...lead.expected, ...textsIn(dataOf(exchange)) };
    return lead;
  }
  return session.ownLead();
};

export const persistenceChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.stores-note',
    title: 'the note of a new lead is stored, as later responses show',
    level: 'documented',
    ...add,
    run: async (session) => {
      const updates = session.can('updateLead');
      const shows = updates && (await showsNotes(session));
      const lead = await addWithMixedNote(session);
      const read = await expectRetrieved(session, lead, lead.expected, 'it was added');
      const exchange = shows ? await session.readBack(lead) : undefined;
      if (exchange)
        expectTextsKept(exchange, { note: lead.expected.note }, 'as the response to its addition showed it');
      if (updates) requireNotRefused(await session.updateLead(lead, session.newNote()));
      await session.deleteLead(lead);
      if (!exchange && !read) throw new CheckSkipped(cannotRead);
    },
  },
  {
    id: 'leads.update.repeatable',
    title: 'an update with the value that is there succeeds and changes nothing else',
    level: 'derived',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session);
      for (const isUnchanged of [true, true, false, true]) {
        const exchange = isUnchanged
          ? await sendUnchanged(session, lead)
          : await session.updateLead(lead, session.newNote());
        if (exchange.outcome === 'refusal') {
          // Even where it is refused as unknown: an update that changes something finds the lead.
          requireNotRefused(await session.updateLead(lead, session.newNote()));
          fail('an update with the note that is there to succeed', describeRefusal(exchange), exchange);
        }
        expectFields(requireNotRefused(exchange), lead.expected);
      }
      await session.deleteLead(lead);
    },
  },
  {
    id: 'leads.update.no-email',
    title: 'the response to an update that carried an email does not contain it',
    level: 'derived',
    ...update,
    section: '2.3',
    run: async (session) => {
      const lead = await knownLead(session);
      const email = `contract-test-${session.runId}-update@example.com`;
      const body = session.updateBody({ note: session.newNote(), email }, lead);
      const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
      await session.deleteLead(lead);
      if (exchange.outcome !== 'success')
        throw new CheckSkipped(`the deployment does not take an email: ${describeRefusal(exchange)}`);
      if (exchange.rawText.includes(email))
        fail('no email in the response', 'the email of the request', exchange);
      if (carriesEmail(exchange))
        fail('no field email in the response', 'the response has a field email', exchange);
    },
  },
];

/** Two updates that succeed with a pause between them succeed without one: nothing says that a lead needs a rest. */
const expectNoPause = async (
  session: Session,
  lead: OwnLead,
  first: Exchange,
  second: Exchange,
): Promise<void> => {
  if (first.outcome !== 'success' || !isRefusal(second)) return;
  await wait(2000);
  const later = await session.updateLead(lead, session.newNote());
  if (later.outcome === 'success')
    fail('an update directly after another to succeed', describeRefusal(second), second);
  if (!isRefusal(later)) return;
  // A lead that nobody has updated yet can be: it is no quota then.
  const other = await knownLead(session);
  const again = await session.updateLead(other, session.newNote());
  if (isRefusal(again))
    fail('a second update of a lead to succeed as the first does', describeRefusal(again), again);
};

/** What is refused at first although the lead is there by any measure, and then accepted. */
const expectFirstUpdate = async (session: Session): Promise<void> => {
  const lead = await session.ownLead();
  // Only where new leads seem to take a moment: it may be the first request that is refused, and not the first second.
  if (session.requirements.eventuallyConsistent) await wait(maxPropagationMs + 100);
  const first = await session.updateLead(lead, session.newNote());
  const second = await session.updateLead(lead, session.newNote());
  await expectNoPause(session, lead, first, second);
  await session.deleteLead(lead);
  requireNotRefused(second);
  if (first.outcome === 'refusal')
    fail(
      `the first update of a lead added ${maxPropagationMs} ms ago to succeed, as the second does`,
      describeRefusal(first),
      first,
    );
};

export const firstUpdateCheck: ActiveCheck = {
  id: 'leads.update.first-time',
  title: 'the first updates of a lead succeed, at the latest some seconds after it was added',
  level: 'documented',
  ...update,
  run: expectFirstUpdate,
};
