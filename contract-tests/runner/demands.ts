// What a deployment demands, and what its responses to complete requests say about an operation.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { isDisconnected, RequestFailed } from '../client/errors.ts';
import {
  describeRefusal,
  type Exchange,
  hasSuccessStatus,
  isObject,
  isSuccess,
  responseFingerprint,
  sentFields,
  textOf,
} from '../exchange/exchange.ts';
import { type Need, operationOf } from '../exchange/operations.ts';
import { describeFirewall, isFirewallPage } from '../exchange/origin.ts';
import { describeAbsence, describeBroken, isAbsent, isPlainRefusal } from '../exchange/responses.ts';
import type { Failure } from '../facts/fact.ts';
import type { Discovered } from '../session/outcome.ts';
import type { Requirements } from '../session/requirements.ts';
import type { SendOptions, Session } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';

/**
 * How often a server error is repeated, because one may be a coincidence. It may have sent a mail all the same. A gateway may
 * have forwarded the request: a mail is not repeated, and an addition only once.
 */
const repeatsOf = ({ operation, outcome }: Exchange): number => {
  const isGateway = outcome === 'gateway';
  if (operationOf(operation).needs === 'mail') return isGateway ? 0 : 1;
  return isGateway && operation === 'addLead' ? 1 : 2;
};

/** Milliseconds to wait before a retry, because a gateway may reach the service again; multiplied by the attempt. */
export const gatewayPauseMs = 1000;

/** Sends a request again after a server error: several in a row are a result. A gateway gets a pause first. */
export const retryOnServerError = async (
  { client }: Pick<Session, 'client'>,
  ask: () => Promise<Exchange>,
): Promise<Exchange> => {
  let exchange = await ask();
  for (
    let repeat = 1;
    repeat <= repeatsOf(exchange) && exchange.status >= 500 && !isAbsent(exchange);
    repeat += 1
  ) {
    const isGateway = exchange.outcome === 'gateway';
    if (isGateway && !client.pause(gatewayPauseMs * repeat, describeRefusal(exchange))) return exchange;
    exchange = await ask();
  }
  return exchange;
};

/** Repeats the work once, after a pause, where no server accepted a request, unless the work may cause mail. */
export const retryIfDisconnected = async <Result>(
  { client }: Pick<Shared, 'client'>,
  { needs }: { readonly needs: Need },
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const mayRestart = error instanceof RequestFailed && isDisconnected(error);
    if (!mayRestart || needs === 'mail' || !client.pause(gatewayPauseMs, error.message)) throw error;
    return work();
  }
};

/**
 * Whether the documented path is redirected to the same path with a trailing slash. Any other redirect may
 * come from a gateway in front of the service.
 */
