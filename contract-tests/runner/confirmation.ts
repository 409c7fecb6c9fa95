import { setTimeout as wait } from 'node:timers/promises';
import { describeRefusal, type Exchange } from '../client/exchange.ts';
import { controlAttempts } from '../session/circuit-breaker.ts';
import { listAgain } from '../session/email-requests.ts';
import { type Operation, operations } from '../session/operations.ts';
import { maxPropagationMs, saysGone } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { rememberedMs } from '../session/trouble.ts';
import { classifyError } from './verdict.ts';

/** A valid request to an operation; about the shared lead, which no check needs any more, where it concerns one. */
const sendValid = async (
  session: Session,
  { id, validRequest }: Operation,
  attempt: number,
): Promise<Exchange> => {
  if (id === 'sendTemplateEmail') await chooseListedTemplate(session);
  // It may be the shared lead alone that is refused.
  if (attempt > 1) session.sharedLead.lead = undefined;
  // What a cache remembers of a wrong key has passed then.
  if (attempt === controlAttempts) await wait(rememberedMs);
  const lead = concernsOneLead(id) ? await session.useSharedLead() : undefined;
  const ask = (): Promise<Exchange> => session.send(id, validRequest(session, { lead }));
  return session.retryUntil(ask, (exchange) => !saysGone(exchange), 'a new lead was known', maxPropagationMs);
};

/** The template that was sent before may have been deleted by somebody else. */
const chooseListedTemplate = async (session: Session): Promise<void> => {
  const { requirements } = session;
  const templates = (await listAgain(session)) ?? [];
  const last = templates.at(-1);
  if (last && !templates.some(({ id }) => id === requirements.template?.id)) requirements.template = last;
};

/** Mails that `confirmRefusals` asks for at most. */
export const confirmationMails = 2;

/**
 * Ends the doubt about the last error responses of a run: for every operation that has answered with one and has not
 * succeeded since, a complete request with the good key. Where that fails too, nothing is concluded from them.
 */
export const confirmRefusals = async (shared: Shared): Promise<void> => {
  const session = sessionFor(shared, 'control');
  const { circuit } = shared;
  for (const operation of operations) {
    const { id } = operation;
    if (!shared.can(id) || circuit.hasStopped()) continue;
    if (!circuit.unconfirmed().includes(id)) continue;
    const reason = await tryControl(operation, (attempt) => sendValid(session, operation, attempt));
    if (reason !== undefined && circuit.unconfirmed().includes(id)) circuit.distrust(id, reason);
  }
};

/** A request that is refused now and then may be refused this time; mail requests are not repeated. */
const sendUntilAccepted = async (
  operation: Operation,
  send: (attempt: number) => Promise<Exchange>,
  attempt = 1,
): Promise<Exchange> => {
  const exchange = await send(attempt);
  const isFinal = operation.needs === 'mail' || exchange.outcome !== 'refusal' || attempt === controlAttempts;
  return isFinal ? exchange : sendUntilAccepted(operation, send, attempt + 1);
};

/** Why a control request came to nothing, or `undefined` where it succeeded or was not permitted. */
const tryControl = async (
  operation: Operation,
  send: (attempt: number) => Promise<Exchange>,
): Promise<string | undefined> => {
  try {
    const exchange = await sendUntilAccepted(operation, send);
    return exchange.outcome !== 'success' && exchange.outcome !== 'broken'
      ? `a valid ${operation.id} at the end of the run failed as well: ${describeRefusal(exchange)}`
      : undefined;
  } catch (error) {
    const undecided = classifyError(error);
    if (!undecided) throw error;
    return undecided.status === 'inconclusive' ? undecided.reason : undefined;
  }
};
