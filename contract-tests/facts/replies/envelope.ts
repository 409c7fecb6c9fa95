import { show } from '../../exchange/describe.ts';
import {
  describeRefusal,
  type Exchange,
  isObject,
  parseJson,
  repeatedName,
} from '../../exchange/exchange.ts';
import { concernsOneLead } from '../../exchange/operations.ts';
import { firewallAdvice, gatewayName, isForeignPage, isServerError } from '../../exchange/origin.ts';
import { describeUnreadable } from '../../exchange/responses.ts';
import type { Model } from '../../model/model.ts';
import type { ReplyCheck } from '../check.ts';
import type { Failure } from '../failure.ts';
import { responseFields } from './response-schema.ts';

/** The fields of checks that inspect the responses of every operation. */
const anyExchange = { operation: 'listTemplates', needs: 'read', scope: 'every', about: 'envelope' } as const;

/** Checks of the responses of every operation, both successes and refusals. */
export const envelopeChecks: readonly ReplyCheck[] = [
  {
    id: 'replies.distinct-names',
    title: 'no response contains a duplicate field',
    section: '1',
    level: 'derived',
    ...anyExchange,
    about: 'bytes',
    inspect: (exchange) => {
      const twice = repeatedName(exchange.rawText);
      return twice === undefined ? 'fine' : { expected: 'each field once', actual: twice, exchange };
    },
  },
  {
    id: 'replies.encoding',
    title: 'every response is complete, and JSON in UTF-8 without a byte order mark',
    section: '4',
    level: 'documented',
    ...anyExchange,
    about: 'bytes',
    inspect: (exchange) =>
      exchange.byteProblem === undefined
        ? 'fine'
        : { expected: expectedBytes(exchange.byteProblem), actual: exchange.byteProblem, exchange },
  },
  {
    id: 'replies.content-type',
    title: 'every JSON response has a JSON Content-Type',
    section: '1',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      if (exchange.json === undefined) return 'not applicable';
      const type = exchange.headers['content-type'];
      if (type !== undefined && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return 'fine';
      return { expected: 'Content-Type: application/json', actual: `Content-Type ${show(type)}`, exchange };
    },
  },
  {
    id: 'replies.no-error',
    title: 'a success has no error other than an empty string',
    section: '7',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      const { outcome, operation, json } = exchange;
      if (outcome !== 'success' || !isObject(json) || !Object.hasOwn(json, 'error')) return 'not applicable';
      // Where §7.1 states it, the operation has a check of its own.
      if (json.error === '' || responseFields(operation).has('/error')) return 'fine';
      const actual = `error ${show(json.error)} with success: true`;
      return { expected: 'no error, or an empty string', actual, exchange, pointer: '/error' };
    },
  },
  {
    id: 'replies.no-server-error',
    title: 'no request causes a server error',
    section: '7',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      // A complete request succeeds, and other checks say so.
      if (exchange.intent === 'complete' && exchange.credentials === 'key') return 'not applicable';
      return isServerError(exchange)
        ? {
            expected: 'a status below 500, or an error that describes what is wrong with the request',
            actual: `status ${exchange.status}`,
            exchange,
          }
        : 'fine';
    },
  },
];

const adviceOn = ({ credentials }: Exchange): string =>
  credentials === 'key'
    ? firewallAdvice
    : 'configure it to refuse wrong keys with JSON, or to pass them on to the service';

/** The requirement on the bytes that this problem breaks. */
const expectedBytes = (problem: string): string => {
  if (problem.includes('not UTF-8')) return 'a body in UTF-8';
  if (/byte order mark/.test(problem)) return 'a body without a byte order mark';
  return 'a complete body that matches its headers, with nothing around its JSON';
};

