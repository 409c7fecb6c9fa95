import { isDisconnected, RequestFailed } from '../client/errors.ts';
import { cleanUp, type Exchange, isSuccess } from '../exchange/exchange.ts';
import { madeUpMark } from '../exchange/leads.ts';
import { hasServiceForm, isTrouble } from '../exchange/origin.ts';
import { hasGoneStatus, isWrongSuccess } from '../exchange/responses.ts';
import { maxLagMs } from '../model/register.ts';
import { leadIdOf } from '../model/requests.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';

/**
 * Deletes the leads that the run created; those that are left stay on the ledger. Runs two rounds, because a lead added
 * just before may not be visible yet; in the second round, "no such lead" counts as deleted. Never decides a verdict.
 * @param pauses milliseconds to wait before each retry if the deployment accepts no connections
 */
export const deleteCreated = async (shared: Shared, pauses: readonly number[] = []): Promise<void> => {
  await shared.client.idle(); // a failed check may have left a pending request that adds a lead
  const session = sessionFor(shared, cleanUp);
  if (!(await deleteInRounds(session, pauses)) || shared.ledger.open().length === 0) return;
  // If new leads became visible late before, the last one may need the same time; one that no request has found may need more.
  const isFound = (leadId: string): boolean =>
    shared.client.exchanges.some((exchange) => isSuccess(exchange) && leadIdOf(exchange) === leadId);
  const waitMs = shared.ledger.open().every(isFound) ? shared.history.model.dialect.lagMs : 2 * maxLagMs;
  await shared.client.clock.wait(Math.max(1000, waitMs));
  await deleteAll(session, true);
};

/** Pauses in milliseconds. A restart of a deployment takes some seconds. */
export const cleanUpPauses: readonly number[] = [2000, 4000, 6000];

/** @returns whether the deployment responds */
const deleteInRounds = async (session: Session, [pauseMs, ...later]: readonly number[]): Promise<boolean> => {
  const ending = await deleteAll(session, false);
  if (ending !== 'no answer' || pauseMs === undefined) return ending === 'answered';
  const left = session.ledger.open().length;
  const reason = `no response; ${left} ${left === 1 ? 'lead is' : 'leads are'} left to delete`;
  return session.client.pause(pauseMs, reason, true) && deleteInRounds(session, later);
};

/** Deletes the leads that another run left. An unknown lead counts as deleted. */
export const deleteLeft = async (shared: Shared): Promise<void> => {
  await deleteAll(sessionFor(shared, cleanUp), true);
};

/**
 * Where an update has found a deleted lead, deletes every lead that an update still finds, and updates it once more: if that succeeds,
 * the lead is on the ledger again. Where an update succeeds for any id, it shows nothing.
 */
export const deleteRevived = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, cleanUp);
  if (!shared.history.model.hasRevived() || !shared.can('updateLead') || shared.health.hasStopped()) return;
  if (await isUnknownToDeletion(session, shared.unknownId)) return;
  for (const id of shared.ledger.all()) {
    if ((await tryUpdate(session, id)).outcome !== 'success') continue;
    await remove(session, id);
    await tryUpdate(session, id);
  }
};

/** `no answer`: no server accepts requests now; `refused`: requests are refused, so that a retry would not help. */
type Ending = 'answered' | 'no answer' | 'refused';

/** A deployment that has stopped responding gets only one more request. */
const maxUnanswered = ({ health }: Session): number => (health.hasStopped() ? 1 : 3);

/**
 * @param trustsAbsence whether "no such lead" counts as deleted
 * @returns the result; leads that are not deleted stay in the ledger and appear in the report
 */
