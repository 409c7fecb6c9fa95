// Responses that do not come from the service, or that are failures of it: server errors, gateway pages, lock-outs.

import {
  describeRefusal,
  type Exchange,
  hasBooleanSuccess,
  hasServiceEnvelope,
  isObject,
} from './exchange.ts';

/** Texts of frameworks and databases about internal failures; they are no reason to refuse a request. */
const failureTexts =
  /\b(?:internal|unexpected(?: server)? error|server error|went wrong|exception|unhandled|traceback|fatal|panic|sqlstate|nonetype|nil|null pointer|undefined|cannot read|is not a function|sql|sqlite|database|deadlock|value too long for type|(?:could not|failed to|unable to) insert|": syntax error)\b|\wError\b/i;

/**
 * Whether a response is a failure of the service itself. The document does not show the statuses of error responses (§7.4): a
 * status above 500 with a text about the request is an ordinary error response.
 */
export const isServerError = ({ status, outcome, json }: Exchange): boolean => {
  if (status < 500 || outcome === 'gateway') return false;
  if (!isObject(json) || typeof json.error !== 'string' || json.error === '') return true;
  return [json.error, json.message].some((text) => typeof text === 'string' && failureTexts.test(text));
};

const refusedKey = new Set([401, 402, 403, 407]);

/** Whether a response to a request with the valid key does not come from the service, as far as the status shows. */
export const isTrouble = ({ outcome, status, json }: Exchange): boolean =>
  outcome === 'gateway' ||
  refusedKey.has(status) ||
  status >= 500 ||
  (outcome === 'broken' && json === undefined);

export const serverOf = ({ headers }: Exchange): string | undefined =>
  typeof headers.server === 'string' && headers.server !== '' ? headers.server : undefined;

/** `<center>nginx/1.25</center>`: the error pages of common gateways end with the name of the server. */
const serverInPage = /<center>\s{0,9}((?:nginx|openresty|cloudflare|awselb|tengine)[^<]{0,99})<\/center>/i;

const namedInPage = ({ rawText }: Exchange): string | undefined => serverInPage.exec(rawText)?.[1]?.trim();

/** Whether a response is an HTML page that names its server: it may come from a gateway in front of the service. */
export const isForeignPage = (exchange: Exchange): boolean =>
  exchange.json === undefined &&
  (serverOf(exchange) ?? namedInPage(exchange)) !== undefined &&
  /^text\/html\b/i.test(String(exchange.headers['content-type'] ?? ''));

/** The values of `Server` in JSON responses so far, which come from the service. */
type ServerNames = ReadonlySet<string | undefined>;

/**
 * The `Server` name of the gateway that created a page: a name that no JSON response has, or one in the page itself; `undefined` for
 * any other response.
 */
export const gatewayName = (page: Exchange, ofService: ServerNames): string | undefined => {
  if (!isForeignPage(page)) return undefined;
  const server = serverOf(page);
  const name = namedInPage(page);
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
  gatewayName(exchange, ofService) !== undefined;

/** Advice if a firewall responds to some requests in place of the service. */
export const firewallAdvice = 'configure it to let the texts of the run pass';

export const describeFirewall = (page: Exchange): string =>
  `something in front of the service responded: ${describeRefusal(page)}; ${firewallAdvice}`;

/** A response without the parts that differ between requests: the path, numbers, and sequences of hexadecimal digits. */
const signatureOf = ({ status, method, path, rawText }: Exchange): string =>
  `${status} ${[path, method].reduce((text, own) => text.replaceAll(own, '…'), rawText).replaceAll(/[0-9a-f]{8,}|\d+/gi, '…')}`;

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
