import type { OperationId } from '../../mock/contract/operation-id.ts';
import {
  describeRefusal,
  type Exchange,
  responseFingerprint,
  sentFields,
  textOf,
} from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { firewallAdvice, isFirewallPage } from '../exchange/origin.ts';
import { isPlainRefusal } from '../exchange/responses.ts';
import { recordResult, recordUnavailable, retryOnServerError } from '../session/availability.ts';
import type { DiscoveryResult } from '../session/outcome.ts';
import type { Requirements } from '../session/requirements.ts';
import type { SendOptions, Session } from '../session/session.ts';

/** Statuses of refusals that may concern the key, its permissions or a plan, which the deployment decides. */
const policyStatuses = new Set([401, 402, 403, 407, 423, 429, 451]);

/** Statuses that refuse the form of a request. The form is the documented one. */
const concernsForm = new Set([406, 411, 412, 415, 426, 428]);

/**
 * Operations whose valid request has no content that a deployment might refuse: no text, or only text that it accepted before.
 */
const plainRequests: ReadonlySet<OperationId> = new Set(['listTemplates', 'updateLead', 'deleteLead']);

/** The same template mail with a number as `template_id`, if the id consists of digits. */
const withNumericId = (exchange: Exchange): SendOptions | undefined => {
  const mail = sentFields(exchange);
  const { template_id: id } = mail;
  return /^\d{1,15}$/.test(textOf(id)) ? { body: { ...mail, template_id: Number(id) } } : undefined;
};

/**
 * Decides on a complete request that is always refused (§4: the request is as documented). The refusal is a finding if it
 * concerns the form of the request, or if the request has no content to refuse. It is no finding if a wrong key gets the same
 * refusal, unless the refusal concerns the form, which many servers check before the key.
 */
const judgeRefusal = async (session: Session, refusal: Exchange): Promise<DiscoveryResult | undefined> => {
  const { operation, path, body, status } = refusal;
  const failure = (actual: string): DiscoveryResult => ({
    failure: { expected: 'the request to succeed as the document shows it', actual, exchange: refusal },
  });
  const refusedEveryTime = failure(`refused every time: ${describeRefusal(refusal)}`);
  const send = (options: SendOptions): Promise<Exchange> =>
    session.send(operation, { path, ...options, intent: 'probe' });
  // No further requests here, because each one might cause a mail.
  if (operationOf(operation).needs === 'mail') {
    if (concernsForm.has(status)) return refusedEveryTime;
    const numeric = operation === 'sendTemplateEmail' ? withNumericId(refusal) : undefined;
    const isAccepted = numeric !== undefined && (await send(numeric)).outcome === 'success';
    return isAccepted
      ? failure(`refused without template_id as a number: ${describeRefusal(refusal)}`)
      : undefined;
  }
  const same: SendOptions = body === undefined ? {} : { raw: body };
  const wrongKey = await send({ ...same, credentials: 'random key' });
  const isAlike = responseFingerprint(wrongKey) === responseFingerprint(refusal);
  if (isAlike && !concernsForm.has(status)) return undefined;
  const repeat = await send(same);
  if (repeat.status !== status || !isPlainRefusal(repeat)) return undefined;
  return concernsForm.has(status) || plainRequests.has(operation) ? refusedEveryTime : undefined;
};

/**
 * The result of discovery for an operation, from the responses to its complete requests.
 * @param hint what to try where one is refused
 */
export const conclude = async (
  session: Session,
  operation: OperationId,
  replies: readonly Exchange[],
  hint = '',
): Promise<DiscoveryResult> => {
  const finding = recordResult(session, operation, replies, hint);
  const refusal = replies.find(isPlainRefusal);
  if (finding.inconclusive === undefined || !refusal) return finding;
  if (isFirewallPage(refusal, session.history.model.servers))
    return recordUnavailable(session, operation, {
      inconclusive: `something in front of the service responded: ${describeRefusal(refusal)}; ${firewallAdvice}`,
    });
  const judged = policyStatuses.has(refusal.status) ? undefined : await judgeRefusal(session, refusal);
  return judged ? recordUnavailable(session, operation, judged) : finding;
};

/** Whether a response has a success status, with any body. */
export const hasSuccessStatus = ({ outcome }: Exchange): boolean =>
  outcome === 'success' || outcome === 'broken';

/** A deployment may refuse the body of an update with 404. */
const mayDemandMore = (refusal: Exchange): boolean =>
  isPlainRefusal(refusal) || (refusal.operation === 'updateLead' && refusal.status === 404);

type Form = Partial<Requirements>;

/**
 * Sends a complete request as documented and, if it is refused, in other forms until one is accepted: the form that the requests of
 * the run then have.
 * @param others by what differs from the documented form
 */
export const tryForms = async (
  session: Session,
  { documented, others }: { readonly documented: Form; readonly others: readonly Form[] },
  ask: () => Promise<Exchange>,
): Promise<{ readonly first: Exchange; readonly reply: Exchange }> => {
  const askIn = (form: Form): Promise<Exchange> => {
    Object.assign(session.requirements, documented, form);
    return retryOnServerError(session, ask);
  };
  const first = await askIn(documented);
  for (const form of mayDemandMore(first) ? others : []) {
    const reply = await askIn(form);
    if (hasSuccessStatus(reply)) return { first, reply };
  }
  Object.assign(session.requirements, documented);
  return { first, reply: first };
};
