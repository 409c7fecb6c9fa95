import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { controlCheck } from '../client/client.ts';
import { dataOf, describeRefusal, type Exchange, isRefusal } from '../client/exchange.ts';
import { enoughErrors, isSameRequest, repeatRequest } from '../session/availability.ts';
import { controlAttempts } from '../session/circuit-breaker.ts';
import { listAgain, templateIdOf } from '../session/email-requests.ts';
import { type Operation, operationOf, operations } from '../session/operations.ts';
import { hasGoneStatus, maxPropagationMs, type OwnLead } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { ListedTemplate, Shared } from '../session/shared.ts';
import { isServerError, rememberedMs } from '../session/trouble.ts';
import { classifyError, falseIfUndecided, type Verdict } from './verdict.ts';

/** Sends a valid request to an operation. If it concerns a lead, it uses the shared lead, unless a check uses that lead now. */
export const sendValid = async (
  session: Session,
  { id, validRequest }: Operation,
  attempt: number,
): Promise<Exchange> => {
  if (id === 'sendTemplateEmail') await chooseListedTemplate(session);
  // The refusal may concern only the shared lead.
  if (attempt > 1) session.sharedLead.lead = undefined;
  // After this pause, a cached response to a wrong key has expired.
  if (attempt === controlAttempts) await wait(rememberedMs);
  // The check that uses the shared lead may be waiting for this request.
  const useLead = session.sharedLead.isFree() ? session.useSharedLead : session.ownLead;
  const lead = concernsOneLead(id) ? await useLead() : undefined;
  const ask = (): Promise<Exchange> => session.send(id, validRequest(session, { lead }));
  // If new leads become visible late, any refusal may mean that this lead is not visible yet.
  const showsLate = lead !== undefined && session.requirements.eventuallyConsistent;
  const isKnown = (exchange: Exchange): boolean =>
    !hasGoneStatus(exchange) && !(showsLate && isRefusal(exchange));
  return session.retryUntil(ask, isKnown, 'a new lead was found', maxPropagationMs);
};

/**
 * The template of an earlier mail, if it was not deleted since. Without variables all its mails are equal and may be refused
 * as duplicates: then another template of an earlier mail is used.
 */
const chooseListedTemplate = async (session: Session): Promise<void> => {
  const { requirements, client } = session;
  const templates = (await listAgain(session)) ?? [];
  const sent = new Set(
    client.exchanges
      .filter(({ operation, outcome }) => operation === 'sendTemplateEmail' && outcome === 'success')
      .map(templateIdOf),
  );
  const isVaried = ({ variables }: ListedTemplate): boolean => variables.length > 0;
  const current = templates.find(({ id }) => id === requirements.template?.id);
  const other = templates.findLast((template) => isVaried(template) && sent.has(template.id));
  const chosen = current && !isVaried(current) ? other : templates.at(-1);
  if (chosen && !(current && isVaried(current))) requirements.template = chosen;
};

/** Maximum number of mails that `confirmRefusals` and `confirmFailures` request. */
export const confirmationMails = 2;

/**
 * Confirms the last error responses of a run: sends a complete request with the valid key to every operation whose last
 * response was an error response. If that fails too, the error responses decide nothing.
 */
export const confirmRefusals = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, controlCheck);
  const { circuit } = shared;
  for (const operation of operations) {
    const { id } = operation;
    if (!shared.can(id) || circuit.hasStopped()) continue;
    if (!circuit.unconfirmed().includes(id)) continue;
    const reason = await tryControl(operation, (attempt) => sendValid(session, operation, attempt));
    if (reason !== undefined && circuit.unconfirmed().includes(id)) circuit.distrust(id, reason);
  }
};

/**
 * Creates a function that tells whether a valid request to an operation still succeeds. It is used after other requests
 * were refused, perhaps for their texts. An operation that succeeds intermittently is not refused permanently. Concurrent
 * calls for one operation share the result.
 */
export const createConfirmation = (shared: Shared): ((id: OperationId) => Promise<boolean>) => {
  const session = sessionFor(shared, controlCheck);
  const pending = new Map<OperationId, Promise<boolean>>();
  const trySeveral = async (operation: Operation, attempt = 1): Promise<boolean> => {
    const { outcome } = await sendValid(session, operation, attempt);
    if (outcome === 'success' || outcome === 'broken') return true;
    // A gateway without a response may have forwarded the mail. The number of attempts is small enough.
    const canRepeat = operation.needs !== 'mail' || outcome === 'gateway';
    return canRepeat && attempt < controlAttempts && trySeveral(operation, attempt + 1);
  };
  const succeeds = (id: OperationId): Promise<boolean> =>
    trySeveral(operationOf(id))
      .catch(falseIfUndecided)
      .finally(() => session.sharedLead.release(controlCheck));
  return (id) => {
    const confirmation = pending.get(id) ?? succeeds(id).finally(() => pending.delete(id));
    pending.set(id, confirmation);
    return confirmation;
  };
};

