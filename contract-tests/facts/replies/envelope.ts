import { show } from '../../exchange/describe.ts';
import {
  describeRefusal,
  type Exchange,
  isObject,
  type JsonObject,
  parseJson,
  repeatedName,
} from '../../exchange/exchange.ts';
import { madeUpMark } from '../../exchange/leads.ts';
import { firewallAdvice, gatewayName } from '../../exchange/origin.ts';
import { describeUnreadable } from '../../exchange/responses.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import type { ReplyCheck } from '../check.ts';
import { responseFields } from './response-schema.ts';

/** A check of the responses of every operation. */
const ofEvery = (
  check: Pick<ReplyCheck, 'id' | 'title' | 'section' | 'defect'> & Partial<ReplyCheck>,
): ReplyCheck => ({
  operation: 'listTemplates',
  needs: 'read',
  scope: 'every',
  level: 'derived',
  about: 'envelope',
  applies: () => true,
  ...check,
});

/** Checks of the responses of every operation, both successes and refusals. */
export const envelopeChecks: readonly ReplyCheck[] = [
  ofEvery({
    id: 'replies.distinct-names',
    title: 'no response contains a duplicate field',
    section: '1',
    about: 'bytes',
    defect: ({ rawText }) => {
      const twice = repeatedName(rawText);
      return twice === undefined ? undefined : { expected: 'each field once', actual: twice };
    },
  }),
  ofEvery({
    id: 'replies.encoding',
    title: 'every response is complete, and JSON in UTF-8 without a byte order mark',
    section: '4',
    level: 'documented',
    about: 'bytes',
    defect: ({ byteProblem }) =>
      byteProblem === undefined ? undefined : { expected: expectedBytes(byteProblem), actual: byteProblem },
  }),
  ofEvery({
    id: 'replies.content-type',
    title: 'every JSON response has a JSON Content-Type',
    section: '1',
    applies: ({ json }) => json !== undefined,
    defect: ({ headers: { 'content-type': type } }) =>
      type !== undefined && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)
        ? undefined
        : { expected: 'Content-Type: application/json', actual: `Content-Type ${show(type)}` },
  }),
  ofEvery({
    id: 'replies.no-error',
    title: 'a success has no error other than an empty string',
    section: '7',
    applies: ({ outcome, json }) => outcome === 'success' && isObject(json) && Object.hasOwn(json, 'error'),
    defect: ({ operation, json }) => {
      const { error } = objectOf(json);
      // Where §7.1 states it, the operation has a check of its own.
      if (error === '' || responseFields(operation).has('/error')) return undefined;
      return {
        expected: 'no error, or an empty string',
        actual: `error ${show(error)} with success: true`,
        pointer: '/error',
      };
    },
  }),
];

const objectOf = (json: unknown): JsonObject => (isObject(json) ? json : {});

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

/** The gateway that refused a request in place of the service, if one did. */
const gatewayOf = (exchange: Exchange, model: Model | undefined): string | undefined =>
  model && gatewayName(exchange, model.servers);

const isRefused = ({ outcome }: Exchange): boolean => outcome === 'refusal';

/** §7: requirements on the refusal of an operation. */
export const refusalChecks: readonly ReplyCheck[] = [
  ofEvery({
    id: 'failures.error',
    title: 'an error response is a JSON object with a string error',
    section: '7',
    level: 'documented',
    applies: (exchange, model) =>
      isRefused(exchange) &&
      (reachesOperation(exchange, model) || isRefusedByOperation(exchange, model)) &&
      // Otherwise an outage of the service behind a gateway.
      (exchange.status < 500 || gatewayOf(exchange, model) === undefined),
    defect: (exchange, model) => {
      if (hasStringError(exchange)) return undefined;
      const name = gatewayOf(exchange, model);
      if (name === undefined)
        return { expected: 'a JSON object with a string error', actual: describeBody(exchange) };
      return {
        undecided: `${name} responded instead of the service: ${describeRefusal(exchange)}, to ${exchange.method} ${exchange.path}; ${adviceOn(exchange)}`,
      };
    },
  }),
  ofEvery({
    id: 'failures.error-text',
    title: "an error response's error is not empty",
    section: '7',
    // Also refusals that did not reach the operation, if they have the service's own form: body parsers do not send an empty error.
    applies: (exchange) => isRefused(exchange) && hasStringError(exchange),
    defect: ({ status, json }) =>
      objectOf(json).error === ''
        ? {
            expected: 'an error that describes the problem, because an empty one means success',
            actual: `${status} with an empty error`,
            pointer: '/error',
          }
        : undefined,
  }),
  ofEvery({
    id: 'failures.message',
    title: "an error response's message is text",
    section: '7',
    missing: 'no error response of an operation had a message',
    applies: (exchange, model) =>
      isRefused(exchange) &&
      reachesOperation(exchange, model) &&
      Object.hasOwn(objectOf(exchange.json), 'message'),
    defect: ({ status, json }) => {
      const { message } = objectOf(json);
      if (mayHoldText(message)) return undefined;
      return {
        expected: 'text, or no message',
        actual: `${status} with message ${show(message)}`,
        pointer: '/message',
      };
    },
  }),
  ofEvery({
    id: 'failures.no-success-claim',
    title: 'an error response does not have success: true',
    section: '4',
    applies: isRefused,
    defect: ({ status, json }) =>
      objectOf(json).success === true
        ? {
            expected: 'no success: true with a status other than 200',
            actual: `status ${status} with success: true`,
          }
        : undefined,
  }),
];

/**
 * §7.3 states that `message` carries a text, §7.6 leaves the rest of a failure open. Both allow texts in a list or by field, as
 * several frameworks send them, and no message at all. What holds no string is not a text in any interpretation.
 */
const mayHoldText = (message: unknown): boolean =>
  typeof message === 'string' ||
  (typeof message === 'object' && message !== null && Object.values(message).some(mayHoldText));

const hasStringError = ({ json }: Exchange): boolean => typeof objectOf(json).error === 'string';

/** Whether the suite made up the id in the path: it has the mark of such ids, or is a part of another id, which no response has shown. */
const isMadeUp = (exchange: Exchange, model: Model | undefined): boolean => {
  const id = leadIdOf(exchange);
  const isUnknown = id !== '' && exchange.intent === 'probe' && model?.leads.has(id) === false;
  return isUnknown || id.includes(madeUpMark);
};

/**
 * The maximum size of a body is not shown (§8). A server in front of the operation may
 * refuse a larger one with its own response.
 */
const isTooLargeToRead = ({ status, json }: Exchange): boolean => status === 413 && json === undefined;

/**
 * Whether the operation itself could have read the request. A body parser in front of it often refuses, with its own
 * response, a body that is not JSON, is not labelled as JSON, or is a bare value. A router that expects numbers or UUIDs
 * often refuses made-up ids in the same way.
 */
const reachesOperation = (exchange: Exchange, model: Model | undefined): boolean =>
  !isMadeUp(exchange, model) &&
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
