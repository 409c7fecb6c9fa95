import { type Exchange, hasServiceEnvelope, isObject } from '../client/exchange.ts';

/** A response without what differs from request to request: numbers, and runs of hexadecimal digits. */
const signatureOf = ({ status, rawText }: Exchange): string =>
  `${status} ${rawText.replaceAll(/[0-9a-f]{8,}|\d+/gi, '…')}`;

/** Whether a response says in the service's own way whether the request succeeded. */
export const saysWhether = ({ json }: Pick<Exchange, 'json'>): boolean =>
  isObject(json) && typeof json.success === 'boolean';

/** Whether a response is in the form of the service. An error response may leave `success` out (§7.6). */
export const hasServiceForm = (exchange: Exchange): boolean =>
  saysWhether(exchange) ||
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
  (saysWhether(exchange) || !isSameForOthers(exchange, exchanges));

const isListOfObjects = (json: unknown): boolean =>
  Array.isArray(json) && json.length > 0 && json.every(isObject);

/** Responses that something else than the service sent, known by their content. */
export type ForeignResponses = {
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
