import type { OperationId } from '../../mock/contract/operation-id.ts';
import { isDisconnected, NotPermitted, RequestFailed } from '../client/errors.ts';
import { control, describeRefusal, type Exchange, isRefusal } from '../exchange/exchange.ts';
import { concernsOneLead, type Operation, operationOf } from '../exchange/operations.ts';
import { isOfService } from '../exchange/origin.ts';
import { isNotModified } from '../exchange/responses.ts';
import { isUnexplained, outageMs } from '../session/health.ts';
import { classifyError } from '../session/outcome.ts';
import { listAgain, validRequest } from '../session/requests.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { ListedTemplate, Shared } from '../session/shared.ts';
import { gatewayPauseMs } from './demands.ts';

/** Sends a valid request to an operation. If it concerns a lead, it adds one. @returns the addition's response if that adds none */
export const sendValid = async (session: Session, { id }: Operation, attempt: number): Promise<Exchange> => {
  const template = id === 'sendTemplateEmail' ? await chooseTemplate(session, attempt) : undefined;
  // After this pause, a cached response to a wrong key has expired.
  if (attempt === controlAttempts) await session.client.clock.wait(rememberedMs);
  const added = concernsOneLead(id) ? await session.addLead() : undefined;
  if (added && !added.lead) return added.exchange;
  const { lead } = added ?? {};
  if (lead) await session.settle();
  const ask = (): Promise<Exchange> => session.send(id, validRequest(session, id, { lead, template }));
  const exchange = await ask();
  // The addition of the lead may be the reason for a refusal.
  return lead && isRefusal(exchange) ? ask() : exchange;
};

/** The template of a control request: first the one that scenarios use, then another one, because this one may be refused by now. */
const chooseTemplate = async (session: Session, attempt: number): Promise<ListedTemplate | undefined> => {
  const templates = (await listAgain(session)) ?? [];
  const { template } = session.requirements;
  return attempt === 1 ? template : templates.findLast(({ id }) => id !== template?.id);
};

/** Milliseconds for which a cache may return the response to a wrong key for the valid key. */
const rememberedMs = 1200;

/** Number of attempts of a control request before its failure counts, because an error may be a coincidence. */
const controlAttempts = 3;
/** The same if the service may be restarting, or the one behind a gateway. */
const restartAttempts = 5;
/** The same for a mail: an earlier request may be the reason for one refusal. */
const mailAttempts = 2;

/** Why a refusal decides nothing where no time is left to ask again later. */
export const tooLate = 'the time for pauses is used up (--max-wait)';

/** Makes the next request wait until an outage must be over that began before this moment. @returns whether there is time for that */
export const outlastOutage = ({ client }: Pick<Shared, 'client'>, at: number): boolean => {
  const leftMs = at + outageMs - client.clock.now();
  return leftMs <= 0 || client.pause(leftMs, 'refusals count if they come again later');
};

/** Maximum number of mails that are requested at the end of a run, to confirm refusals and failures. */
export const confirmationMails = 2;

/** Whether the service responds to a control request as at the start of the run. A response that was always wrong still is. */
const isAlive = (exchange: Exchange, exchanges: readonly Exchange[]): boolean => {
  const { outcome, operation, status, json } = exchange;
  if (outcome === 'success' || isNotModified(exchange) || isOfService(exchange, exchanges)) return true;
  const first = exchanges.find(
    (other) => other.operation === operation && other.credentials === 'key' && other.intent === 'complete',
  );
  const isLikeFirst = first?.status === status && (first.json === undefined) === (json === undefined);
  return outcome === 'broken' && first?.outcome === 'broken' && isLikeFirst;
};

