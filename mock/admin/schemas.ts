import seed from '../seed.schema.json' with { type: 'json' };

/** JSON Schema as it stands in the OpenAPI document of the admin API. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The address under which Ajv knows the components. */
export const documentId = 'https://email-leads.invalid/admin.json';

/** A schema whose references lead into the document of that address. */
export const placed = (schema: JsonSchema): JsonSchema =>
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
export const whole: JsonSchema = { type: 'integer', minimum: 0 };
export const flag: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };

type Described = JsonSchema & { readonly properties: Record<string, JsonSchema> };

// What is optional in a file that people write is always there in a reply.
const complete = (
  { properties, ...rest }: Described,
  extra: Record<string, JsonSchema> = {},
): JsonSchema => ({
  ...rest,
  properties: { ...properties, ...extra },
  required: [...Object.keys(properties), ...Object.keys(extra)],
});

const { Lead, Template, Message, Request, FaultRule, Clock, Answers, Counters } =
  seed.$defs as unknown as Record<string, Described>;

const part = (schema: Described | undefined, left: readonly string[]): Described => {
  if (!schema) throw new Error('seed.schema.json lacks a definition');
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => !left.includes(name)),
    ),
  };
};

const change: Record<string, JsonSchema> = {
  all: { const: true, description: 'Says that all of them are meant.' },
};

/** The components of the document: what is in a workspace, from the schema of its seed, and what only replies have. */
export const components: Readonly<Record<string, JsonSchema>> = {
  Lead: complete(part(Lead, [])),
  Template: complete(part(Template, [])),
  MessageSummary: complete(part(Message, ['html', 'variables']), {
    snippet: text,
  }),
  Message: complete(part(Message, []), { snippet: text, links: list(text), codes: list(text) }),
  RequestSummary: complete(part(Request, ['request', 'response'])),
  Request: complete(part(Request, [])),
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
  },
  All: { ...object(change), examples: [{ all: true }] },
  Deleted: object({ deleted: { type: ['string', 'integer'], description: 'The id, or how many.' } }),
  Refusal: {
    ...object({ error: text, message: text }),
    additionalProperties: true,
    description: '`error` says what is wrong and where, `message` what to do.',
  },
};