/** §7: requirements on the refusal of an operation. */
export const refusalChecks: readonly ReplyCheck[] = [
  {
    id: 'failures.error',
    title: 'an error response is a JSON object with a string error',
    section: '7',
    level: 'documented',
    ...anyExchange,
    inspect: (exchange, model) => {
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!reachesOperation(exchange) && !isRefusedByOperation(exchange, model)) return 'not applicable';
      if (hasStringError(exchange)) return 'fine';
      const name = isForeignPage(exchange) && model ? gatewayName(exchange, model.servers) : undefined;
      if (name === undefined) return withoutError(exchange);
      if (exchange.status >= 500) return 'not applicable'; // an outage of the service behind a gateway
      return {
        undecided: `${name} responded instead of the service: ${describeRefusal(exchange)}, to ${exchange.method} ${exchange.path}; ${adviceOn(exchange)}`,
      };
    },
  },
  {
    id: 'failures.error-text',
    title: "an error response's error is not empty",
    section: '7',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      // Also refusals that did not reach the operation, if they have the service's own form: body
      // parsers do not send an empty error.
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!isObject(exchange.json) || typeof exchange.json.error !== 'string') return 'not applicable';
      if (exchange.json.error !== '') return 'fine';
      return {
        expected: 'an error that describes the problem, because an empty one means success',
        actual: `${exchange.status} with an empty error`,
        exchange,
        pointer: '/error',
      };
    },
  },
  {
    id: 'failures.message',
    title: "an error response's message is text",
    section: '7',
    level: 'derived',
    ...anyExchange,
    missing: 'no error response of an operation had a message',
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal' || !reachesOperation(exchange)) return 'not applicable';
      if (!isObject(exchange.json) || !Object.hasOwn(exchange.json, 'message')) return 'not applicable';
      const { message } = exchange.json;
      if (mayHoldText(message)) return 'fine';
      return {
        expected: 'text, or no message',
        actual: `${exchange.status} with message ${show(message)}`,
        exchange,
        pointer: '/message',
      };
    },
  },
  {
    id: 'failures.no-success-claim',
    title: 'an error response does not have success: true',
    section: '4',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!isObject(exchange.json) || exchange.json.success !== true) return 'fine';
      return {
        expected: 'no success: true with a status other than 200',
        actual: `status ${exchange.status} with success: true`,
        exchange,
      };
    },
  },
];

/**
 * §7.3 states that `message` carries a text, §7.6 leaves the rest of a failure open. Both allow texts in a list or by field, as
 * several frameworks send them, and no message at all. What holds no string is not a text in any interpretation.
 */
const mayHoldText = (message: unknown): boolean =>
  typeof message === 'string' ||
  (typeof message === 'object' && message !== null && Object.values(message).some(mayHoldText));

const hasStringError = ({ json }: Exchange): boolean => isObject(json) && typeof json.error === 'string';

const withoutError = (exchange: Exchange): Failure => ({
  expected: 'a JSON object with a string error',
  actual: describeBody(exchange),
  exchange,
});

/**
 * Whether the path contains an id that the run created: it contains `contract-test-`, or is the
 * truncated id that the check of id prefixes uses.
 */
const isInventedId = ({ path, check, intent, operation }: Exchange): boolean =>
  (path.split('/leads/', 2)[1]?.includes('contract-test-') ?? false) ||
  (check === 'leads.whole-id' && concernsOneLead(operation) && intent === 'probe');

/**
 * The maximum size of a body is not shown (§8). A server in front of the operation may
 * refuse a larger one with its own response.
 */
const isTooLargeToRead = ({ status, json }: Exchange): boolean => status === 413 && json === undefined;

/**
 * Whether the operation itself could have read the request. A body parser in front of it often refuses, with its own
 * response, a body that is not JSON, is not labelled as JSON, or is a bare value. A router that expects numbers or UUIDs
 * often refuses invented ids in the same way.
 */
const reachesOperation = (exchange: Exchange): boolean =>
  !isInventedId(exchange) &&
  !isTooLargeToRead(exchange) &&
  ['none', 'object'].includes(bodyKind(exchange)) &&
  (exchange.body === undefined || exchange.contentType === 'application/json');

const bodyKind = ({ body, method }: Exchange): 'none' | 'object' | 'bare value' | 'malformed' => {
  // A recording does not distinguish an empty body from none. A body parser refuses either where it expects JSON.
  if (body === undefined && !['POST', 'PUT'].includes(method)) return 'none';
  const value = parseJson(body ?? '');
  if (value === undefined) return 'malformed';
  return typeof value === 'object' && value !== null ? 'object' : 'bare value';
};

/**
 * Whether the operation refused a bare value such as `null`: with another status than malformed JSON, so that no body parser
 * refused it.
 */
const isRefusedByOperation = (exchange: Exchange, model: Model | undefined): boolean =>
  bodyKind(exchange) === 'bare value' &&
  model !== undefined &&
  model.malformedStatuses.size > 0 &&
  !model.malformedStatuses.has(exchange.status);

const describeBody = (exchange: Exchange): string => {
  const { status, json } = exchange;
  if (json === undefined) return describeUnreadable(exchange);
  if (!isObject(json)) return `${status} with JSON that is not an object`;
  return json.error === undefined ? `${status} without an error` : `${status} with error ${show(json.error)}`;
};
