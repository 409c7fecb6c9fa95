import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { pathOf } from '../../../mock/contract/path-template.ts';
import { placeholder, redactSpellings, spellingsOf } from '../../../mock/contract/redaction.ts';
import { createGatewayRedactor, type Gateway } from '../../client/gateway.ts';
import {
  type Call,
  type Credentials,
  type Exchange,
  type Outcome,
  outcomeOf,
} from '../../exchange/exchange.ts';
import { concernsOneLead } from '../../exchange/operations.ts';
import { hasGoneStatus, isAbsent } from '../../exchange/responses.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import { clientLeft, noBody, noResponse, type ObservedExchange } from './observed.ts';
import { isComplete } from './requests.ts';

/** Limits for the keys to remember. The latest ones are enough, because output is redacted while they are in use. */
const maxKeys = 200;
const maxKeyCharacters = 1_000_000;

const bearer = /^bearer +(\S+)$/i;

/**
 * The keys in the traffic of a session: which one is valid, and how to redact all of them.
 * @param known the key of the deployment, if it is known
 * @param headersMissing whether the headers with keys were removed from the recording: then
 * every request counts as having the key
 */
export const createKeys = (known = '', headersMissing = false, gateway?: Gateway) => {
  const spellings = new Map<string, readonly string[]>();
  let characters = 0;
  const redactGateway = createGatewayRedactor(gateway);
  let main = known === '' ? undefined : known;

  const remember = (secret: string): void => {
    if (secret === '' || spellings.has(secret)) return;
    spellings.set(secret, spellingsOf(secret));
    characters += secret.length;
    for (const oldest of spellings.keys()) {
      if (spellings.size <= maxKeys && characters <= maxKeyCharacters) return;
      if (oldest === main || oldest === secret) continue;
      spellings.delete(oldest);
      characters -= oldest.length;
    }
  };
  if (main !== undefined) remember(main);

  const keyIn = (authorization: string): string | undefined => bearer.exec(authorization.trim())?.[1];

  return {
    /** Classifies the value of an `Authorization` header. */
    credentialsOf: (authorization: string | undefined): Credentials => {
      if (headersMissing) return 'key';
      if (authorization === undefined || authorization.trim() === '') return 'none';
      const key = keyIn(authorization);
      if (/^bearer$/i.test(authorization.trim())) return 'Bearer without a key';
      if (key === undefined) {
        remember(authorization.trim().split(/\s+/).at(-1) ?? '');
        return 'Basic';
      }
      if (/^(null|undefined)$/.test(key)) return 'Bearer null';
      remember(key);
      return 'key';
    },
    /** Whether a request has the main key, the one that succeeds in this session. Other keys may have fewer permissions. */
    isMain: (authorization: string | undefined, outcome: Outcome, status: number): boolean => {
      // What was refused may have been sent without a key.
      if (headersMissing) return outcome !== 'refusal' || hasGoneStatus({ status });
      const key = keyIn(authorization ?? '');
      if (main !== undefined) return key === main;
      if (outcome === 'success') main = key;
      return outcome === 'success' || outcome === 'broken' || status >= 500;
    },
    redact: (text: string): string =>
      redactGateway(redactSpellings(text, [...spellings.values()].flat(), placeholder)),
  };
};

type Keys = ReturnType<typeof createKeys>;

/** Limits for the requests that are remembered as accepted: their number, and the characters of each. */
const [maxSuccesses, maxSuccessLength] = [2000, 10_000];

/** Converts observed traffic to exchanges like those of the suite's own requests. */
export const createExchangeReader = (keys: Keys, model: Model) => {
  const succeeded = new Set<string>();
  let sequence = 0;

  /**
   * @param isDocumented whether the request has the documented form
   * @returns the exchange, and why it cannot be judged, if so: the request may have taken effect all the same
   */
  return (
    operation: OperationId,
    observed: ObservedExchange,
    isDocumented: boolean,
  ): { readonly exchange: Exchange; readonly missing: string | undefined } => {
    const { status, responseHeaders, requestHeaders, requestBody, target, method } = observed;
    const missing = unjudgeable(observed);
    const responseBody = 'missing' in observed.responseBody ? noBody : observed.responseBody;
    // A request whose body is not known gets no media type: it may have sent anything.
    const [body, contentType] =
      'missing' in requestBody
        ? [requestBody.missing]
        : [requestBody.rawText || undefined, mediaType(requestHeaders['content-type'])];
    const path = pathOf(target);
    // A request without a response may be part of an outage, unless its client has left.
    const lost: Outcome = missing === clientLeft ? 'broken' : 'gateway';
    const outcome =
      status < 200 ? lost : outcomeOf({ status, headers: responseHeaders, json: responseBody.json });
    const authorization = requestHeaders.authorization;
    const isMain = keys.isMain(authorization, outcome, status);
    const request = `${operation} ${path} ${body ?? ''}`;
    const isKnown =
      outcome !== 'refusal' || succeeded.has(request) || isAbsent(observed) || hasGoneStatus(observed);
    if (outcome === 'success' && succeeded.size < maxSuccesses && request.length < maxSuccessLength)
      succeeded.add(request);
    // The key may have expired.
    const isAboutKey = status === 401 || status === 403;
    const isFulfillable =
      isMain &&
      isKnown &&
      !isAboutKey &&
      isDocumented &&
      isComplete(operation, observed, model, observed.startedAt);
    sequence += 1;
    // Two requests in the same millisecond need different times, where nothing finer is known, and none ends before it begins.
    const sentAt = observed.startedAt + (Number.isInteger(observed.startedAt) ? (sequence % 1000) / 1000 : 0);
    // Listed field by field: a spread makes V8 create a slow object, which costs 30 µs per exchange.
    const exchange: Exchange = {
      size: responseBody.size,
      rawText: responseBody.rawText,
      json: responseBody.json,
      byteProblem: responseBody.byteProblem,
      operation,
      method: method as Call['method'],
      path,
      credentials: observed.call?.credentials ?? keys.credentialsOf(authorization),
      body,
      contentType,
      intent: observed.call?.intent ?? (isFulfillable ? 'complete' : 'text'),
      check: observed.call?.check ?? 'traffic',
      status,
      headers: responseHeaders,
      // Redacted on demand, because only shown texts need it.
      get text() {
        return keys.redact(responseBody.rawText);
      },
      outcome,
      sentAt,
      receivedAt: Math.max(observed.endedAt, sentAt),
      own: !concernsOneLead(operation) || model.leads.get(leadIdOf({ operation, path }))?.own === true,
      overlaps: observed.overlaps,
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
