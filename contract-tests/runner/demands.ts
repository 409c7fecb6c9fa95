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
import { recordUnavailable } from '../session/availability.ts';
import type { DiscoveryResult } from '../session/outcome.ts';
import type { SendOptions, Session } from '../session/session.ts';

/** Statuses of refusals that may concern the key, its permissions or a plan, which the deployment decides. */
const policyStatuses = new Set([401, 402, 403, 407, 423, 429, 451]);

/** Words in errors about other parts of a mail than sender and recipient. */
const contentWords =
  /\b(html|subject|body|content|spam|variables?|quota|limit|plan|credits?|balance|permission)/i;

/** Whether a refused mail may need another sender or recipient. @param words the words for it in errors */
export const mayBeAbout = (refusal: Exchange, words: RegExp): boolean => {
  const reason = describeRefusal(refusal);
  return words.test(reason) || (!policyStatuses.has(refusal.status) && !contentWords.test(reason));
};

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
const judgeRefusal = async (
  session: Session,
  refusal: Exchange,
  request: SendOptions,
): Promise<DiscoveryResult | undefined> => {
  const { operation } = refusal;
  const failure = (actual: string): DiscoveryResult => ({
    failure: { expected: 'the request to succeed as the document shows it', actual, exchange: refusal },
  });
  const refusedEveryTime = failure(`refused every time: ${describeRefusal(refusal)}`);
  const send = (options: SendOptions): Promise<Exchange> =>
    session.send(operation, { ...request, path: refusal.path, ...options, intent: 'probe' });
  // No further requests here, because each one might cause a mail.
  if (operationOf(operation).needs === 'mail') {
    if (concernsForm.has(refusal.status)) return refusedEveryTime;
    const numeric = operation === 'sendTemplateEmail' ? withNumericId(refusal) : undefined;
    const isAccepted = numeric !== undefined && (await send(numeric)).outcome === 'success';
    return isAccepted
      ? failure(`refused without template_id as a number: ${describeRefusal(refusal)}`)
      : undefined;
  }
  if (policyStatuses.has(refusal.status)) return undefined;
  const wrongKey = await send({ credentials: 'random key' });
  const isAlike = responseFingerprint(wrongKey) === responseFingerprint(refusal);
  if (isAlike && !concernsForm.has(refusal.status)) return undefined;
  const repeat = await send({});
  if (repeat.status !== refusal.status || !isPlainRefusal(repeat)) return undefined;
  return concernsForm.has(refusal.status) || plainRequests.has(operation) ? refusedEveryTime : undefined;
};

/**
 * Adds a failure to the discovery result of an operation that refused its valid request.
 * @param request the valid request that was refused
 */
export const withDemands = async (
  session: Session,
  finding: DiscoveryResult,
  refusal: Exchange | undefined,
  request: SendOptions,
): Promise<DiscoveryResult> => {
  if (finding.inconclusive === undefined || !refusal || !isPlainRefusal(refusal)) return finding;
  if (isFirewallPage(refusal, session.history.model.servers))
    return recordUnavailable(session, refusal.operation, {
      inconclusive: `something in front of the service responded: ${describeRefusal(refusal)}; ${firewallAdvice}`,
    });
  if (policyStatuses.has(refusal.status) && operationOf(refusal.operation).needs === 'mail') return finding;
  const judged = await judgeRefusal(session, refusal, request);
  return judged ? recordUnavailable(session, refusal.operation, judged) : finding;
};
