import { setTimeout as wait } from 'node:timers/promises';
import { cleanUp } from './client.ts';
import { type Session, type Shared, sessionFor } from './session.ts';

/**
 * Deletes what the run created, and returns what is left of it. Two rounds, because a lead just added may not be known
 * yet; in the second, "no such lead" is good news. Never decides a verdict.
 */
export const deleteCreated = async (shared: Shared): Promise<readonly string[]> => {
  const session = sessionFor(shared, cleanUp);
  await deleteAll(session, []);
  if (shared.ledger.open().length === 0) return [];
  await wait(1000);
  await deleteAll(session, [404, 410]);
  return shared.ledger.open();
};

const deleteAll = async (session: Session, gone: readonly number[]): Promise<void> => {
  for (const leadId of session.ledger.open()) {
    try {
      const { outcome, status } = await session.send('deleteLead', { leadId, intent: 'probe' });
      if (outcome === 'success' || gone.includes(status)) session.ledger.deleted(leadId);
    } catch {
      // Stays on the ledger, and so in the report.
    }
  }
};