/** Repeats a request that is refused, because the refusal may be intermittent. Mail requests are not repeated. */
const sendUntilAccepted = async (
  operation: Operation,
  send: (attempt: number) => Promise<Exchange>,
  attempt = 1,
): Promise<Exchange> => {
  const exchange = await send(attempt);
  const isFinal = operation.needs === 'mail' || exchange.outcome !== 'refusal' || attempt === controlAttempts;
  return isFinal ? exchange : sendUntilAccepted(operation, send, attempt + 1);
};

/** The reason why a control request failed, or `undefined` if it succeeded or was not permitted. */
const tryControl = async (
  operation: Operation,
  send: (attempt: number) => Promise<Exchange>,
): Promise<string | undefined> => {
  try {
    const exchange = await sendUntilAccepted(operation, send);
    return exchange.outcome !== 'success' && exchange.outcome !== 'broken'
      ? `a valid ${operation.id} at the end of the run also failed: ${describeRefusal(exchange)}`
      : undefined;
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return undecided.status === 'inconclusive' ? undecided.reason : undefined;
  }
};

/**
 * Repeats the requests of a check that caused a server error, while its leads still exist: an error that does not come again
 * was temporary.
 */
export const repeatServerErrors = async (shared: Shared, check: string): Promise<void> => {
  const { exchanges } = shared.client;
  const errors = exchanges.filter((exchange) => exchange.intent !== 'complete' && isServerError(exchange));
  if (errors.length >= enoughErrors || shared.circuit.hasStopped()) return;
  const session = sessionFor(shared, check);
  for (const error of errors.filter((exchange) => exchange.check === check)) {
    const isRepeated = exchanges.some((other) => other.sentAt > error.sentAt && isSameRequest(other, error));
    if (!isRepeated) await repeatRequest(session, error).catch(falseIfUndecided);
  }
};

/**
 * Milliseconds for which a deployment may show the state from before an update. Checks then wait
 * that long between two updates of a lead.
 */
export const lateMs = 1000;

export const lateReason = `updates of a lead were visible only some time later, within ${lateMs} ms`;

/** If responses take more milliseconds than this, an update may be visible before the first read: then the test is repeated. */
const fastMs = 100;
const rounds = 3;

/**
 * Whether reads come from a replica with a delay: two concurrent responses show the note from before an update, and a moment
 * later all show the new one. A deployment that shows the old note only once, or again later, is not such a replica.
 */
const isReplicaLagging = async (session: Session, lead: OwnLead, round = 1): Promise<boolean> => {
  const shownNote = async (): Promise<unknown> => {
    const shown = await session.readBack(lead);
    return shown && dataOf(shown).note;
  };
  const { outcome } = await session.updateLead(lead, session.newNote());
  if (outcome !== 'success') return false;
  const { expected, noteBefore } = lead;
  const started = Date.now();
  const early = await Promise.all([shownNote(), shownNote()]);
  const isSlow = Date.now() - started > fastMs;
  await wait(early.every((note) => note === noteBefore) || isSlow ? lateMs : 0);
  if (early.every((note) => note === expected.note))
    return isSlow && round < rounds && isReplicaLagging(session, lead, round + 1);
  if (early.some((note) => note !== noteBefore)) return false;
  const late = [await shownNote(), await shownNote(), await shownNote()];
  return late.every((note) => note === expected.note);
};

const tryOnNewLead = async (shared: Shared): Promise<boolean> => {
  const session = sessionFor(shared, controlCheck);
  const lead = await session.ownLead();
  const isLate = await isReplicaLagging(session, lead);
  await session.deleteLead(lead);
  return isLate;
};

const showsUpdatesLate = (shared: Shared): Promise<boolean> => {
  shared.requirements.showsUpdatesLate ??= tryOnNewLead(shared).catch(falseIfUndecided);
  return shared.requirements.showsUpdatesLate;
};

/** Whether a verdict may be due to a replica with a delay. This is tested once in a run, at the first failure. */
export const mayBeLate = async (shared: Shared, { status }: Verdict): Promise<boolean> => {
  if (status === 'fail' || status === 'warn') return showsUpdatesLate(shared);
  return status === 'inconclusive' && (await shared.requirements.showsUpdatesLate) === true;
};
