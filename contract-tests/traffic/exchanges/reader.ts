import type { OperationId } from '../../../mock/contract/operation-id.ts';
import {
  type Call,
  type Credentials,
  dataOf,
  type Exchange,
  type Outcome,
  outcomeOf,
} from '../../client/exchange.ts';
import { createRedactor, type Redact } from '../../client/redaction.ts';
import { isAbsent } from '../../session/availability.ts';
import { hasGoneStatus } from '../../session/own-lead.ts';
import { concernsOneLead } from '../../session/routes.ts';
import { type Context, type History, snapshotAfter } from './history.ts';
import { isDocumented, type SeenRequest, type Successes } from './intent.ts';
import {
  decodeBody,
  headerText,
  leadIdOf,
  maxJudgedBytes,
  noResponse,
  type ObservedExchange,
  pathOfTarget,
} from './observed.ts';

/** The keys in the traffic of a session: which one is valid, and how to redact all of them. */
type Keys = {
  /** Classifies the value of an `Authorization` header. */
  readonly credentialsOf: (authorization: string | undefined) => Credentials;
  /** Whether a request has the main key, the one that succeeds in this session. Other keys may have fewer permissions. */
  readonly isMain: (authorization: string | undefined, outcome: Outcome, status: number) => boolean;
  readonly redact: Redact;
};

/** Maximum number of keys to remember. The latest ones are enough, because output is redacted while they are in use. */
const maxKeys = 200;

const bearer = /^bearer +(\S+)$/i;

/**
 * @param known the key of the deployment, if it is known
 * @param headersMissing whether the headers with keys were removed from the recording: then
 * every request counts as having the key
 */
export const createKeys = (known = '', headersMissing = false): Keys => {
  const redactors = new Map<string, Redact>(known === '' ? [] : [[known, createRedactor(known)]]);
  let main = known === '' ? undefined : known;

  const remember = (secret: string): void => {
    if (secret === '' || redactors.has(secret)) return;
    const oldest = [...redactors.keys()].find((candidate) => candidate !== main);
    if (redactors.size >= maxKeys && oldest !== undefined) redactors.delete(oldest);
    redactors.set(secret, createRedactor(secret));
  };

  const keyIn = (authorization: string): string | undefined => bearer.exec(authorization.trim())?.[1];

  return {
    credentialsOf: (authorization) => {
      if (headersMissing) return 'key';
      if (authorization === undefined || authorization.trim() === '') return 'none';
      const key = keyIn(authorization);
      if (key === undefined) {
        remember(authorization.trim().split(/\s+/).at(-1) ?? '');
        return /^bearer$/i.test(authorization.trim()) ? 'Bearer without a key' : 'Basic';
      }
      if (/^(null|undefined)$/.test(key)) return 'Bearer null';
      remember(key);
      return 'key';
    },
    isMain: (authorization, outcome, status) => {
      if (headersMissing) return true;
      const key = keyIn(authorization ?? '');
      if (main !== undefined) return key === main;
      if (outcome === 'success') main = key;
      return outcome === 'success' || outcome === 'broken' || status >= 500;
    },
    redact: (text) => [...redactors.values()].reduce((rest, redact) => redact(rest), text),
  };
};

/** A request of a known operation. Its body may be too large, or missing in the recording. */
type ReadRequest = SeenRequest & { readonly bodyUnknown: boolean };

type ReaderOptions = {
  readonly keys: Keys;
  readonly history: History;
  readonly successes: Successes;
};

