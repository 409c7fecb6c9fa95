import {
  describeRefusal,
  type Exchange,
  isObject,
  isSuccess,
  parseJson,
  sentFields,
} from '../../client/exchange.ts';
import { possibleTexts } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf, windowOf } from '../../model/requests.ts';
import { describeBroken, enoughErrors, isSameRequest } from '../../session/availability.ts';
import type { ReplyCheck } from '../../session/check.ts';
import { type Operation, operations } from '../../session/operations.ts';
import { CheckUnstable, show, typeName } from '../../session/outcome.ts';
import { type LeadField, leadFields } from '../../session/own-lead.ts';
import { isServerError } from '../../session/trouble.ts';
import { responseFields, type Schema, schemaErrors, valueAt } from './response-schema.ts';

/** Whether a response means success. Its fields are checked even if `success` itself is wrong, as long as it is an object. */
const meansSuccess = (exchange: Exchange): boolean =>
  isDocumented(exchange) &&
  (exchange.outcome === 'success' || (exchange.outcome === 'broken' && isObject(exchange.json)));

/**
 * Whether the request has no body, or a JSON object: the document does not show the success of
 * other requests, such as a list of leads.
 */
const isDocumented = ({ body }: Exchange): boolean => body === undefined || isObject(parseJson(body));

/** Whether a server error answers a request that is complete, or that succeeds at another time. */
const isTemporaryError = (exchange: Exchange, index: number, exchanges: readonly Exchange[]): boolean =>
  isError(exchange) &&
  (exchange.intent === 'complete' ||
    exchanges
      .slice(exchange.method === 'GET' ? 0 : index + 1)
      .some((other) => isSuccess(other) && isSameRequest(other, exchange)));

/** @throws CheckUnstable if the operation also succeeded */
const expectNoTemporaryError = (exchanges: readonly Exchange[]): undefined => {
  const errors = exchanges.filter(isTemporaryError);
  const [first] = errors;
  if (first && exchanges.some(isSuccess))
    throw new CheckUnstable({
      reason: `status ${first.status} for ${errors.length} of ${exchanges.length} requests, which succeed at other times`,
      failure: {
        expected: 'success of every complete request, or an error response that names what is missing',
        actual: describeRefusal(first),
        exchange: first,
        sporadic: true,
      },
    });
};

const isError = ({ status, outcome }: Exchange): boolean => status >= 500 && outcome !== 'gateway';

/** A few server errors that did not come again when the request was repeated, or a like one sent: they may be an outage. */
export const isolatedErrors = (exchanges: readonly Exchange[]): ReadonlySet<Exchange> => {
  const errors = exchanges.filter(isServerError);
  if (errors.length >= enoughErrors) return new Set();
  const isRepeat = (error: Exchange, other: Exchange): boolean =>
    error.intent === 'complete'
      ? other.intent === 'complete' && other.operation === error.operation && isSuccess(other)
      : other !== error && isSameRequest(other, error) && !isServerError(other);
  return new Set(errors.filter((error) => exchanges.some((other) => isRepeat(error, other))));
};

/**
 * The check of success itself, per operation (§4). Discovery adds failures that no response shows, such as an absent operation.
 */
const success = ({ id, area, section, action, needs }: Operation): ReplyCheck => ({
  id: `${area}.success`,
  title: `${action} returns 200 and success: true`,
  section,
  level: 'documented',
  operation: id,
  needs,
  inspect: (exchange) => {
    if (exchange.outcome === 'success') return 'fine';
    if (exchange.outcome !== 'broken') return 'not applicable';
    return {
      expected: '200 and success: true, or an error response',
      actual: describeBroken(exchange),
      exchange,
    };
  },
  inspectAll: (exchanges) => {
    const complete = exchanges.filter(({ intent }) => intent === 'complete');
    const failing = complete.filter(isError);
    // A single error makes the operation unstable; several are a finding.
    if (failing.length < 2) return expectNoTemporaryError(exchanges);
    return {
      expected: 'success of every complete request, or an error response that names what is missing',
      actual: `status ${failing[0]?.status} for ${failing.length} of ${complete.length} complete requests`,
      exchange: failing[0],
    };
  },
});

