import { setTimeout as wait } from 'node:timers/promises';
import { dataOf, describeRefusal, type Exchange, isRefusal } from '../../client/exchange.ts';
import { readUntil, retrieveLead, type ShownLead } from '../../session/availability.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckSkipped, fail } from '../../session/outcome.ts';
import { carriesEmail, maxPropagationMs, type OwnLead, snapshot, textsIn } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { cannotRead, expectFields, type Fields, requireNotRefused } from '../support/lead-assertions.ts';
import { knownLead } from '../support/lead-state.ts';
import { expectTextsKept, mixedTexts } from '../support/text-assertions.ts';

const add = claimOf('addLead');
const update = claimOf('updateLead');

/**
 * Sends an update with the current note. A replica with a delay may not know a new lead, but it knows one that is some seconds
 * old, and directly after a successful update there is nothing to wait for.
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

/** Whether the deployment shows notes: an update without a note shows the note of the update before. */
const showsNotes = async (session: Session): Promise<boolean> => {
  const lead = await knownLead(session);
  const shown = await session.readBack(lead);
  const keeps = shown !== undefined && dataOf(shown).note === lead.expected.note;
  await session.deleteLead(lead);
  return keeps;
};

/** Expects a GET to show what is stored, possibly with a delay because of a cache. */
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

/**
 * Expects a GET to show the note of an update. The lead is one that no GET has read yet, because a cache may keep an older
 * state and §4.8 does not state how current a read is.
 */
export const expectUpdateRetrieved = async (session: Session): Promise<void> => {
  const lead = await knownLead(session);
  await expectRetrieved(session, lead, { note: lead.expected.note }, 'an update');
  await session.deleteLead(lead);
};

/**
 * Adds a lead with a note that storage easily damages, or a plain one if such notes are refused. The
 * expected texts are those of the response.
 */
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
        expectTextsKept(exchange, { note: lead.expected.note }, 'as in the response to its addition');
      if (updates) requireNotRefused(await session.updateLead(lead, session.newNote()));
      await session.deleteLead(lead);
      if (!exchange && !read) throw new CheckSkipped(cannotRead);
    },
  },
  {
    id: 'leads.update.repeatable',
    title: 'an update with the current value succeeds and changes nothing else',
    level: 'derived',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session);
      for (const isUnchanged of [true, true, false, true]) {
        const exchange = isUnchanged
          ? await sendUnchanged(session, lead)
          : await session.updateLead(lead, session.newNote());
        if (isUnchanged && exchange.outcome === 'refusal') {
          // Even after a refusal as unknown: an update that changes something finds the lead.
          requireNotRefused(await session.updateLead(lead, session.newNote()));
          fail('an update with the current note to succeed', describeRefusal(exchange), exchange);
        }
        expectFields(requireNotRefused(exchange), lead.expected);
      }
      await session.deleteLead(lead);
    },
  },
  {
    id: 'leads.update.no-email',
    title: 'the response to an update with an email does not contain the email',
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
        throw new CheckSkipped(`the deployment does not accept an email: ${describeRefusal(exchange)}`);
      if (exchange.rawText.includes(email))
        fail('no email in the response', 'the email of the request', exchange);
      if (carriesEmail(exchange))
        fail('no field email in the response', 'the response has a field email', exchange);
    },
  },
];

/** Two updates that succeed with a pause between them must also succeed without it: the document requires no pause. */
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
    fail('an update directly after another one to succeed', describeRefusal(second), second);
  if (!isRefusal(later)) return;
  // If the first update of another lead succeeds, the reason is not a quota.
  const other = await knownLead(session);
  const again = await session.updateLead(other, session.newNote());
  if (isRefusal(again))
    fail('a second update of a lead to succeed like the first one', describeRefusal(again), again);
};

/** Number of updates of one lead that must succeed: the document states no limit. */
const manyUpdates = 10;

/** Updates a lead until an update is refused. @returns the number of successes, and the refusal */
const updateOften = async (
  session: Session,
  lead: OwnLead,
): Promise<{ count: number; refusal?: Exchange }> => {
  for (let count = 0; count < manyUpdates; count += 1) {
    const exchange = await session.updateLead(lead, session.newNote());
    if (isRefusal(exchange)) return { count, refusal: exchange };
  }
  return { count: manyUpdates };
};

/** A lead that refuses all updates after some, like another new lead, has a limit: a quota or an outage would refuse both. */
const expectNoLimit = async (session: Session): Promise<void> => {
  const lead = await session.ownLead();
  const { count, refusal } = await updateOften(session, lead);
  if (refusal && count > 1) {
    const second = await updateOften(session, await session.ownLead());
    const again = await session.updateLead(lead, session.newNote());
    if (second.refusal && second.count > 1 && isRefusal(again))
      fail(
        `${manyUpdates} updates of a lead to succeed`,
        `refused after ${count}, and after ${second.count} of another lead: ${describeRefusal(refusal)}`,
        refusal,
      );
  }
  await session.discardLeads();
};

/** Finds an update that is refused at first, although the lead must be visible by then, and accepted later. */
const expectFirstUpdate = async (session: Session): Promise<void> => {
  const lead = await session.ownLead();
  // Only if new leads seem to become visible late: the first request may be refused, regardless of the time.
  if (session.requirements.eventuallyConsistent) await wait(maxPropagationMs + 100);
  const first = await session.updateLead(lead, session.newNote());
  const second = await session.updateLead(lead, session.newNote());
  await expectNoPause(session, lead, first, second);
  await session.deleteLead(lead);
  requireNotRefused(second);
  if (first.outcome === 'refusal')
    fail(
      `the first update of a lead added ${maxPropagationMs} ms ago to succeed, like the second one`,
      describeRefusal(first),
      first,
    );
};

export const firstUpdateCheck: ActiveCheck = {
  id: 'leads.update.first-time',
  title: 'the first ten updates of a lead succeed, at the latest some seconds after it was added',
  level: 'documented',
  ...update,
  run: async (session) => {
    await expectFirstUpdate(session);
    await expectNoLimit(session);
  },
};
