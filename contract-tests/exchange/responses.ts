import {
  describeRefusal,
  type Exchange,
  hasServiceEnvelope,
  isObject,
  isRateLimit,
  isRefusal,
  sentJson,
} from './exchange.ts';
import { causesMail } from './operations.ts';

const goneStatuses: readonly number[] = [404, 410];

/** Whether the status means that a lead does not exist. */
export const hasGoneStatus = ({ status }: Pick<Exchange, 'status'>): boolean => goneStatuses.includes(status);

/**
 * Whether a deletion got a success in the wrong form, such as 204 or a body without JSON:
 * this is a finding, and the lead is deleted.
 */
export const isWrongSuccess = ({ outcome }: Pick<Exchange, 'outcome'>): boolean => outcome === 'broken';

/** The status of a refusal that is due to an earlier request. */
export const conflict = 409;

/** Whether a response says that nothing was modified. No request of a run is conditional: it is a finding, and no sign of an outage. */
export const isNotModified = ({ status }: Pick<Exchange, 'status'>): boolean => status === 304;

const absentStatuses = new Set([404, 405, 501]);

/** Whether a status means that the operation does not exist. */
export const isAbsent = ({ status }: Pick<Exchange, 'status'>): boolean => absentStatuses.has(status);

/** Whether `data` is a list, which a generic success for any path does not have. */
export const hasList = ({ outcome, json }: Exchange): boolean =>
  outcome === 'success' && isObject(json) && Array.isArray(json.data);

export const isPlainRefusal = (reply: Exchange): boolean => isRefusal(reply) && !isAbsent(reply);

/** An error response with the service's envelope may concern the request; any other means that the operation does not exist. */
export const describeAbsence = (reply: Exchange): string =>
  hasServiceEnvelope(reply.json) ? describeRefusal(reply) : `${reply.status}: no such operation`;

/** Whether a mail may have been sent: a refused request sent none, and what is no JSON names no recipient. */
export const mayHaveSentMail = (exchange: Exchange): boolean =>
  causesMail(exchange) && sentJson(exchange) !== undefined && !isRateLimit(exchange) && !isRefusal(exchange);

/** Why a body cannot be read as JSON. */
export const describeUnreadable = ({ status, byteProblem, size }: Exchange): string => {
  if (size === 0) return `${status} with an empty body`;
  return byteProblem === undefined
    ? `${status} with a body that is not JSON`
    : `${status} with a body that cannot be read: ${byteProblem}`;
};

export const describeBroken = (exchange: Exchange): string => {
  const { status, json } = exchange;
  if (status !== 200) return `status ${status}`;
  if (json === undefined) return describeUnreadable(exchange);
  if (!isObject(json)) return '200 with a JSON body that is not an object';
  return Object.hasOwn(json, 'success') ? `success: ${JSON.stringify(json.success)}` : 'no field success';
};