/** The claim about a field, from its JSON Schema. */
const claimFor = (name: string, schema: Schema): string => {
  if (schema.const === '') return `${name} is an empty string`;
  if (schema.type === 'array')
    return `${name} is an array${schema.items?.type === 'string' ? ' of strings' : ''}`;
  if (schema.type === 'object') return `${name} is an object`;
  if (schema.format === 'date-time') return `${name} is an ISO 8601 time in UTC`;
  return schema.minLength === 1 ? `${name} is a non-empty string` : `${name} is a string`;
};

/** The section of a field. Some fields have their own section. */
const sectionOf = (pointer: string, operation: Operation): string => {
  if (pointer === '/error') return '7';
  if (pointer.startsWith('/data/*/')) return '2.2';
  return /^\/data\/(lead_id|\w+_at)$/.test(pointer) ? '2.3' : operation.section;
};

/** The name of a field in the id of its check: `created-at` for the pointer of `created_at` in each item of `data`. */
const slugOf = (pointer: string): string =>
  pointer === '/data/*' ? 'items' : (pointer.split('/').at(-1) ?? '').replaceAll('_', '-');

/** Describes a pointer for a title: `data.note`; `the note of each item of data`. */
const describePointer = (pointer: string): string => {
  const [list = '', name = ''] = pointer.slice(1).replaceAll('/', '.').split('.*');
  if (!pointer.includes('*')) return list;
  return name === '' ? `each item of ${list}` : `the ${name.slice(1)} of each item of ${list}`;
};

const isLeadField = (name: string): name is LeadField => (leadFields as readonly string[]).includes(name);

/**
 * The document does not show which fields a lead must have (§2.3), nor how a missing field is shown: a field that the request
 * does not carry, and that the lead is not known to have, may be null or missing.
 */
const mayBeMissing = (
  exchange: Exchange,
  pointer: string,
  value: unknown,
  model: Model | undefined,
): boolean => {
  const name = pointer.replace('/data/', '');
  if ((value ?? null) !== null || !isLeadField(name)) return false;
  if (typeof sentFields(exchange)[name] === 'string') return false;
  const lead = model?.leads.get(leadIdOf(exchange));
  const window = windowOf(exchange);
  const texts = lead && possibleTexts(lead, name, window, { except: window });
  return texts === undefined || texts.some(({ shown }) => shown === undefined || shown === '');
};

/** The check of one field of success responses, at a pointer in which `*` stands for every item of a list. */
const field = (
  operation: Operation,
  pointer: string,
  schema: Schema,
): ReplyCheck & { readonly pointer: string } => {
  const pattern = new RegExp(`^${pointer.replaceAll('*', '[0-9]+')}(/[0-9]+)?$`);
  const claim = claimFor(describePointer(pointer), schema);
  return {
    id: `${operation.area}.${slugOf(pointer)}`,
    title: claim,
    section: sectionOf(pointer, operation),
    level: 'documented',
    operation: operation.id,
    needs: operation.needs,
    pointer,
    inspect: (exchange, model) => {
      if (!meansSuccess(exchange)) return 'not applicable';
      const error = schemaErrors(exchange).find((candidate) => pattern.test(candidate.pointer));
      if (!error) return 'fine';
      const value = valueAt(exchange.json, error.pointer);
      if (mayBeMissing(exchange, error.pointer, value, model)) return 'not applicable';
      // Templates are customer data: reports must not contain their values.
      const shown = pointer.startsWith('/data/*') ? typeName(value) : show(value);
      return {
        expected: claim,
        actual:
          error.message === 'is missing'
            ? `${error.pointer} is missing`
            : `${error.pointer} is ${shown}, and ${error.message}`,
        exchange,
        pointer: error.pointer,
      };
    },
  };
};

const checksOf = (operation: Operation): ReplyCheck[] => [
  success(operation),
  ...[...responseFields(operation.id)]
    .filter(([pointer]) => pointer !== '/success')
    .map(([pointer, schema]) => field(operation, pointer, schema)),
];

/** Checks of success responses, field by field, from openapi.yaml (§4). */
export const replyChecks: readonly ReplyCheck[] = operations.flatMap(checksOf);