const redirectsToSlash = ({ status, path, headers: { location = '' } }: Exchange): boolean =>
  status >= 300 && status < 400 && (location.split(/[?#]/, 1)[0] ?? '').endsWith(`${path}/`);

const failedWith = (actual: string, exchange: Exchange | undefined, place = ''): Discovered => ({
  failure: { expected: `200 and success: true${place}`, actual, exchange },
});

/** Classifies the responses to a complete request: a broken documented fact, or an undecided one. */
const classify = (replies: readonly Exchange[], hint: string): Discovered => {
  if (replies.some((reply) => isSuccess(reply) && reply.status === 200)) return {};
  const broken = replies.find(hasSuccessStatus);
  if (broken) return failedWith(describeBroken(broken), broken);
  const gateway = replies.find(({ outcome }) => outcome === 'gateway');
  if (gateway) return { inconclusive: `a gateway responded: ${describeRefusal(gateway)}` };
  const refusal = replies.find((reply) => !isAbsent(reply));
  if (!refusal) {
    const [first] = replies;
    const forms = replies.map(({ method, path }) => `${method} ${path}`).join(' and ');
    const reply = first ? describeAbsence(first) : 'nothing';
    return { absent: true, ...failedWith(`${forms} returned ${reply}`, first) };
  }
  const failing = replies.find((reply) => reply.status >= 500 && !isAbsent(reply));
  if (failing) return failedWith(`${failing.status} every time`, failing);
  const moved = replies.find(redirectsToSlash);
  if (moved) return failedWith(describeRefusal(moved), moved, ' at the documented path');
  const isRedirect = refusal.status < 400 && refusal.status >= 300;
  return {
    inconclusive: `the deployment refused a complete request: ${describeRefusal(refusal)}${hint === '' || isRedirect ? '' : ` (${hint})`}`,
  };
};

/** Statuses of refusals that may concern the key, its permissions or a plan, which the deployment decides. */
const policyStatuses = new Set([401, 402, 403, 407, 423, 451]);

/** Statuses that refuse the form of a request. The form is the documented one. */
const concernsForm = new Set([406, 411, 412, 415, 426, 428]);

/** Operations whose valid request has no content that a deployment might refuse: no text, or only text that it accepted before. */
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
const judgeRefusal = async (session: Session, refusal: Exchange): Promise<Failure | undefined> => {
  const { operation, path, body, status } = refusal;
  const isAboutForm = concernsForm.has(status);
  const failure = (how: string): Failure => ({
    expected: 'the request to succeed as the document shows it',
    actual: `refused ${how}: ${describeRefusal(refusal)}`,
    exchange: refusal,
  });
  const send = (options: SendOptions): Promise<Exchange> =>
    session.send(operation, { path, ...options, intent: 'probe' });
  // No further requests here, because each one might cause a mail.
  if (operationOf(operation).needs === 'mail') {
    if (isAboutForm) return failure('every time');
    const numeric = operation === 'sendTemplateEmail' ? withNumericId(refusal) : undefined;
    return numeric && isSuccess(await send(numeric)) ? failure('without template_id as a number') : undefined;
  }
  const same: SendOptions = body === undefined ? {} : { raw: body };
  const wrongKey = await send({ ...same, credentials: 'random key' });
  const isAlike = responseFingerprint(wrongKey) === responseFingerprint(refusal);
  if (isAlike && !isAboutForm) return undefined;
  const repeat = await send(same);
  if (repeat.status !== status || !isPlainRefusal(repeat)) return undefined;
  return isAboutForm || plainRequests.has(operation) ? failure('every time') : undefined;
};

/**
 * What discovery found of an operation, from the responses to its complete requests.
 * @param hint what to try where one is refused
 */
export const conclude = async (
  session: Session,
  operation: OperationId,
  replies: readonly Exchange[],
  hint = '',
): Promise<Discovered> => {
  const { paths } = operationOf(operation);
  const hasOneForm = paths.length === 1;
  const pathForms = replies
    .filter(
      ({ outcome, json }) =>
        outcome === 'success' || (outcome === 'broken' && (isObject(json) || hasOneForm)),
    )
    .map(({ path }) => (hasOneForm ? paths[0] : path));
  const found = { pathForms, ...classify(replies, hint) };
  const refusal = replies.find(isPlainRefusal);
  if (found.inconclusive === undefined || !refusal) return found;
  if (isFirewallPage(refusal, session.history.model.servers))
    return { inconclusive: describeFirewall(refusal) };
  const failure = policyStatuses.has(refusal.status) ? undefined : await judgeRefusal(session, refusal);
  return failure ? { failure } : found;
};

/** A deployment may refuse the body of an update with 404. */
const mayDemandMore = (refusal: Exchange): boolean =>
  isPlainRefusal(refusal) || (refusal.operation === 'updateLead' && refusal.status === 404);

/** A form of a request: how it differs from the documented one, and what the report says about it. */
export type Form = { readonly form: Partial<Requirements>; readonly says?: readonly string[] };

/**
 * Sends a complete request as documented and, if it is refused, in other forms until one is accepted: the form that the requests of
 * the run then have.
 */
export const tryForms = async (
  { requirements, client }: Session,
  { documented, others }: { readonly documented: Form['form']; readonly others: readonly Form[] },
  ask: () => Promise<Exchange>,
): Promise<{ readonly first: Exchange; readonly reply: Exchange }> => {
  const askIn = (form: Form['form']): Promise<Exchange> => {
    Object.assign(requirements, documented, form);
    return retryOnServerError({ client }, ask);
  };
  const first = await askIn({});
  for (const { form, says = [] } of mayDemandMore(first) ? others : []) {
    const reply = await askIn(form);
    if (!hasSuccessStatus(reply)) continue;
    requirements.adaptations.set(reply.operation, says);
    return { first, reply };
  }
  Object.assign(requirements, documented);
  return { first, reply: first };
};
