import { operationNames } from '../contract/operation-id.ts';
import { warningIds } from '../mail/warnings.ts';
import type { JsonSchema } from '../validation/json-schema.ts';
import seed from '../validation/seed.schema.json' with { type: 'json' };

// Functions of schemas have no side effects: builds for browsers leave out the routes, and with them their schemas.

/** A reference to one of the components. */
/* @__NO_SIDE_EFFECTS__ */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/* @__NO_SIDE_EFFECTS__ */
export const object = (properties: Record<string, JsonSchema>, ...optional: string[]) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/* @__NO_SIDE_EFFECTS__ */
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const wholeNumber: JsonSchema = { type: 'integer', minimum: 0 };
export const flag: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };

const warningId: JsonSchema = { type: 'string', enum: warningIds };

/** A successful response. */
/* @__NO_SIDE_EFFECTS__ */
export const success = (description: string, schema: JsonSchema) => ({ 200: { description, schema } });

/** The responses of a route that stores something. */
/* @__NO_SIDE_EFFECTS__ */
export const stored = (description: string, schema: JsonSchema, status = 200) => ({
  [status]: { description, schema },
  507: { description: 'There is no room for it. Nothing was changed.', schema: ref('Refusal') },
});

/** A page of a log, whose oldest items may have been dropped. */
/* @__NO_SIDE_EFFECTS__ */
export const listPage = (property: string, item: JsonSchema) =>
  object({
    [property]: list(item),
    total: wholeNumber,
    cursor: text,
    dropped: wholeNumber,
  });

type ObjectSchema = JsonSchema & { readonly properties: Record<string, JsonSchema> };

// Fields that are optional in a seed are always present in a response, except for some in lists.
/* @__NO_SIDE_EFFECTS__ */
const inResponse = (schema: ObjectSchema, added: Record<string, JsonSchema> = {}, ...optional: string[]) => ({
  ...schema,
  ...object({ ...schema.properties, ...added }, ...optional),
});

const defs = seed.$defs as unknown as Record<
  'Lead' | 'Template' | 'Message' | 'Request' | 'FaultRule' | 'Clock' | 'Answers' | 'Counters',
  ObjectSchema
>;

const contents = { text, links: list(text), codes: list(text), warnings: list(ref('Warning')) };
const warning_ids = { ...list(warningId), description: 'Without `full`: the rules that the message breaks.' };
const leftInLists = ['html', 'variables', 'warning_ids', ...Object.keys(contents)];

/* @__NO_SIDE_EFFECTS__ */
const componentsOf = ({ Lead, Template, Message, Request, ...others }: typeof defs) => ({
  ...others,
  Lead: inResponse(Lead),
  Template: inResponse(Template),
  MessageSummary: inResponse(Message, { snippet: text, warning_ids, ...contents }, ...leftInLists),
  Message: inResponse(Message, { snippet: text, ...contents }),
  Warning: {
    ...object({ id: warningId, what: text, why: text, more: text }),
    description:
      'A rule that a message breaks: `what` was found, and where; the reason for the rule; a page that explains `more`.',
  },
  RequestSummary: inResponse(Request, {}, 'request', 'response'),
  Request: inResponse(Request),
  StoredMessage: Message,
  StoredLead: Lead,
  StoredTemplate: Template,
  State: {
    ...Object.fromEntries(
      Object.entries(seed).filter(([name]) => !['$schema', '$defs', 'title'].includes(name)),
    ),
    properties: {
      ...seed.properties,
      leads: list(ref('StoredLead')),
      templates: list(ref('StoredTemplate')),
      outbox: list(ref('StoredMessage')),
      requests: list(ref('Request')),
      faults: list(ref('FaultRule')),
      clock: ref('Clock'),
      answers: ref('Answers'),
      counters: ref('Counters'),
    },
    examples: [
      {
        leads: [{ name: 'Lena Fischer', source: 'Webinar' }],
        clock: { now: '2026-01-15T09:30:00Z', frozen: true },
      },
    ],
  },
  All: {
    ...object({ all: { const: true, description: 'Confirms that all items are to be deleted.' } }),
    examples: [{ all: true }],
  },
  Deleted: object({
    deleted: {
      type: ['string', 'integer'],
      description: 'The id of the deleted item, or the number of deleted items.',
    },
  }),
  Refusal: {
    ...object({ error: text, message: text }),
    additionalProperties: true,
    description: '`error` states the problem and its place, `message` how to fix it.',
  },
});

