import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { NotPermitted } from '../client/errors.ts';
import { controlCheck, type Exchange, isRefusal } from '../client/exchange.ts';
import { templateIdOf } from '../model/templates.ts';
import { listAgain } from '../session/email-requests.ts';
import { controlAttempts } from '../session/health.ts';
import { type Operation, operationOf } from '../session/operations.ts';
import { concernsOneLead } from '../session/routes.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { ListedTemplate, Shared } from '../session/shared.ts';
import { isNotModified, rememberedMs } from '../session/trouble.ts';
import { falseIfUndecided } from './verdict.ts';

/** Sends a valid request to an operation. If it concerns a lead, it adds one. */
export const sendValid = async (
  session: Session,
  { id, validRequest }: Operation,
  attempt: number,
): Promise<Exchange> => {
  if (id === 'sendTemplateEmail') await chooseListedTemplate(session);
  // After this pause, a cached response to a wrong key has expired.
  if (attempt === controlAttempts) await wait(rememberedMs);
  const lead = concernsOneLead(id) ? await session.ownLead() : undefined;
  const ask = (): Promise<Exchange> => session.send(id, validRequest(session, { lead }));
  if (!lead) return ask();
  const exchange = await session.askWhileNew(lead, ask);
  // The addition of the lead may be the reason for a refusal.
  return isRefusal(exchange) ? ask() : exchange;
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
  const last = client.exchanges.findLast(
    ({ operation, credentials }) => operation === 'sendTemplateEmail' && credentials === 'key',
  );
  const refused = last?.outcome === 'refusal' ? templateIdOf(last) : undefined;
  const current = templates.find(({ id }) => id === requirements.template?.id && id !== refused);
  const other = templates.findLast((template) => isVaried(template) && sent.has(template.id));
  const chosen = current && !isVaried(current) ? other : templates.at(-1);
  if (chosen && !(current && isVaried(current))) requirements.template = chosen;
};

/** Number of attempts of a mail that is refused: an earlier request may be the reason for one refusal. */
const mailAttempts = 2;

/** Maximum number of mails that `confirmRefusals` and `confirmFailures` request. */
export const confirmationMails = 2;

/**
 * Creates a function that tells whether a valid request to an operation still succeeds. It is used after other requests
 * were refused, perhaps for their texts. An operation that succeeds intermittently is not refused permanently. Concurrent
 * calls for one operation share the result. The leads that they add are deleted when the last of them ends.
 */
export const createConfirmation = (shared: Shared): ((id: OperationId) => Promise<boolean>) => {
  const session = sessionFor(shared, controlCheck);
  const pending = new Map<OperationId, Promise<boolean>>();
  const trySeveral = async (operation: Operation, attempt = 1): Promise<boolean> => {
    const exchange = await sendValid(session, operation, attempt);
    const { outcome } = exchange;
    if (outcome === 'success' || outcome === 'broken' || isNotModified(exchange)) return true;
    // A gateway without a response may have forwarded the mail. The number of attempts is small enough.
    const attempts = operation.needs === 'mail' && outcome !== 'gateway' ? mailAttempts : controlAttempts;
    return attempt < attempts && trySeveral(operation, attempt + 1);
  };
  // Without a permission for another mail nothing shows that the operation has ended.
  const succeeds = (id: OperationId): Promise<boolean> =>
    trySeveral(operationOf(id)).catch((error) => error instanceof NotPermitted || falseIfUndecided(error));
  const confirm = async (id: OperationId): Promise<boolean> => {
    try {
      return await succeeds(id);
    } finally {
      pending.delete(id);
      if (pending.size === 0) await session.discardLeads();
    }
  };
  return (id) => {
    const confirmation = pending.get(id) ?? confirm(id);
    pending.set(id, confirmation);
    return confirmation;
  };
};

/**
 * Tries the operations that have not succeeded since they refused a request. If a complete request fails too, the refusals
 * decide nothing.
 */
export const confirmRefusals = async (
  { health, can }: Shared,
  succeeds: (id: OperationId) => Promise<boolean>,
): Promise<void> => {
  for (const id of health.unconfirmed())
    if (can(id) && !health.hasStopped() && !(await succeeds(id)) && health.unconfirmed().includes(id))
      health.close(id, `a valid ${id} at the end of the run was refused too`);
};