/** Sends a valid request. @returns why it failed, and whether the service may be restarting, so that it takes a pause */
const trySend = async (
  session: Session,
  operation: Operation,
  attempt: number,
): Promise<{ readonly text: string; readonly mayRestart: boolean } | undefined> => {
  try {
    const exchange = await sendValid(session, operation, attempt);
    if (isAlive(exchange, session.client.exchanges)) return undefined;
    const mayRestart = exchange.outcome !== 'refusal' || exchange.status >= 500;
    return { text: describeRefusal(exchange), mayRestart };
  } catch (error) {
    if (!(error instanceof RequestFailed && isDisconnected(error))) throw error;
    return { text: error.message, mayRestart: true };
  }
};

const trySeveral = async (session: Session, operation: Operation): Promise<string | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await trySend(session, operation, attempt);
    if (failure === undefined) return undefined;
    const { mayRestart, text } = failure;
    const attempts = mayRestart ? restartAttempts : controlAttempts;
    const isLast = attempt >= (operation.needs === 'mail' ? mailAttempts : attempts);
    if (isLast || (mayRestart && !session.client.pause(gatewayPauseMs * attempt, text))) return text;
  }
};

/** Without a permission for another mail, a refusal that is not about its content is the last that is known of an operation. */
const refusalOf = ({ client, health }: Shared, id: OperationId): string | undefined => {
  const isOfOutage = ({ outcome, credentials }: Exchange): boolean =>
    outcome === 'gateway' && credentials === 'key';
  const refusal = client.exchanges.find(
    (exchange) =>
      exchange.operation === id &&
      (isUnexplained(exchange) || isOfOutage(exchange)) &&
      health.isUnconfirmed(exchange),
  );
  return refusal && describeRefusal(refusal);
};

/** The leads that control requests add are deleted when the last of them ends. */
const send = async (shared: Shared, id: OperationId): Promise<string | undefined> => {
  const session = sessionFor(shared, control);
  try {
    return await trySeveral(session, operationOf(id));
  } catch (error) {
    if (error instanceof NotPermitted) {
      const refusal = refusalOf(shared, id);
      if (refusal !== undefined || !shared.can('listTemplates')) return refusal;
      // A list shows at least whether the service responds.
      return await failureOf(shared, 'listTemplates');
    }
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return undecided.reason;
  } finally {
    shared.controls.delete(id);
    if (shared.controls.size === 0) await session.discardLeads();
  }
};

/** Why a control request fails; `undefined` if it succeeds. Concurrent calls for one operation share the result. */
const failureOf = (shared: Shared, id: OperationId): Promise<string | undefined> => {
  const control = shared.controls.get(id) ?? send(shared, id);
  shared.controls.set(id, control);
  return control;
};

/** Whether an operation other than this one succeeds. Without the list, nothing shows that all have ended. */
const isAloneInFailing = async (shared: Shared, id: OperationId): Promise<boolean> => {
  const [other] = (['listTemplates', 'addLead'] as const).filter((each) => each !== id && shared.can(each));
  if (other === undefined || shared.health.endOf(other) !== undefined) return id !== 'listTemplates';
  return (await failureOf(shared, other)) === undefined;
};

/**
 * Finds out whether operations that refused a request, perhaps for its texts, still respond as at the start of the run: sends them
 * valid requests. An operation that fails is closed; if no other one succeeds either, the run stops. One that succeeds now and
 * then has not ended.
 * @returns why the first of them ended; `undefined` if all succeed
 */
export const confirmAlive = async (
  shared: Shared,
  operations: Iterable<OperationId>,
): Promise<string | undefined> => {
  const { health, can } = shared;
  for (const id of new Set(operations)) {
    const isUsable = (used: OperationId): boolean => can(used) && health.endOf(used) === undefined;
    // No lead is added that could not be deleted.
    if (!isUsable(id) || (operationOf(id).needs === 'writes' && !isUsable('deleteLead'))) continue;
    const failure = await failureOf(shared, id);
    if (failure === undefined) continue;
    if (await isAloneInFailing(shared, id)) health.close(id, failure);
    else health.stop(failure);
  }
  return [...operations].map(health.endOf).find((reason) => reason !== undefined);
};