/** The components of the document: the parts of a workspace, from the seed schema, and schemas of responses only. */
export const components: Readonly<Record<string, JsonSchema>> = componentsOf(defs);

/* @__NO_SIDE_EFFECTS__ */
const number = (description: string, fallback: number, maximum: number, minimum = 0): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  default: fallback,
  description,
});

/* @__NO_SIDE_EFFECTS__ */
export const switchedBy = (description: string): JsonSchema => ({
  type: 'boolean',
  default: false,
  description,
});

/* @__NO_SIDE_EFFECTS__ */
export const filterText = (description: string): JsonSchema => ({ type: 'string', description });

/** The parameters of a list in pages. */
export const paging = {
  start: number('Number of newest items to skip.', 0, 999_999_999),
  limit: number('Maximum number of items to return.', 50, 1000),
};

export const since = {
  since: {
    type: 'string',
    pattern: '^\\d{1,15}$',
    'x-form': 'the unchanged cursor of an earlier response',
    description:
      'A cursor from an earlier response. Only items after it are included; all of them if it is above the newest, as one of an earlier process.',
  },
};

/** The parameters of a wait. */
export const waiting = {
  count: number('Number of matching items to wait for.', 1, 1000, 1),
  timeout_ms: number('Maximum time to wait, in milliseconds.', 10_000, 120_000),
  absent: switchedBy('Inverts the wait: succeeds when fewer than `count` items match within the time.'),
};

/** The filters of messages, as parameters of the admin API and as arguments of the SDK. */
export const messageFilters = {
  to: filterText('The recipient, case-insensitive; `*` stands for any characters: `*@example.com`.'),
  from: filterText('The sender, like `to`.'),
  subject: filterText('A part of the subject, case-insensitive.'),
  template_id: filterText('The id of the template.'),
  warning: { ...warningId, description: 'The id of a rule that the message breaks.' },
  q: filterText(
    'Words; each must occur in the recipient, sender, subject, template or text of the message. The first 1,000 characters count.',
  ),
};

/** The same for requests. */
export const requestFilters = {
  operation: {
    type: 'string',
    enum: operationNames,
    description: 'The operation id of the contract; both path forms have the same id.',
  },
  method: filterText('The HTTP method.'),
  path: {
    type: 'string',
    pattern: '^/[^?]*$',
    'x-form': 'a path without a query, for example /api/v1/leads/{id}',
    description: 'The path without its query, either as requested or as a path template: /api/v1/leads/{id}.',
  },
  status: {
    type: 'string',
    pattern: '^([1-5]\\d\\d|[1-5][xX][xX]|0)$',
    'x-form': 'a status like 503, a class like 5xx, or 0 for no response',
    description:
      'A status like 503, a class like 5xx, or 0 for a request without a response (a connection fault, or a client that did not wait).',
  },
  unmatched: switchedBy(
    'Only requests that reached no operation: an unknown path or method, no key, or a key that is not accepted. Those without an accepted key belong to no workspace, and are listed in each: the latest 1,000, with ids of their own.',
  ),
  q: filterText(
    'Words; each must occur in the method, path, operation, status, reason or request body. The first 1,000 characters count.',
  ),
};

/** The same in JSON, where a status may be a number. */
export const requestBodyFilters = {
  ...requestFilters,
  status: { ...requestFilters.status, type: ['string', 'integer'], minimum: 0, maximum: 599 },
};
