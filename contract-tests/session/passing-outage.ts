// Outages that end during the run: the deployment fails for a moment, and then succeeds again.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { cleanUp } from '../client/client.ts';
import { describeRefusal, type Exchange, hasServiceEnvelope, isSuccess } from '../client/exchange.ts';
import { concernsOneLead } from './routes.ts';
import { conflict, isServerError, isTrouble } from './trouble.ts';

/** More series of failures than this are no outages: the service fails intermittently, and that is a finding. */
const maxOutages = 2;

/** The parts of the texts of a run that are different each time. */
const uniqueTexts = /\b[0-9a-f]{8}-[0-9a-z]{2,}\b/g;

const isForeignSuccess = ({ outcome, json }: Exchange): boolean =>
  outcome === 'broken' && !hasServiceEnvelope(json);

/** Whether the request must succeed once the operation has succeeded. The clean-up deletes leads that exist. */
const isComplete = ({ intent, check }: Exchange): boolean => intent === 'complete' || check === cleanUp;

/** Whether a response to the valid key shows that the deployment failed, and not that it refused this request. */
const isFailure = (exchange: Exchange): boolean =>
  exchange.status >= 500
    ? exchange.outcome === 'gateway' || isServerError(exchange) || isComplete(exchange)
    : isTrouble(exchange) || isForeignSuccess(exchange);

/** Whether a refusal may be due to the request: its lead may be gone, its mail a duplicate. */
const mayBeDeserved = ({ outcome, operation, status }: Exchange): boolean =>
  outcome === 'refusal' && status < 500 && (concernsOneLead(operation) || status === conflict);

/** What two requests have in common that a deployment must treat alike; two complete ones may differ in the lead and its texts. */
const kindOf = (request: Exchange, areAlike = isComplete(request)): string => {
  const { operation, path, body = '', contentType, bare, cookie } = request;
  const place = areAlike && concernsOneLead(operation) ? '' : path;
  const content = areAlike ? body.replaceAll(uniqueTexts, '…') : body;
  return JSON.stringify([operation, place, content, contentType, bare, cookie]);
};

/**
 * Series of failures between which no request succeeded. A success counts only if it was sent after the failure before it and
 * arrived before the next one was sent, because several requests may be pending at the same time.
 */
const seriesOf = (failures: readonly Exchange[], successes: readonly Exchange[]): Exchange[][] => {
  const arrivals = successes.toSorted((left, right) => left.receivedAt - right.receivedAt);
  const series: Exchange[][] = [];
  let arrived = 0;
  let lastSentAt = -Infinity; // of the successes that arrived before the current failure was sent
  let endedAt = -Infinity; // of the current series
  for (const failure of failures.toSorted((left, right) => left.sentAt - right.sentAt)) {
    for (; (arrivals[arrived]?.receivedAt ?? Infinity) <= failure.sentAt; arrived += 1)
      lastSentAt = Math.max(lastSentAt, arrivals[arrived]?.sentAt ?? 0);
    if (lastSentAt >= endedAt) series.push([]);
    series.at(-1)?.push(failure);
    endedAt = Math.max(endedAt, failure.receivedAt);
  }
  return series;
};

/**
 * The failures of each outage that ended during the run. In an outage, several operations that succeeded before fail one after
 * another, or a request that succeeds at other times fails repeatedly. Other failures are failures of the service.
 */
const passingOutages = (exchanges: readonly Exchange[]): Exchange[][] => {
  const ofKey = exchanges.filter(({ credentials }) => credentials === 'key');
  const successes = ofKey.filter(isSuccess);
  const lastSuccess = new Map<string, number>();
  for (const success of successes)
    for (const kind of [kindOf(success), kindOf(success, false)]) lastSuccess.set(kind, success.sentAt);
  /** A deletion cannot succeed twice, so that only a later success shows that the request is not at fault. */
  const succeedsAtOtherTime = (failure: Exchange): boolean =>
    (lastSuccess.get(kindOf(failure)) ?? -Infinity) > (failure.method === 'GET' ? -Infinity : failure.sentAt);
  const firstSuccess = new Map<OperationId, number>();
  for (const { operation, receivedAt } of successes)
    if (!firstSuccess.has(operation)) firstSuccess.set(operation, receivedAt);
  /** Requests of discovery may be refused until they have what a deployment requires. Later ones must succeed again. */
  const hasWorked = (failure: Exchange): boolean =>
    (firstSuccess.get(failure.operation) ?? Infinity) < (isFailure(failure) ? Infinity : failure.sentAt);
  // No request has a success without any field of the service.
  const mustSucceed = (failure: Exchange): boolean =>
    isComplete(failure) || isForeignSuccess(failure) ? hasWorked(failure) : succeedsAtOtherTime(failure);
  const isUnexpected = (exchange: Exchange): boolean =>
    !isSuccess(exchange) && (isFailure(exchange) || !mayBeDeserved(exchange)) && mustSucceed(exchange);
  const recovers = (failure: Exchange): boolean =>
    successes.some(({ operation, sentAt }) => operation === failure.operation && sentAt > failure.receivedAt);
  const isOutage = (series: readonly Exchange[]): boolean => {
    const unexpected = series.filter(isUnexpected);
    if (!unexpected.some(recovers)) return false;
    const operations = new Set(unexpected.map(({ operation }) => operation));
    // One lead may have something that no other has.
    const isOneLead = unexpected.every(
      ({ operation, path }) => concernsOneLead(operation) && path === unexpected[0]?.path,
    );
    const isRepeated =
      series.length > 1 && unexpected.some((failure) => isFailure(failure) && succeedsAtOtherTime(failure));
    return operations.size > 1 || (isRepeated && !isOneLead);
  };
  const failures = ofKey.filter((exchange) => isFailure(exchange) || isUnexpected(exchange));
  const all = seriesOf(failures, successes).filter((series) => series.some(isUnexpected));
  return all.length > maxOutages ? [] : all.filter(isOutage);
};

/** The outages of a run that ended, as far as its responses show them. */
type PassingOutages = {
  /** One sentence about the outage to which a response belongs, also one to a request with a wrong key. */
  readonly describe: (exchange: Exchange) => string | undefined;
};

const isDuring =
  (exchange: Exchange) =>
  (outage: readonly Exchange[]): boolean =>
    (outage.includes(exchange) || isFailure(exchange)) &&
    exchange.receivedAt >= Math.min(...outage.map(({ sentAt }) => sentAt)) &&
    exchange.sentAt <= Math.max(...outage.map(({ receivedAt }) => receivedAt));

/** Looks for outages among the responses so far. */
export const createPassingOutages = (exchanges: readonly Exchange[]): PassingOutages => {
  let length = -1;
  let outages: Exchange[][] = [];
  const current = (): Exchange[][] => {
    if (exchanges.length !== length) outages = passingOutages(exchanges);
    length = exchanges.length;
    return outages;
  };
  return {
    describe: (exchange) => {
      const outage = current().find(isDuring(exchange));
      const [first] = outage ?? [];
      return (
        first &&
        `${outage?.length} requests failed one after another, and later ones succeeded: ${describeRefusal(first)}; run again`
      );
    },
  };
};
