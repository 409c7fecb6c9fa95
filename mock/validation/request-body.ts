import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Schema } from '../contract/document.ts';
import { suggestInstead } from '../contract/questions.ts';
import { createCompiler, type JsonSchema, precompiled, type Validator } from './compiler.ts';

/**
 * What Fastify compiles schemas with: ours. To be given when an instance is created, or Fastify loads Ajv and a serializer
 * compiler (a third of its start) that nothing here uses, and that the bundle in dist leaves out.
 */
export const compilersFactory = {
  buildValidator: () => (({ schema }: { schema: unknown }) => bodyValidator(schema as Schema)) as never,
  buildSerializer: () => () => (reply: unknown) => JSON.stringify(reply),
};

/**
 * The same constraints as `schema`, one step after the other, so that the first error is always the one of the earliest step:
 * an object → required → types → fields not taken → limits and formats → emptiness. Ajv alone goes field by field.
 */
export const orderedSchema = (schema: Schema): JsonSchema => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema | boolean>);
  const { required, minProperties, additionalProperties = true } = schema;
  const stepFor = (...keywords: string[]): JsonSchema => ({
    properties: Object.fromEntries(
      properties.flatMap(([name, field]) =>
        typeof field === 'object' ? [[name, pick(field, keywords)]] : [],
      ),
    ),
  });
  const acceptedFields = Object.fromEntries(properties.map(([name, field]) => [name, field !== false]));
  return {
    allOf: [
      { type: 'object' },
      { ...(required ? { required } : {}), ...(minProperties ? { minProperties } : {}) },
      stepFor('type', 'additionalProperties'),
      { properties: acceptedFields, additionalProperties },
      stepFor('maxLength', 'format', 'pattern'),
      stepFor('minLength'),
    ],
  };
};

const pick = (schema: JsonSchema, keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(
    keywords.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]),
  );

const precompiledByText = new Map(Object.entries<Validator>(precompiled));
const compile = createCompiler();
// The schema of a contract in force is the same object every time; to find its validator by text costs more than to validate.
const validators = new WeakMap<Schema, Validator>();

/** The validator for a body schema: a precompiled one where the schema is the one it was made from, else from Ajv. */
export const bodyValidator = (schema: Schema): Validator => {
  const known = validators.get(schema);
  if (known) return known;
  const validator = precompiledByText.get(JSON.stringify(schema)) ?? compile(orderedSchema(schema));
  validators.set(schema, validator);
  return validator;
};

/** `body/from must match format "email"`: where and what, for the `error` of a refusal; all fields that are missing or not known. */
export const describeBodyError = (
  errors: readonly ErrorObject[] | null | undefined,
  schema: Schema,
  body: unknown,
): string => {
  const first = errors?.[0];
  if (!first) return 'body is not valid';
  const { instancePath, keyword } = first;
  const fields = instancePath === '' ? fieldsOf(schema, body) : undefined;
  if (fields && keyword === 'required' && fields.missing.length > 1)
    return `${listPlaces(fields.missing)} are required`;
  if (fields && keyword === 'additionalProperties' && fields.unknown.length > 1)
    return `${listPlaces(fields.unknown)} are not fields of this request`;
  const place = truncate(`body${instancePath}`);
  return (messages[first.keyword] ?? ((at, { message }) => `${at} ${message ?? 'is not valid'}`))(
    place,
    first,
  );
};

/** The names of a body that are no fields of its schema, and the fields that they were probably meant to be. */
export const suggestFields = (schema: Schema, body: unknown): string => {
  const { known, unknown } = fieldsOf(schema, body);
  const { suggestion, others } = suggestInstead(unknown.slice(0, maxListed), known);
  return suggestion + (others.length === 0 ? '' : `Unknown fields: ${others.join(', ')}. `);
};

/** What to send instead of an address with a name. */
export const suggestFormat = (errors: readonly ErrorObject[] | null | undefined): string =>
  errors?.[0]?.keyword === 'format' ? 'Send the address alone, for example lena@example.com. ' : '';

type BodyFields = {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  /** Fields of the schema that the body has not. */
  readonly known: readonly string[];
};

const fieldsOf = ({ properties = {}, required = [] }: Schema, body: unknown): BodyFields => {
  const sent = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const present = new Set(sent);
  return {
    missing: required.filter((name) => !present.has(name)),
    unknown: sent.filter((name) => !Object.hasOwn(properties, name)),
    known: Object.keys(properties).filter((name) => !present.has(name)),
  };
};

// Enough to see what is wrong.
const maxListed = 8;

/** `body/a, body/b and body/c` */
const listPlaces = (names: readonly string[]): string => {
  const places = names.slice(0, maxListed).map((name) => truncate(`body/${name}`));
  const more = names.length - places.length;
  const last = more > 0 ? `${more} more` : places.pop();
  return `${places.join(', ')} and ${last}`;
};

type MessageOf = (place: string, error: ErrorObject) => string;

// Where Ajv's own words would puzzle a reader; names of fields come from the client and are cut.
const messages: Readonly<Record<string, MessageOf>> = {
  required: (place, { params }) => `${place}/${params.missingProperty} is required`,
  type: (place, { params }) =>
    `${place} must be ${[params.type].flat().join(' or ')}${place === 'body' ? ', not a list or a single value' : ''}`,
  minProperties: (place) => `${place} must change at least one field`,
  minLength: (place) => `${place} must not be empty`,
  // The only pattern of a request body: `lead.control-characters`.
  pattern: (place) => `${place} must not contain control characters`,
  'false schema': (place) => `${place} is not taken here`,
  additionalProperties: (place, { params }) =>
    `${place}/${truncate(String(params.additionalProperty))} is not a field of this request`,
};

const truncate = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