const deleteAll = async (session: Session, trustsAbsence: boolean): Promise<Ending> => {
  let unanswered = 0;
  let ending: Ending = 'answered';
  for (const leadId of session.ledger.open()) {
    try {
      const exchange = await remove(session, leadId);
      const isDeleted = exchange.outcome === 'success';
      if (isDeleted || (trustsAbsence && (await isGone(session, leadId, exchange))))
        session.ledger.deleted(leadId);
      unanswered = isUnanswered(exchange) ? unanswered + 1 : 0;
      ending = exchange.outcome === 'gateway' ? 'no answer' : 'refused';
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      unanswered += 1;
      ending = isDisconnected(error) ? 'no answer' : 'refused';
    }
    if (unanswered >= maxUnanswered(session)) return ending;
  }
  return 'answered';
};

/** Whether a response comes from a gateway, or refuses the key: requests for further leads would get the same. */
const isUnanswered = ({ outcome, status }: Exchange): boolean =>
  outcome === 'gateway' || [401, 402, 403].includes(status);

/**
 * Whether a lead is gone although its deletion did not succeed: the response must come from the service, an update must not find
 * the lead either, and the deployment must still respond as before.
 */
const isGone = async (session: Session, leadId: string, deletion: Exchange): Promise<boolean> => {
  const isDone = isWrongSuccess(deletion);
  if (!isDone && !hasServiceForm(deletion) && (isTrouble(deletion) || refusesInForm(session))) return false;
  if (isWithoutLeads(session)) return false;
  const update = session.can('updateLead') ? await tryUpdate(session, leadId) : undefined;
  if (update?.outcome === 'success') return isUnknownToDeletion(session, leadId);
  const isUnknown = update !== undefined && hasGoneStatus(update) && hasServiceForm(update);
  if (!(hasGoneStatus(deletion) || (isDone && isUnknown)) || !(await isAlive(session))) return false;
  if (isDone || hasServiceForm(deletion)) return true;
  // The page may be one of a gateway that passes requests on by now.
  const again = await remove(session, leadId);
  return again.outcome === 'success' || hasGoneStatus(again);
};

/** Some deployments accept an update of any id, and some then create a lead with it: a deletion shows whether there is one. */
const isUnknownToDeletion = async (session: Session, leadId: string): Promise<boolean> => {
  const { unknownId } = session;
  if ((await tryUpdate(session, unknownId)).outcome !== 'success') return false;
  const never = await remove(session, `${madeUpMark}${session.runId}-never`);
  const isNowGone = async (id: string): Promise<boolean> => {
    const { outcome, status } = await remove(session, id);
    return outcome === 'success' || (status === never.status && outcome === never.outcome);
  };
  if (await isNowGone(unknownId)) session.ledger.deleted(unknownId);
  return isNowGone(leadId);
};

/** Whether the service answers now. After a restart it may be available again without its data. */
const isAlive = async (session: Session): Promise<boolean> => {
  const hasWorked = session.client.exchanges.some(
    ({ operation, outcome }) => operation === 'listTemplates' && outcome === 'success',
  );
  return !hasWorked || (await session.send('listTemplates', { intent: 'probe' })).outcome === 'success';
};

/** Whether another app responds that has no leads: it does not know the address of additions. */
const isWithoutLeads = ({ client }: Session): boolean => {
  const last = client.exchanges.findLast(
    ({ operation, credentials }) => operation === 'addLead' && credentials === 'key',
  );
  return last !== undefined && hasGoneStatus(last);
};

/** Whether the service refuses deletions in its own form: then a page about a lead comes from something else. */
const refusesInForm = ({ client }: Session): boolean =>
  client.exchanges.some(
    (exchange) =>
      exchange.operation === 'deleteLead' &&
      exchange.credentials === 'key' &&
      exchange.outcome === 'refusal' &&
      hasServiceForm(exchange),
  );

const remove = (session: Session, leadId: string): Promise<Exchange> =>
  session.send('deleteLead', { leadId, intent: 'probe' });

const tryUpdate = (session: Session, leadId: string): Promise<Exchange> => {
  const body = session.updateBody({ note: session.newNote() });
  return session.send('updateLead', { leadId, body, intent: 'probe' });
};
