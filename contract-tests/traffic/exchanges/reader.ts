import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { pathOf } from '../../../mock/contract/path-template.ts';
import { type Call, type Exchange, type Outcome, outcomeOf } from '../../exchange/exchange.ts';
import { concernsOneLead } from '../../exchange/operations.ts';
import { hasGoneStatus, isAbsent } from '../../exchange/responses.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import type { Keys } from './keys.ts';
import { clientLeft, noBody, noResponse, type ObservedExchange } from './observed.ts';
import { isComplete } from './requests.ts';

/** Limits for the requests that are remembered as accepted: their number, and the characters of each. */
const [maxSuccesses, maxSuccessLength] = [2000, 10_000];

/** Converts observed traffic to exchanges like those of the suite's own requests. */
export const createExchangeReader = (keys: Keys, model: Model) => {
  const succeeded = new Set<string>();
  let sequence = 0;

  /**
   * Whether nothing that the traffic has shown is a reason to refuse the request.
   * @param request all that it sends
   */
  const canFulfil = (
    { operation, outcome, status }: Pick<Exchange, 'operation' | 'outcome' | 'status'>,
    observed: ObservedExchange,
    request: string,
  ): boolean => {
    const isMain = keys.isMain(observed.requestHeaders.authorization, outcome, status);
    const isKnown =
      outcome !== 'refusal' || succeeded.has(request) || isAbsent(observed) || hasGoneStatus(observed);
    // The key may have expired.
    const isAboutKey = status === 401 || status === 403;
    return isMain && isKnown && !isAboutKey && isComplete(operation, observed, model, observed.startedAt);
  };

  /**
   * @param isDocumented whether the request has the documented form
   * @returns the exchange, and why it cannot be judged, if so: the request may have taken effect all the same
   */
  return (
    operation: OperationId,
    observed: ObservedExchange,
    isDocumented: boolean,
  ): { readonly exchange: Exchange; readonly missing: string | undefined } => {
    const { status, responseHeaders: headers, requestHeaders, requestBody, method, call } = observed;
    const missing = unjudgeable(observed);
    const response = 'missing' in observed.responseBody ? noBody : observed.responseBody;
    // A request whose body is not known gets no media type: it may have sent anything.
    const [body, contentType] =
      'missing' in requestBody
        ? [requestBody.missing]
        : [requestBody.rawText || undefined, mediaType(requestHeaders['content-type'])];
    const path = pathOf(observed.target);
    // A request without a response may be part of an outage, unless its client has left.
    const lost: Outcome = missing === clientLeft ? 'broken' : 'gateway';
    const outcome = status < 200 ? lost : outcomeOf({ status, headers, json: response.json });
    const request = `${operation} ${path} ${body ?? ''}`;
    // First of all it notes which key is valid.
    const isFulfillable = canFulfil({ operation, outcome, status }, observed, request) && isDocumented;
    if (outcome === 'success' && succeeded.size < maxSuccesses && request.length < maxSuccessLength)
      succeeded.add(request);
    sequence += 1;
    // Two requests in the same millisecond need different times, where nothing finer is known, and none ends before it begins.
    const sentAt = observed.startedAt + (Number.isInteger(observed.startedAt) ? (sequence % 1000) / 1000 : 0);
    // Listed field by field: a spread makes V8 create a slow object, which costs 30 µs per exchange.
    const exchange: Exchange = {
      size: response.size,
      rawText: response.rawText,
      json: response.json,
      byteProblem: response.byteProblem,
      operation,
      method: method as Call['method'],
      path,
      credentials: call?.credentials ?? keys.credentialsOf(requestHeaders.authorization),
      body,
      contentType,
      intent: call?.intent ?? (isFulfillable ? 'complete' : 'text'),
      scenario: call?.scenario ?? 'traffic',
      status,
      headers,
      // Redacted on demand, because only shown texts need it.
      get text() {
        return keys.redact(response.rawText);
      },
      outcome,
      sentAt,
      receivedAt: Math.max(observed.endedAt, sentAt),
      own:
        !concernsOneLead(operation) || model.leads.get(leadIdOf({ operation, path }))?.addition !== undefined,
    };
    return { exchange, missing };
  };
};

/** Normalises all spellings of `application/json` to the documented type. */
const mediaType = (value = ''): string | undefined => {
  const isJson = /^application\/json(;charset="?utf-8"?)?;?$/i.test(value.replaceAll(/\s/g, ''));
  return isJson ? 'application/json' : value || undefined;
};

const conditional = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** The reason why a response cannot be checked as the response to the documented request. */
const unjudgeable = ({ status, requestHeaders, responseBody }: ObservedExchange): string | undefined => {
  const missing = 'missing' in responseBody ? responseBody.missing : undefined;
  if (status < 200) return missing?.startsWith(noResponse) ? missing : noResponse;
  const isConditional = conditional.some((name) => requestHeaders[name] !== undefined);
  if (isConditional && [206, 304, 412, 416].includes(status)) return 'in response to a conditional request';
  return missing;
};