/** Converts observed traffic to exchanges like those of the suite's own requests. */
export const createExchangeReader = ({ keys, history, successes }: ReaderOptions) => {
  let sequence = 0;

  const requestOf = (
    operation: OperationId,
    { requestHeaders, requestBody, target }: ObservedExchange,
  ): ReadRequest => {
    const decoded = decodeBody(requestBody, headerText(requestHeaders['content-encoding']));
    const body = 'missing' in decoded || decoded.size === 0 ? undefined : decoded.rawText;
    return {
      operation,
      target,
      body,
      json: 'missing' in decoded ? undefined : decoded.json,
      contentType: mediaType(headerText(requestHeaders['content-type'])),
      bodyUnknown: 'missing' in decoded,
    };
  };

  const exchangeOf = (
    request: SeenRequest,
    observed: ObservedExchange,
  ): Exchange | { readonly missing: string } => {
    const reason = unjudgeable(observed);
    if (reason !== undefined) return { missing: reason };
    const { status, responseHeaders, requestHeaders, target, method } = observed;
    const decoded = decodeBody(observed.responseBody, headerText(responseHeaders['content-encoding']));
    if ('missing' in decoded) return decoded;
    const outcome = outcomeOf(status, decoded.json);
    const authorization = requestHeaders.authorization;
    const isMain = keys.isMain(authorization, outcome, status);
    sequence += 1;
    const updated = request.operation === 'updateLead' && outcome === 'success';
    const isKnown =
      outcome !== 'refusal' || successes.has(request) || isAbsent(observed) || hasGoneStatus(observed);
    // Listed field by field: a spread makes V8 create a slow object, which costs 30 µs per exchange.
    return {
      size: decoded.size,
      rawText: decoded.rawText,
      json: decoded.json,
      byteProblem: decoded.byteProblem,
      operation: request.operation,
      method: method as Call['method'],
      path: pathOfTarget(target),
      credentials: keys.credentialsOf(authorization),
      body: request.body,
      contentType: request.contentType,
      intent: isMain && isKnown && isDocumented(request, history) ? 'complete' : 'probe',
      // Other keys may see other records, and a query may filter: such lists are not compared with others.
      check: isMain && !target.includes('?') && !observed.overlaps ? 'traffic' : 'other traffic',
      status,
      headers: responseHeaders,
      // Redacted on demand, because only shown texts need it.
      get text() {
        return keys.redact(decoded.rawText);
      },
      outcome,
      repeated: false,
      // Two requests in the same millisecond need different times.
      sentAt: observed.startedAt + (sequence % 1000) / 1000,
      receivedAt: observed.endedAt,
      own:
        !concernsOneLead(request.operation) ||
        history.find(leadIdOf(request.operation, target))?.own === true,
      lead: updated
        ? snapshotAfter(observed, request.json, decoded, history.find(leadIdOf('updateLead', target)))
        : undefined,
    };
  };

  const contextOf = (request: SeenRequest, observed: ObservedExchange, exchange: Exchange): Context => {
    const { operation } = exchange;
    const id =
      operation === 'addLead' ? String(dataOf(exchange).lead_id ?? '') : leadIdOf(operation, observed.target);
    const lead = history.find(id);
    return {
      observed,
      exchange,
      request: request.json,
      lead,
      own: exchange.own === true,
    };
  };

  return { requestOf, exchangeOf, contextOf };
};

/** Normalises all spellings of `application/json` to the documented type. */
const mediaType = (value: string): string | undefined =>
  value === ''
    ? undefined
    : /^application\/json(;charset="?utf-8"?)?;?$/i.test(value.replaceAll(/\s/g, ''))
      ? 'application/json'
      : value;

const conditional = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** The reason why a response cannot be checked as the response to the documented request. */
const unjudgeable = ({ status, requestHeaders, responseBody }: ObservedExchange): string | undefined => {
  if (status < 200)
    return 'missing' in responseBody && responseBody.missing.startsWith(noResponse)
      ? responseBody.missing
      : noResponse;
  const isConditional = conditional.some((name) => requestHeaders[name] !== undefined);
  if (isConditional && [206, 304, 412, 416].includes(status)) return 'in response to a conditional request';
  if ('missing' in responseBody) return responseBody.missing;
  return responseBody.bytes.length > maxJudgedBytes ? 'too large' : undefined;
};
