// Answers that are not the service's own, or not to the request: failures, pages of what stands in front, lock-outs.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { RequestFailed } from '../client/client.ts';
import { describeRefusal, type Exchange, hasServiceEnvelope, isObject } from '../client/exchange.ts';
import { concernsOneLead, routes } from './routes.ts';

/** What frameworks and databases say of a failure of their own; no reason to refuse a request. */
const failureTexts =
  /\b(?:internal|unexpected(?: server)? error|server error|went wrong|exception|unhandled|traceback|fatal|panic|sqlstate|nonetype|nil|null pointer|undefined|cannot read|is not a function|\w+Error|sql|sqlite|database|deadlock|value too long for type|(?:could not|failed to|unable to) insert|": syntax error)\b/i;

/**
 * A failure of the service itself. Statuses of error responses are not shown (§7.4): one above 500 that says what is wrong
 * with the request is an ordinary error response.
 */
export const isServerError = ({ status, outcome, json }: Exchange): boolean => {
  if (status < 500 || outcome === 'gateway') return false;
  if (!isObject(json) || typeof json.error !== 'string' || json.error === '') return true;
  return [json.error, json.message].some((text) => typeof text === 'string' && failureTexts.test(text));
};

/** What was not a success, by the number of the request. */
export type Doubt = {
  readonly request: number;
  /** Absent where no answer came. */
  readonly exchange?: Exchange | undefined;
  /** What it says, where it cannot be an answer of the service to a request with the good key. */
  readonly trouble?: string | undefined;
};

export const exchangesIn = (list: readonly Doubt[]): Exchange[] =>
  list.flatMap(({ exchange }) => exchange ?? []);

/** Whether the service, or what stands in front of it, is too busy for a request with the good key. */
export const isUnavailable = ({ status, credentials }: Exchange): boolean =>
  status === 503 && credentials === 'key';

/** A probe may succeed at any path, or with a body that a list does not have; what is documented succeeds again. */
export const isRepeatable = ({ operation, path, method, body }: Exchange): boolean =>
  concernsOneLead(operation) ||
  (routes[operation].paths.includes(path) && (method !== 'GET' || body === undefined));

const refusedKey = new Set([401, 402, 403, 407]);

/** What failures say that come from a limit of the run. */
const limitWords: Readonly<Record<string, RegExp>> = {
  '--max-wait': /--max-wait/,
  '--timeout': /no complete answer within/,
};

/** What to do next where a deployment stops answering with a status, or without one. */
const adviceFor = (status: number | undefined, recovery = 'the service is up', trouble = ''): string => {
  if (status === undefined) {
    const flag = ['--max-wait', '--timeout'].find((name) => limitWords[name]?.test(trouble));
    return `see whether it still runs${flag === undefined ? '' : `, or raise ${flag}`}, and run again`;
  }
  if (status === 401) return 'renew the key (EMAIL_LEADS_API_KEY) and run again';
  if (status === 402) return 'raise the plan, or wait until it is renewed, and run again';
  if (status === 403) return 'see what the key is permitted and run again';
  if (status === 429) return 'wait and run again, more slowly with --rate-limit, or with a longer --max-wait';
  return `run again when ${recovery} again`;
};

/** What helps where answers with 503 alternate with successes. */
const slowlyAdvice = ', or, where it limits the rate, more slowly with --rate-limit 5/s';

/** Whether an answer to a request with the good key is none of the service, as far as a status can tell. */
export const isTrouble = ({ outcome, status, json }: Exchange): boolean =>
  outcome === 'gateway' ||
  refusedKey.has(status) ||
  status >= 500 ||
  (outcome === 'broken' && json === undefined);

/** What an answer to the good key says that may not be the service's; `undefined` for an ordinary error response. */
export const troubleIn = (exchange: Exchange): string | undefined => {
  const { credentials, outcome } = exchange;
  const mayBeForeign = isTrouble(exchange) || (outcome === 'broken' && !hasBooleanSuccess(exchange));
  return credentials === 'key' && mayBeForeign ? describeRefusal(exchange) : undefined;
};

/** Why no more is asked of one operation, in one line. */
export const describeClosing = (operation: OperationId, { request, exchange }: Doubt): string =>
  `since request ${request} no ${operation} succeeded: ${exchange ? describeRefusal(exchange) : ''}; ${adviceFor(exchange?.status, 'it succeeds')}`;

/** Whether a request names a lead or a template, which may be gone: a refusal is then about that one. */
const namesOneRecord = (operation: OperationId): boolean =>
  concernsOneLead(operation) || operation === 'sendTemplateEmail';

/** The status of what is refused because of what came before it. */
export const conflict = 409;

/** No request of a run has a condition, and a service that is away does not answer so: a finding, and no outage. */
export const isNotModified = ({ status }: Exchange): boolean => status === 304;

/** Whether a request to an operation that succeeded before got a page, or the status of what has no such address. */
export const saysNoAddress = ({ json, status }: Exchange): boolean => json === undefined || status === 404;

/** Whether a complete request was refused for no reason of its own; a record may be unknown, and that is one. */
export const isUnexplainedRefusal = (exchange: Exchange): boolean => {
  const { intent, outcome, operation } = exchange;
  if (intent !== 'complete' || outcome === 'success' || outcome === 'broken') return false;
  return namesOneRecord(operation) ? isTrouble(exchange) : true;
};

const serverOf = ({ headers }: Exchange): string | undefined =>
  typeof headers.server === 'string' && headers.server !== '' ? headers.server : undefined;

/** `<center>nginx/1.25</center>`: the pages of common gateways end with their own name. */
const signature = /<center>\s*((?:nginx|openresty|cloudflare|awselb|tengine)[^<]*)<\/center>/i;

const signer = ({ rawText }: Exchange): string | undefined => signature.exec(rawText)?.[1]?.trim();

/** A page that names its server: perhaps not written by the service, but by what stands in front of it. */
export const isForeignPage = (exchange: Exchange): boolean =>
  exchange.json === undefined &&
  (serverOf(exchange) ?? signer(exchange)) !== undefined &&
  /^text\/html\b/i.test(String(exchange.headers['content-type'] ?? ''));

/** The `Server` of a gateway that wrote this page: one that no JSON response has, or that signs its pages. */
export const gatewayName = (page: Exchange, exchanges: readonly Exchange[]): string | undefined => {
  const server = serverOf(page);
  const name = signer(page);
  const ofService = new Set(exchanges.filter(({ json }) => json !== undefined).map(serverOf));
  return ofService.has(server) ? name && (server ?? name) : (server ?? name);
};

const blocked = new Set([403, 406]);

/**
 * A page in place of JSON where the good key is refused, and not by the server that answers in JSON: a firewall dislikes
 * the text, and the service never saw it. A page of the service itself is an error response of the service.
 */
export const isFirewallPage = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchange.credentials === 'key' &&
  blocked.has(exchange.status) &&
  isForeignPage(exchange) &&
  gatewayName(exchange, exchanges) !== undefined;

/** What to do where a firewall answers some requests in place of the service. */
export const firewallAdvice = 'let the texts of the run pass there';

const lockOutStatuses = new Set([401, 403, 423, 429]);
const lockOutWords = /\b(lock|attempts?|too many|brute|suspend|temporarily|banned)/i;

/** Whether an error response says that somebody tried too often, which is a deployment's own choice (§8). */
export const saysLockedOut = (exchange: Exchange): boolean =>
  exchange.status === 423 || lockOutWords.test(describeRefusal(exchange));

/** Whether the good key is refused as a wrong one is; where errors have status 200, any refusal may be that. */
export const refusesKey = ({ outcome, status }: Exchange): boolean =>
  outcome === 'refusal' && (status === 200 || status === 401 || status === 403);

/**
 * Whether the same request may get another response a moment later, from another node or over another connection: no
 * page of an outage with a status of success, and no refusal of the service itself.
 */
export const isTransient = ({ outcome, status, json, rawText }: Exchange): boolean =>
  outcome === 'broken' ? json !== undefined || rawText === '' : status >= 500 || json === undefined;

/** Whether nobody took a request: what restarts is back in some seconds. */
export const isDisconnected = (failure: RequestFailed): boolean =>
  failure.kind === 'unreachable' || failure.kind === 'closed';

/** A gateway may find the service again a moment later; grows with every attempt. */
export const gatewayPauseMs = 1000;

/** How long a cache may remember the response to a wrong key and give it to the good one. */
export const rememberedMs = 1200;

/** What there is to tell of the requests before: the wrong keys among them, and 503 in turn with successes. */
type EarlierRequests = {
  readonly count: number;
  /** Whether the good key has not been accepted since the last of them. */
  readonly isRecent: boolean;
  /** Whether answers with 503 were followed by successes. */
  readonly alternates?: boolean;
};

/** Wrong keys in so small a number lock nobody out. */
const fewKeys = 6;

/** Why a run stops, in one line that says what to do next. */
export const describeStop = (
  { request, exchange, trouble = '' }: Doubt,
  status: number | undefined,
  { count, isRecent, alternates = false }: EarlierRequests,
): string => {
  const advice = `${adviceFor(status, undefined, trouble)}${status === 503 && alternates ? slowlyAdvice : ''}`;
  if (!isRecent || count < fewKeys || !lockOutStatuses.has(status ?? 0))
    return `since request ${request} no request succeeded: ${trouble}; ${advice}`;
  const since = `after ${count} wrong keys the deployment refuses the good key as well (${trouble})`;
  const saysRate = status === 429 && /\brates?\b|per (second|minute)|slow down/i.test(trouble);
  const saysSo =
    !saysRate && (exchange ? saysLockedOut(exchange) : status === 423 || lockOutWords.test(trouble));
  return saysSo
    ? `locked out: ${since}; wait until the lock-out ends and run again`
    : `${since}: wait, in case it locks out who tries wrong keys, or ${advice}`;
};

/** A response without what differs from request to request: the path, numbers, and runs of hexadecimal digits. */
const signatureOf = ({ status, method, path, rawText }: Exchange): string =>
  `${status} ${[path, method].reduce((text, own) => text.replaceAll(own, '…'), rawText).replaceAll(/[0-9a-f]{8,}|\d+/gi, '…')}`;

/** Whether a response says in the service's own way whether the request succeeded. */
export const hasBooleanSuccess = ({ json }: Pick<Exchange, 'json'>): boolean =>
  isObject(json) && typeof json.success === 'boolean';

/** Whether a response is in the form of the service. An error response may leave `success` out (§7.6). */
export const hasServiceForm = (exchange: Exchange): boolean =>
  hasBooleanSuccess(exchange) ||
  (exchange.outcome !== 'broken' && isObject(exchange.json) && typeof exchange.json.error === 'string');

/** Whether two operations got the same response: what one of them shows is not what the other one does. */
export const isSameForOthers = (exchange: Exchange, exchanges: readonly Exchange[]): boolean => {
  const signature = signatureOf(exchange);
  return exchanges.some(
    (earlier) => earlier.operation !== exchange.operation && signatureOf(earlier) === signature,
  );
};

/** Whether a broken response is one of the service: a list that lost a field, or all that is around it, is a list all the same. */
export const isOfService = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchange.outcome === 'broken' &&
  (hasServiceEnvelope(exchange.json) || isListOfObjects(exchange.json)) &&
  (hasBooleanSuccess(exchange) || !isSameForOthers(exchange, exchanges));

const isListOfObjects = (json: unknown): boolean =>
  Array.isArray(json) && json.length > 0 && json.every(isObject);

/** Responses that something else than the service sent, known by their content. */
type ForeignResponses = {
  /** Notes a response that something else than the service sent, unless it has the form of the service. */
  readonly add: (exchange: Exchange) => void;
  readonly includes: (exchange: Exchange) => boolean;
};

export const createForeignResponses = (): ForeignResponses => {
  const signatures = new Set<string>();
  return {
    add: (exchange) => {
      if (!hasServiceForm(exchange)) signatures.add(signatureOf(exchange));
    },
    includes: (exchange) =>
      signatures.size > 0 && !hasServiceForm(exchange) && signatures.has(signatureOf(exchange)),
  };
};
