import { describeRefusal } from '../../client/exchange.ts';
import type { ActiveCheck } from '../../session/check.ts';
import { claimOf, operationOf } from '../../session/operations.ts';
import { fail, RefusalAllowed } from '../../session/outcome.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import {
  concurrentRounds,
  expectGone,
  requireNotRefused,
  requireUpdates,
  severalLeads,
  showsItself,
  updateDeletedLead,
} from '../support/lead-assertions.ts';

const deleteLead = claimOf('deleteLead');

/**
 * Deletes and updates a lead concurrently: a pending update must not restore it.
 * @returns whether the lead is gone at once; if not, it may be gone a moment later
 */
const deleteDuringUpdate = async (session: Session, lead: OwnLead): Promise<boolean> => {
  const { validRequest } = operationOf('updateLead');
  const [, deletion] = await Promise.all([
    session.send('updateLead', { ...validRequest(session, { lead }), intent: 'probe' }),
    session.send('deleteLead', { leadId: lead.id, intent: 'probe' }),
  ]);
  if (deletion.outcome === 'refusal')
    throw new RefusalAllowed(`a deletion during an update is refused: ${describeRefusal(deletion)}`);
  requireNotRefused(deletion);
  // Not with `updateLead`, which would wait until a new lead is visible.
  const body = session.updateBody({ note: session.newNote() }, lead);
  const update = await session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
  // A success that shows another lead may have created it.
  if (update.outcome !== 'success') session.ledger.deleted(lead.id);
  return !showsItself(lead, update);
};

const expectGoneBesideUpdates = async (session: Session): Promise<void> => {
  requireUpdates(session);
  const leads: OwnLead[] = [];
  for (let round = 1; round <= concurrentRounds; round += 1) {
    const lead = await session.ownLead();
    leads.push(lead);
    if (await deleteDuringUpdate(session, lead)) return;
  }
  const later = await Promise.all(
    leads.map((lead) => updateDeletedLead(session, lead, (update) => showsItself(lead, update))),
  );
  const [first] = later;
  if (!first || !leads.every((lead, index) => showsItself(lead, later[index] ?? first))) return;
  fail(
    'a lead that is deleted while it is updated to be gone',
    `the update restored it, in ${concurrentRounds} of ${concurrentRounds} tries`,
    first,
  );
};

export const concurrentDeleteChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.delete.removes-at-once',
    leads: 4,
    title: 'leads deleted concurrently are all gone',
    level: 'documented',
    ...deleteLead,
    run: async (session) => {
      requireUpdates(session);
      const leads = await severalLeads(session, 4);
      const replies = await Promise.all(leads.map((lead) => session.deleteLead(lead)));
      for (const [index, lead] of leads.entries()) {
        if (replies[index]?.outcome === 'success') await expectGone(session, lead);
      }
    },
  },
  {
    id: 'leads.delete.beside-update',
    leads: concurrentRounds,
    title: 'a lead that is deleted while it is updated is gone',
    level: 'derived',
    ...deleteLead,
    run: expectGoneBesideUpdates,
  },
];
