import { type ReplyCheck, show } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { every } from './envelope.ts';

/** §7: what a refusal by an operation promises. */
export const refusalChecks: readonly ReplyCheck[] = [
  {
    id: 'failures.error',
    title: 'a refusal is a JSON object with a string error',
    section: '7',
    level: 'documented',
    ...every,
    // A refusal that needs no permission: there is something to look at in every run.
    provoke: async (session) =>
      void (await session.send('listTemplates', { credentials: 'none', intent: 'probe' })),
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal' || !isJsonRequest(exchange)) return 'not applicable';
      if (isObject(exchange.json) && typeof exchange.json.error === 'string') return 'fine';
      return { expected: 'a JSON object with a string error', actual: refusalShape(exchange), exchange };
    },
  },
  {
    id: 'failures.message',
    title: 'the message of a refusal, where it carries one, is text',
    section: '7',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal' || !isJsonRequest(exchange)) return 'not applicable';
      if (!isObject(exchange.json) || !Object.hasOwn(exchange.json, 'message')) return 'not applicable';
      const { message } = exchange.json;
      if (mayHoldText(message)) return 'fine';
      return {
        expected: 'a text, or no message at all',
        actual: `${exchange.status} with message ${show(message)}`,
        exchange,
        pointer: '/message',
      };
    },
  },
  {
    id: 'failures.no-success-claim',
    title: 'a refusal does not claim success: true',
    section: '4',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!isObject(exchange.json) || exchange.json.success !== true) return 'fine';
      return {
        expected: 'no success: true outside 200',
        actual: `status ${exchange.status} with success: true`,
        exchange,
      };
    },
  },
];

/**
 * §7.3 says that `message` carries a text, §7.6 that the shape of a failure is not shown: texts in a list or by field, as
 * several frameworks send them, and none at all are within both. A number, a boolean or null carries no text by any reading.
 */
const mayHoldText = (message: unknown): boolean =>
  typeof message === 'string' || (typeof message === 'object' && message !== null);

/**
 * Whether the operation could have read the request at all: what is no JSON, or says it is not, is often refused by a
 * body parser in front of it, in words of its own.
 */
const isJsonRequest = ({ body, contentType }: Exchange): boolean => {
  if (body === undefined) return true;
  if (contentType !== 'application/json') return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
};

const refusalShape = ({ status, json, size }: Exchange): string => {
  if (json === undefined)
    return size === 0 ? `${status} with an empty body` : `${status} with a body that is not JSON`;
  return isObject(json)
    ? `${status} with error ${show(json.error)}`
    : `${status} with JSON that is not an object`;
};
