import { show, typeName } from '../../exchange/describe.ts';
import { type Exchange, isObject, parseJson, sentFields } from '../../exchange/exchange.ts';
import { type LeadField, leadFields } from '../../exchange/leads.ts';
import { type Operation, operations } from '../../exchange/operations.ts';
import { describeBroken } from '../../exchange/responses.ts';
import { possibleTexts } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf, windowOf } from '../../model/requests.ts';
import { claimOf, type ReplyCheck } from '../check.ts';
import { deviationsOf, responseFields, type Schema, valueAt } from './response-schema.ts';

/** Whether a response means success. Its fields are checked even if `success` itself is wrong, as long as it is an object. */
const meansSuccess = (exchange: Exchange): boolean =>
  isDocumented(exchange) &&
  (exchange.outcome === 'success' || (exchange.outcome === 'broken' && isObject(exchange.json)));

/**
 * Whether the request has no body, or a JSON object: the document does not show the success of
 * other requests, such as a list of leads.
 */
const isDocumented = ({ body }: Exchange): boolean => body === undefined || isObject(parseJson(body));

/** The check of success itself, per operation (§4). Discovery adds failures that no response shows, such as an absent operation. */
const success = ({ id, area, action }: Operation): ReplyCheck => ({
  ...claimOf(id),
  id: `${area}.success`,
  title: `${action} returns 200 and success: true`,
  level: 'documented',
  about: 'success',
  applies: (exchange) => ['success', 'broken'].includes(exchange.outcome) || isOwnError(exchange),
  defect: (exchange) => {
    if (exchange.outcome === 'success' && exchange.status === 200) return undefined;
    return isOwnError(exchange)
      ? { expected: 'success of every complete request', actual: `status ${exchange.status}` }
      : { expected: '200 and success: true, or an error response', actual: describeBroken(exchange) };
  },
});

/** A complete request is not to blame for an error of the service. */
const isOwnError = ({ outcome, intent, credentials, status }: Exchange): boolean =>
  status >= 500 && outcome !== 'gateway' && intent === 'complete' && credentials === 'key';

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
const mayBeMissing = (exchange: Exchange, pointer: string, model: Model | undefined): boolean => {
  const value = valueAt(exchange.json, pointer);
  const name = pointer.replace('/data/', '');
  if ((value ?? null) !== null || !isLeadField(name)) return false;
  if (typeof sentFields(exchange)[name] === 'string') return false;
  const lead = model?.leads.get(leadIdOf(exchange));
  const texts = lead && possibleTexts(lead, name, windowOf(exchange));
  return texts === undefined || texts.some(({ shown }) => shown === undefined || shown === '');
};

/** The check of one field of success responses, at a pointer in which `*` stands for every item of a list. */
const field = (operation: Operation, pointer: string, schema: Schema): ReplyCheck => {
  const pattern = new RegExp(`^${pointer.replaceAll('*', '[0-9]+')}(/[0-9]+)?$`);
  const wrongIn = (exchange: Exchange): string | undefined =>
    deviationsOf(exchange).find((place) => pattern.test(place));
  const claim = claimFor(describePointer(pointer), schema);
  return {
    ...claimOf(operation.id),
    id: `${operation.area}.${slugOf(pointer)}`,
    title: claim,
    section: sectionOf(pointer, operation),
    level: 'documented',
    about: 'fields',
    applies: (exchange, model) => {
      if (!meansSuccess(exchange)) return false;
      const place = wrongIn(exchange);
      return place === undefined || !mayBeMissing(exchange, place, model);
    },
    defect: (exchange) => {
      const place = wrongIn(exchange);
      if (place === undefined) return undefined;
      const value = valueAt(exchange.json, place);
      // Templates are customer data: reports must not contain their values.
      const shown = pointer.startsWith('/data/*') && value !== '' ? typeName(value) : show(value);
      const actual = `${place} is ${value === undefined ? 'missing' : shown}`;
      return { expected: claim, actual, pointer: place };
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
