import seed from '../validation/seed.schema.json' with { type: 'json' };

/** A JSON Schema in the OpenAPI document of the admin API. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema id of the document in Ajv. */
export const documentId = 'https://email-leads.invalid/admin.json';

/** A schema with absolute references into the document with that id. */
export const withAbsoluteRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`));

/** A reference to one of the components. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const object = (properties: Record<string, JsonSchema>, ...optional: string[]) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const wholeNumber: JsonSchema = { type: 'integer', minimum: 0 };

/** The limit that dropped the oldest items of a list; `null` if none were dropped. */
export const dropLimit: JsonSchema = { enum: ['count', 'bytes', 'total_bytes', null] };
export const flag: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };

type ObjectSchema = JsonSchema & { readonly properties: Record<string, JsonSchema> };

// Fields that are optional in a seed are always present in a response.
const allRequired = (
  { properties, ...rest }: ObjectSchema,
  extra: Record<string, JsonSchema> = {},
): JsonSchema => ({
  ...rest,
  properties: { ...properties, ...extra },
  required: [...Object.keys(properties), ...Object.keys(extra)],
});

const { Lead, Template, Message, Request, FaultRule, Clock, Answers, Counters } =
  seed.$defs as unknown as Record<string, ObjectSchema>;

const omit = (schema: ObjectSchema | undefined, omitted: readonly string[]): ObjectSchema => {
  if (!schema) throw new Error('seed.schema.json lacks a definition');
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => !omitted.includes(name)),
    ),
  };
};

const allFlag: Record<string, JsonSchema> = {
  all: { const: true, description: 'Confirms that all items are to be deleted.' },
};

/** The components of the document: the parts of a workspace, from the seed schema, and schemas of responses only. */
export const components: Readonly<Record<string, JsonSchema>> = {
  Lead: allRequired(omit(Lead, [])),
  Template: allRequired(omit(Template, [])),
  MessageSummary: allRequired(omit(Message, ['html', 'variables']), {
    snippet: text,
  }),
  Message: allRequired(omit(Message, []), { snippet: text, text, links: list(text), codes: list(text) }),
  RequestSummary: {
    ...allRequired(omit(Request, ['request', 'response'])),
    properties: {
      ...omit(Request, ['request', 'response']).properties,
      unclaimed: { ...flag, description: 'In a list of unmatched requests: it had no accepted key.' },
    },
  },
  Request: allRequired(omit(Request, [])),
  FaultRule: { ...FaultRule },
  Clock: { ...Clock },
  Answers: { ...Answers },
  Counters: { ...Counters },
  StoredMessage: { ...Message },
  StoredLead: { ...Lead },
  StoredTemplate: { ...Template },
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
  All: { ...object(allFlag), examples: [{ all: true }] },
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
};
