// A deployment that restarts without its data: the document says nothing of restarts.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { dataOf, type Exchange, isSuccess, pathSegment } from '../client/exchange.ts';
import { concernsOneLead } from './routes.ts';

export const restartReason =
  'the deployment failed to respond for a moment and then knew none of the leads from before: it may have restarted without its data; run again';

/** The path segment of the lead that a request concerns or adds; empty if there is none. */
const leadOf = ({ operation, path, json }: Exchange): string => {
  if (concernsOneLead(operation)) return path.split('/').at(-1) ?? '';
  return operation === 'addLead' ? pathSegment(String(dataOf({ json }).lead_id ?? '')) : '';
};

/** Whether a gateway found no service, which may be restarting. */
const foundNoService = ({ outcome, status }: Exchange): boolean => outcome === 'gateway' && status !== 429;

/** A moment after which the deployment knew none of its earlier leads, and the path segments of these leads. */
export type DataLoss = { readonly at: number; readonly leads: ReadonlySet<string> };

const idsIn = (exchanges: readonly Exchange[], operation: OperationId): Set<string> =>
  new Set(
    exchanges.filter((exchange) => exchange.operation === operation && isSuccess(exchange)).map(leadOf),
  );

/**
 * Finds a loss of data among the moments at which a connection broke, or a gateway found no service: after it, no lead from
 * before is known, and one is unknown, or its id is assigned again.
 * @param brokenAt moments of the clock of `sentAt`
 */
export const findDataLoss = (
  exchanges: readonly Exchange[],
  brokenAt: readonly number[],
): DataLoss | undefined => {
  const ofKey = exchanges.filter(({ credentials }) => credentials === 'key');
  const gateways = ofKey.filter(foundNoService).map(({ receivedAt }) => receivedAt);
  for (const at of [...brokenAt, ...gateways].sort((left, right) => left - right)) {
    const before = ofKey.filter(({ receivedAt }) => receivedAt < at);
    const after = ofKey.filter(({ sentAt }) => sentAt > at);
    const leads = idsIn(before, 'addLead');
    const deleted = idsIn(before, 'deleteLead');
    const assigned = idsIn(after, 'addLead');
    const isEarlier = (exchange: Exchange): boolean =>
      concernsOneLead(exchange.operation) && leads.has(leadOf(exchange)) && !assigned.has(leadOf(exchange));
    const later = after.filter(isEarlier).filter((exchange) => !deleted.has(leadOf(exchange)));
    const isUnknown =
      later.some(({ outcome }) => outcome === 'refusal') || [...assigned].some((id) => leads.has(id));
    if (isUnknown && !later.some(isSuccess)) return { at, leads };
  }
  return undefined;
};

/**
 * Whether a finding may be due to a loss of data.
 * @param own the requests of the check; none if the check inspects all responses
 */
export const isDueToLoss = (
  { at, leads }: DataLoss,
  evidence: Exchange | undefined,
  own: readonly Exchange[],
): boolean => {
  if (evidence !== undefined && evidence.receivedAt < at) return false;
  const isAcross = own.some(({ sentAt }) => sentAt < at) && own.some(({ receivedAt }) => receivedAt > at);
  return isAcross || (evidence !== undefined && leads.has(leadOf(evidence)));
};
