import { setTimeout as wait } from 'node:timers/promises';
import { cleanUp, NoAnswer } from './client.ts';
import { type Session, type Shared, sessionFor } from './session.ts';

/** What a deployment says of a lead that is not there. */
export const goneStatuses: readonly number[] = [404, 410];

/**
 * Deletes what the run created, and returns what is left of it. Two rounds, because a lead just added may not be known
 * yet; in the second, "no such lead" is good news. Never decides a verdict.
 */
export const deleteCreated = async (shared: Shared): Promise<readonly string[]> => {
  await shared.client.idle(); // a check that failed may have left a request under way that adds a lead
  const session = sessionFor(shared, cleanUp);
  if (!(await deleteAll(session, []))) return shared.ledger.open();
  if (shared.ledger.open().length === 0) return [];
  await wait(1000);
  await deleteAll(session, goneStatuses);
  return shared.ledger.open();
};

const mostUnanswered = 3;

/**
 * @param gone statuses that count as deleted
 * @returns whether the deployment answers at all; if not, what is left stays on the ledger, and so in the report
 */
export const deleteAll = async (session: Session, gone: readonly number[]): Promise<boolean> => {
  let unanswered = 0;
  for (const leadId of session.ledger.open()) {
    try {
      const { outcome, status } = await session.send('deleteLead', { leadId, intent: 'probe' });
      if (outcome === 'success' || gone.includes(status)) session.ledger.deleted(leadId);
      unanswered = 0;
    } catch (error) {
      if (error instanceof NoAnswer) unanswered += 1;
    }
    if (unanswered >= mostUnanswered) return false;
  }
  return true;
};
