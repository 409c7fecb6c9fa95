import { setTimeout as wait } from 'node:timers/promises';
import { describeRefusal, type Exchange, isRefusal } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { fail } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { isServerError } from '../../session/trouble.ts';
import {
  expectGone,
  expectNotesKept,
  expectThere,
  leadsSharingOneField,
  requireNotRefused,
  requireUpdates,
  updateDeletedLead,
  withEmptyPairs,
} from '../support/lead-assertions.ts';
import { padded } from './text-length.ts';

const deleteLead = claimOf('deleteLead');

/** Fails if a deletion fails twice, or is refused although the lead exists: an update succeeds, and a deletion after it. */
const expectDeleted = async (session: Session, lead: OwnLead, deletion: Exchange): Promise<void> => {
  if (isServerError(deletion) && isServerError(await session.deleteLead(lead)))
    fail('the deletion of an existing lead to succeed', `twice ${describeRefusal(deletion)}`, deletion);
  if (!isRefusal(deletion)) return;
  const update = await session.updateLead(lead, session.newNote());
  if (update.outcome !== 'success' || (await session.deleteLead(lead)).outcome !== 'success') return;
  fail(
    'the deletion of an existing lead to succeed',
    `refused until the lead was updated: ${describeRefusal(deletion)}`,
    deletion,
  );
};

/** Deletes leads with empty texts, a long note and quotation marks, as far as the deployment accepts them. */
const expectUnusualLeadGone = async (session: Session): Promise<void> => {
  const note = session.newNote();
  for (const texts of [{ source: '', note: '' }, { note: padded(note, 2000) }, { note: `"${note}"'s` }]) {
    const { exchange, lead } = await session.addLead({ ...session.newFields(), ...texts }, 'text');
    if (exchange.outcome !== 'success' || !lead || session.leads.get(lead.id) !== lead) continue;
    const deletion = await session.deleteLead(lead);
    await expectDeleted(session, lead, deletion);
    if (deletion.outcome === 'success') await expectGone(session, lead);
  }
};

/** A deleted lead must stay deleted after a list, a refused request, a wrong key, and one second. */
const expectGoneForGood = async (session: Session): Promise<void> => {
  requireUpdates(session);
  const lead = await session.ownLead();
  requireNotRefused(await session.updateLead(lead, session.newNote()));
  requireNotRefused(await session.deleteLead(lead));
  await session.send('addLead', { body: {}, intent: 'probe' });
  await session.send('listTemplates', { intent: 'probe' });
  await session.send('addLead', { raw: '[]', intent: 'probe' });
  await session.send('deleteLead', { leadId: lead.id, credentials: 'random key', intent: 'probe' });
  await wait(1000);
  await expectGone(session, lead);
};

export const deleteChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.delete.removes',
    leads: 4,
    title: 'a deleted lead is gone and does not reappear',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      // Leads with different numbers of updates: deletion may fail intermittently, or only for updated leads.
      for (const [round, updates] of [0, 1, 0, 4].entries()) {
        const lead = await session.ownLead();
        for (let count = 0; count < updates; count += 1) await session.updateLead(lead, session.newNote());
        const deletion = await session.deleteLead(lead);
        await expectDeleted(session, lead, deletion);
        requireNotRefused(deletion);
        if (round >= 2) await session.addLead();
        await expectGone(session, lead);
        if (round > 0) continue;
        // A second deletion must not restore the lead, whatever its response.
        await session.send('deleteLead', { leadId: lead.id, intent: 'probe' });
        await expectGone(session, lead);
      }
      await expectUnusualLeadGone(session);
    },
  },
  {
    id: 'leads.delete.refuses-update',
    title: 'an update of a deleted lead gets an error response',
    level: 'derived',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const lead = await session.ownLead();
      requireNotRefused(await session.deleteLead(lead));
      const after = await updateDeletedLead(session, lead);
      if (after.outcome === 'success') fail('an error response', 'success', after);
    },
  },
  {
    id: 'leads.delete.that-lead-only',
    leads: 7,
    title: 'deleting a lead deletes no other lead, not even one with the same name or source',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const before = await session.ownLead();
      const [deletedLead, ...others] = await leadsSharingOneField(session);
      const last = await session.ownLead();
      // Neighbours, the first and the last lead must all survive.
      const survivors = [before, ...others, last];
      // A lead with the note of the deleted one keeps it.
      for (const lead of survivors)
        if (lead.expected.note !== deletedLead.expected.note)
          await session.updateLead(lead, session.newNote());
      requireNotRefused(await session.deleteLead(deletedLead));
      for (const lead of survivors) await expectThere(session, lead, 'another lead was deleted');
      await withEmptyPairs(session, async (first, second) => {
        requireNotRefused(await session.deleteLead(first));
        await expectThere(session, second, 'another lead with the same empty text was deleted');
      });
    },
  },
  {
    id: 'leads.delete.keeps-notes',
    leads: 5,
    title: 'deleting a lead does not change the notes of other leads',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const [deletedLead, ...others] = await leadsSharingOneField(session);
      await expectNotesKept(session, others, async () => {
        requireNotRefused(await session.deleteLead(deletedLead));
      });
    },
  },
  {
    id: 'leads.delete.lasts-a-second',
    waits: true,
    leads: 1,
    title: 'a deleted lead stays gone for a second, regardless of other requests',
    level: 'documented',
    ...deleteLead,
    run: expectGoneForGood,
  },
];
