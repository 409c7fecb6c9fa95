// Responses that do not come from the service, or that are failures of it: server errors, gateway pages, lock-outs.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { cleanUp, preflight } from '../client/client.ts';
import {
  type Call,
  describeRefusal,
  type Exchange,
  hasServiceEnvelope,
  isObject,
} from '../client/exchange.ts';
import { concernsOneLead, routes } from './routes.ts';

/** Texts of frameworks and databases about internal failures; they are no reason to refuse a request. */
const failureTexts =
  /\b(?:internal|unexpected(?: server)? error|server error|went wrong|exception|unhandled|traceback|fatal|panic|sqlstate|nonetype|nil|null pointer|undefined|cannot read|is not a function|\w+Error|sql|sqlite|database|deadlock|value too long for type|(?:could not|failed to|unable to) insert|": syntax error)\b/i;

/**
 * Whether a response is a failure of the service itself. The document does not show the statuses of error responses (§7.4): a
 * status above 500 with a text about the request is an ordinary error response.
 */
export const isServerError = ({ status, outcome, json }: Exchange): boolean => {
  if (status < 500 || outcome === 'gateway') return false;
  if (!isObject(json) || typeof json.error !== 'string' || json.error === '') return true;
  return [json.error, json.message].some((text) => typeof text === 'string' && failureTexts.test(text));
};

/** A request without a success. `request` is its number in the run. */
export type Doubt = {
  readonly request: number;
  /** Absent if there was no response. */
  readonly exchange?: Exchange | undefined;
  /** Description of a response that cannot come from the service after a request with the valid key. */
  readonly trouble?: string | undefined;
};

export const exchangesIn = (list: readonly Doubt[]): Exchange[] =>
  list.flatMap(({ exchange }) => exchange ?? []);

/** Whether the service, or a gateway in front of it, is too busy for a request with the valid key. */
export const isUnavailable = ({ status, credentials }: Exchange): boolean =>
  status === 503 && credentials === 'key';

/** Whether a documented request was sent, which must succeed again. A probe may use another path, or a body with GET. */
export const isRepeatable = ({ operation, path, method, body }: Exchange): boolean =>
  concernsOneLead(operation) ||
  (routes[operation].paths.includes(path) && (method !== 'GET' || body === undefined));

/** Failures of the first requests of a run are explained by the preflight, and the last requests decide nothing. */
export const isWatched = ({ check }: Pick<Call, 'check'>): boolean =>
  check !== cleanUp && check !== preflight;

const refusedKey = new Set([401, 402, 403, 407]);

/** Texts in failures that are caused by a limit of the run. */
const limitWords: Readonly<Record<string, RegExp>> = {
  '--max-wait': /--max-wait/,
  '--timeout': /no complete response within/,
};

/** Advice for the user after a deployment has stopped responding, by the last status, or `undefined` without a response. */
const adviceFor = (status: number | undefined, recovery = 'the service is up', trouble = ''): string => {
  if (status === undefined) {
    const flag = ['--max-wait', '--timeout'].find((name) => limitWords[name]?.test(trouble));
    return `check whether it is still running${flag === undefined ? '' : `, or raise ${flag}`}, and run again`;
  }
  if (status === 401) return 'renew the key (EMAIL_LEADS_API_KEY) and run again';
  if (status === 402) return 'upgrade the plan, or wait until it is renewed, and run again';
  if (status === 403) return 'check the permissions of the key and run again';
  if (status === 429) return 'wait and run again, more slowly with --rate-limit, or with a longer --max-wait';
  return `run again when ${recovery} again`;
};

/** Additional advice if 503 responses alternate with successes. */
const slowlyAdvice = ', or, where it limits the rate, more slowly with --rate-limit 5/s';

/** Whether a response to a request with the valid key does not come from the service, as far as the status shows. */
export const isTrouble = ({ outcome, status, json }: Exchange): boolean =>
  outcome === 'gateway' ||
  refusedKey.has(status) ||
  status >= 500 ||
  (outcome === 'broken' && json === undefined);

/** Describes a response to the valid key that may not come from the service; `undefined` for an ordinary error response. */
export const troubleIn = (exchange: Exchange): string | undefined => {
  const { credentials, outcome } = exchange;
  const mayBeForeign = isTrouble(exchange) || (outcome === 'broken' && !hasBooleanSuccess(exchange));
  return credentials === 'key' && mayBeForeign ? describeRefusal(exchange) : undefined;
};

/** The reason why the run sends no more requests to an operation, on one line. */
export const describeClosing = (operation: OperationId, { request, exchange }: Doubt): string =>
  `since request ${request} no ${operation} succeeded: ${exchange ? describeRefusal(exchange) : ''}; ${adviceFor(exchange?.status, 'it succeeds')}`;

/** Whether a request names a lead or a template, which may be gone: a refusal may then concern only that record. */
const namesOneRecord = (operation: OperationId): boolean =>
  concernsOneLead(operation) || operation === 'sendTemplateEmail';

/** The status of a refusal that is due to an earlier request. */
export const conflict = 409;

/** Whether a response is a 304. No request of a run is conditional, so a 304 is a finding; it is not a sign of an outage. */
export const isNotModified = ({ status }: Exchange): boolean => status === 304;

/** Whether a response is a page or a 404, as servers send them for unknown paths. */
export const saysNoAddress = ({ json, status }: Exchange): boolean => json === undefined || status === 404;

/** Whether a complete request was refused without an explanation in its content. An unknown record is an explanation. */
export const isUnexplainedRefusal = (exchange: Exchange): boolean => {
  const { intent, outcome, operation } = exchange;
  if (intent !== 'complete' || outcome === 'success' || outcome === 'broken') return false;
  return namesOneRecord(operation) ? isTrouble(exchange) : true;
};

export const serverOf = ({ headers }: Exchange): string | undefined =>
  typeof headers.server === 'string' && headers.server !== '' ? headers.server : undefined;

/** `<center>nginx/1.25</center>`: the error pages of common gateways end with the name of the server. */
const signature = /<center>\s*((?:nginx|openresty|cloudflare|awselb|tengine)[^<]*)<\/center>/i;

const signer = ({ rawText }: Exchange): string | undefined => signature.exec(rawText)?.[1]?.trim();

/** Whether a response is an HTML page that names its server: it may come from a gateway in front of the service. */
export const isForeignPage = (exchange: Exchange): boolean =>
  exchange.json === undefined &&
  (serverOf(exchange) ?? signer(exchange)) !== undefined &&
  /^text\/html\b/i.test(String(exchange.headers['content-type'] ?? ''));

/** The values of `Server` in JSON responses so far, which come from the service. */
export type ServerNames = ReadonlySet<string | undefined>;

/** The `Server` name of the gateway that created this page: a name that no JSON response has, or one in the page itself. */
export const gatewayName = (page: Exchange, ofService: ServerNames): string | undefined => {
  const server = serverOf(page);
  const name = signer(page);
  return ofService.has(server) ? name && (server ?? name) : (server ?? name);
};

const blocked = new Set([403, 406]);

/**
 * Whether an HTML page replaces JSON for a refused request with the valid key, sent by another server than the
 * JSON responses: a firewall rejected the text, and the service never received it. A page of the service
 * itself is an error response of the service.
 */
export const isFirewallPage = (exchange: Exchange, ofService: ServerNames): boolean =>
  exchange.credentials === 'key' &&
  blocked.has(exchange.status) &&
  isForeignPage(exchange) &&
  gatewayName(exchange, ofService) !== undefined;

/** Advice if a firewall responds to some requests in place of the service. */
export const firewallAdvice = 'configure it to let the texts of the run pass';

const lockOutStatuses = new Set([401, 403, 423, 429]);
const lockOutWords = /\b(lock|attempts?|too many|brute|suspend|temporarily|banned)/i;

/** Whether an error response reports too many attempts. A deployment may limit attempts (§8). */
const saysLockedOut = (exchange: Exchange): boolean =>
  exchange.status === 423 || lockOutWords.test(describeRefusal(exchange));

/** Whether the valid key is refused like a wrong one. If errors have status 200, any refusal may mean that. */
export const refusesKey = ({ outcome, status }: Exchange): boolean =>
  outcome === 'refusal' && (status === 200 || status === 401 || status === 403);

/** Milliseconds to wait before a retry, because a gateway may reach the service again; multiplied by the attempt. */
export const gatewayPauseMs = 1000;

/** Milliseconds for which a cache may return the response to a wrong key for the valid key. */
export const rememberedMs = 1200;

/** Facts about the requests before a stop: the number of wrong keys, and 503 responses that alternate with successes. */
type EarlierRequests = {
  readonly count: number;
  /** Whether the valid key has not been accepted since the last wrong one. */
  readonly isRecent: boolean;
  /** Whether 503 responses were followed by successes. */
  readonly alternates?: boolean;
};

/** Fewer wrong keys than this cause no lock-out. */
const fewKeys = 6;

/** The reason why a run stops, on one line with advice. */
export const describeStop = (
  { request, exchange, trouble = '' }: Doubt,
  status: number | undefined,
  { count, isRecent, alternates = false }: EarlierRequests,
): string => {
  const advice = `${adviceFor(status, undefined, trouble)}${status === 503 && alternates ? slowlyAdvice : ''}`;
  if (!isRecent || count < fewKeys || !lockOutStatuses.has(status ?? 0))
    return `since request ${request} no request succeeded: ${trouble}; ${advice}`;
  const since = `after ${count} wrong keys the deployment also refuses the valid key (${trouble})`;
  const saysRate = status === 429 && /\brates?\b|per (second|minute)|slow down/i.test(trouble);
  const saysSo =
    !saysRate && (exchange ? saysLockedOut(exchange) : status === 423 || lockOutWords.test(trouble));
  return saysSo
    ? `locked out: ${since}; wait until the lock-out ends and run again`
    : `${since}: wait, because it may lock out clients after wrong keys, or ${advice}`;
};

/** A response without the parts that differ between requests: the path, numbers, and sequences of hexadecimal digits. */
const signatureOf = ({ status, method, path, rawText }: Exchange): string =>
  `${status} ${[path, method].reduce((text, own) => text.replaceAll(own, '…'), rawText).replaceAll(/[0-9a-f]{8,}|\d+/gi, '…')}`;

/** Whether a response states with a boolean `success` whether the request succeeded. */
export const hasBooleanSuccess = ({ json }: Pick<Exchange, 'json'>): boolean =>
  isObject(json) && typeof json.success === 'boolean';

/** Whether a response has the form of the service. An error response may omit `success` (§7.6). */
export const hasServiceForm = (exchange: Exchange): boolean =>
  hasBooleanSuccess(exchange) ||
  (exchange.outcome !== 'broken' && isObject(exchange.json) && typeof exchange.json.error === 'string');

/** Whether another operation got the same response, so that the response is not specific to this operation. */
const isSameForOthers = (exchange: Exchange, exchanges: readonly Exchange[]): boolean => {
  const signature = signatureOf(exchange);
  return exchanges.some(
    (earlier) => earlier.operation !== exchange.operation && signatureOf(earlier) === signature,
  );
};

/** Whether a broken response comes from the service: a list that lacks a field, or its envelope, is still a list. */
export const isOfService = (exchange: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchange.outcome === 'broken' &&
  (hasServiceEnvelope(exchange.json) || isListOfObjects(exchange.json)) &&
  (hasBooleanSuccess(exchange) || !isSameForOthers(exchange, exchanges));

const isListOfObjects = (json: unknown): boolean =>
  Array.isArray(json) && json.length > 0 && json.every(isObject);

/** Responses that did not come from the service, recognised by their content. */
type ForeignResponses = {
  /** Records a response that did not come from the service, unless it has the form of the service. */
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
