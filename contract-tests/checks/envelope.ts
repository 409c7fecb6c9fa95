import { repeatedName } from '../client/decode-body.ts';
import { describeRefusal, type Exchange, isObject, parseJson } from '../client/exchange.ts';
import { describeUnreadable } from '../session/availability.ts';
import type { ReplyCheck } from '../session/check.ts';
import { CheckInconclusive, type Failure, show } from '../session/outcome.ts';
import { concernsOneLead } from '../session/routes.ts';
import { firewallAdvice, gatewayName, isForeignPage, isServerError } from '../session/trouble.ts';

/** For checks of the replies of every operation. */
const anyExchange = { operation: 'listTemplates', needs: 'read', scope: 'every' } as const;

/** What holds for the replies of every operation, successes and refusals alike. */
export const envelopeChecks: readonly ReplyCheck[] = [
  {
    id: 'replies.distinct-names',
    title: 'no response contains a duplicate field',
    section: '1',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      const twice = repeatedName(exchange.rawText);
      return twice === undefined ? 'fine' : { expected: 'each field once', actual: twice, exchange };
    },
  },
  {
    id: 'replies.encoding',
    title: 'every response is whole, and JSON in UTF-8 without a byte order mark',
    section: '4',
    level: 'documented',
    ...anyExchange,
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
    id: 'replies.no-server-error',
    title: 'no request causes a server error',
    section: '7',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) =>
      isServerError(exchange)
        ? {
            expected: 'a status below 500, or an error that says what is wrong with the request',
            actual: `status ${exchange.status}`,
            exchange,
          }
        : 'fine',
  },
];

const adviceOn = ({ credentials }: Exchange): string =>
  credentials === 'key' ? firewallAdvice : 'let it answer wrong keys in JSON, or leave them to the service';

/** The one promise about bytes that broke. */
const expectedBytes = (problem: string): string => {
  if (/UTF-16|not UTF-8/.test(problem)) return 'a body in UTF-8';
  if (/byte order mark/.test(problem)) return 'a body without a byte order mark';
  return 'a whole body, as its headers announce it, with nothing around its JSON';
};

/** §7: what a refusal by an operation promises. */
export const refusalChecks: readonly ReplyCheck[] = [
  {
    id: 'failures.error',
    title: 'an error response is a JSON object with a string error',
    section: '7',
    level: 'documented',
    ...anyExchange,
    // A refusal that needs no permission: there is something to look at in every run.
    generateTraffic: async (session) => {
      if (session.client.exchanges.some(({ credentials }) => credentials === 'none')) return;
      await session.send('listTemplates', { credentials: 'none', intent: 'probe' });
    },
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal' || !reachesOperation(exchange)) return 'not applicable';
      if (hasStringError(exchange)) return 'fine';
      return isForeignPage(exchange) ? 'not applicable' : withoutError(exchange);
    },
    inspectAll: (exchanges) => {
      const refusals = exchanges.filter(
        (exchange) => exchange.outcome === 'refusal' && !hasStringError(exchange),
      );
      const pages = refusals.filter(reachesOperation).filter(isForeignPage);
      const [page] = pages;
      if (!page) return unlikeMalformed(refusals);
      const name = gatewayName(page, exchanges);
      if (name === undefined)
        return { ...withoutError(page), alike: pages.map((other) => withoutError(other)) };
      throw new CheckInconclusive(
        `${name} answered in place of the service: ${describeRefusal(page)}, to ${page.method} ${page.path}; ${adviceOn(page)}`,
      );
    },
  },
  {
    id: 'failures.error-text',
    title: "an error response's error is not empty",
    section: '7',
    level: 'derived',
    ...anyExchange,
    inspect: (exchange) => {
      // Whoever refuses in the service's own terms: no body parser has an error that is empty.
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!isObject(exchange.json) || typeof exchange.json.error !== 'string') return 'not applicable';
      if (exchange.json.error !== '') return 'fine';
      return {
        expected: 'an error that says what is wrong, as an empty one means success',
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
    title: 'an error response does not claim success: true',
    section: '4',
    level: 'derived',
    ...anyExchange,
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

const hasStringError = ({ json }: Exchange): boolean => isObject(json) && typeof json.error === 'string';

const withoutError = (exchange: Exchange): Failure => ({
  expected: 'a JSON object with a string error',
  actual: describeBody(exchange),
  exchange,
});

/** An id that the run made up: it says so, or is cut short by the check that asks for the beginning of one. */
const isInventedId = ({ path, check, intent, operation }: Exchange): boolean =>
  (path.split('/leads/', 2)[1]?.includes('contract-test-') ?? false) ||
  (check === 'leads.update.nothing-else-changes' && concernsOneLead(operation) && intent === 'probe');

/** How large a body may be is not shown (§8); the server in front of the operation says so in words of its own. */
const isTooLargeToRead = ({ status, json }: Exchange): boolean => status === 413 && json === undefined;

/**
 * Whether the operation could have read the request at all: what is no JSON, or says it is not, or is a bare value, is
 * often refused by a body parser in front of it, in words of its own. So is an id that the run made up by a router that
 * expects numbers or UUIDs.
 */
const reachesOperation = (exchange: Exchange): boolean =>
  !isInventedId(exchange) &&
  !isTooLargeToRead(exchange) &&
  ['none', 'object'].includes(bodyKind(exchange)) &&
  (exchange.body === undefined || exchange.contentType === 'application/json');

const bodyKind = ({ body }: Exchange): 'none' | 'object' | 'bare value' | 'malformed' => {
  if (body === undefined) return 'none';
  const value = parseJson(body);
  if (value === undefined) return 'malformed';
  return typeof value === 'object' && value !== null ? 'object' : 'bare value';
};

/** A bare `null` that is refused without an error, where malformed JSON is refused with one: no body parser did that. */
const unlikeMalformed = (refusals: readonly Exchange[]): Failure | undefined => {
  const [bare] = refusals.filter((exchange) => bodyKind(exchange) === 'bare value');
  const parserRefuses = refusals.some(
    (exchange) =>
      bodyKind(exchange) === 'malformed' && exchange.body !== '' && exchange.status === bare?.status,
  );
  return bare && !parserRefuses ? withoutError(bare) : undefined;
};

const describeBody = (exchange: Exchange): string => {
  const { status, json } = exchange;
  if (json === undefined) return describeUnreadable(exchange);
  if (!isObject(json)) return `${status} with JSON that is not an object`;
  return json.error === undefined ? `${status} without an error` : `${status} with error ${show(json.error)}`;
};
