import type { Schema } from '../contract/document.ts';
import { didYouMean, suggestInstead } from '../contract/questions.ts';
import { escapePointer, isObject, type JsonSchema, type SchemaError, type Validate } from './json-schema.ts';

/** An error in a state or a part of it, with its place. */
export class StateError extends Error {
  /** JSON pointer to the place; empty for the whole. */
  readonly pointer: string;
  readonly problem: string;

  constructor(pointer: string, problem: string) {
    super(`${pointer === '' ? 'the document' : pointer} ${problem}`);
    this.name = 'StateError';
    this.pointer = pointer;
    this.problem = problem;
  }
}

/** Runs a check and adds the place, as a JSON pointer, to its error. */
export const withPointer = <Value>(pointer: string, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    throw new StateError(pointer, (error as Error).message);
  }
};

const maxKnown = 20;

/** "is not known here; did you mean status?" */
const unknownNameError = (at: string, name: string, known: readonly string[]): StateError => {
  const suggestion = didYouMean(name, known).trim();
  const names = known.length === 0 ? '' : `; there is ${known.slice(0, maxKnown).join(', ')}`;
  return new StateError(
    `${at}/${escapePointer(name)}`.slice(0, 300),
    `is not known here${suggestion === '' ? names : `; d${suggestion.slice(1)}`}`,
  );
};

/** @throws StateError for a value that is invalid under its schema */
export const checkSchema = (validate: Validate, value: unknown, base = ''): void => {
  const error = validate(value);
  if (error) throw describeSchemaError(error, base);
};

type Parent = { readonly properties?: object; readonly additionalProperties?: unknown };

const problems: Readonly<Record<string, (limit: never, schema: JsonSchema) => string>> = {
  minProperties: (_limit, { properties }) =>
    `changes nothing; it takes ${Object.keys(properties as object).join(', ')}`,
  const: (limit) => `must be ${JSON.stringify(limit)}`,
  enum: (limit: readonly unknown[]) => `must be one of ${limit.join(', ')}`,
  type: (limit) => `must be ${[limit].flat().join(' or ')}`,
  not: () => 'must not be "latest" or "wait": addresses of the admin API that mean others',
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must not have fewer than ${limit} characters`),
  maxLength: (limit) => `must not have more than ${limit} characters`,
  maxItems: (limit) => `must not have more than ${limit} items`,
  minimum: (limit) => `must be >= ${limit}`,
  maximum: (limit) => `must be <= ${limit}`,
  format: (limit) => `must match format "${limit}"`,
  pattern: (limit, schema) => `must be ${describePattern(limit, schema)}`,
};

/**
 * Converts a violation to a readable message.
 * @param base JSON pointer of the validated value
 */
export const describeSchemaError = (
  { pointer, keyword, limit, schema, value, name = '' }: SchemaError,
  base = '',
): StateError => {
  const at = `${base}${pointer}`;
  const { properties = {}, additionalProperties } = schema as Parent;
  const known = Object.keys(properties);
  if (keyword === 'additionalProperties') return unknownNameError(at, name, known);
  if (keyword === 'required') {
    // A missing name is usually present with another spelling.
    const misspelled = Object.keys(value as object).find((sent) => !known.includes(sent));
    if (additionalProperties === false && misspelled !== undefined)
      return unknownNameError(at, misspelled, known);
    return new StateError(`${at}/${name}`, 'is missing');
  }
  return new StateError(at, problems[keyword]?.(limit as never, schema) ?? 'is not valid');
};

// Readable names for regular expressions.
const patternNames: Readonly<Record<string, string>> = {
  Z$: 'in UTC, ending in Z',
  '\\S': 'a text that is not blank',
  '^/': 'a path, which begins with "/"',
  '^[A-Za-z]{1,20}$': 'the name of an HTTP method, for example POST',
  '^(req|unclaimed)_\\d{6,15}$': 'of the form req_000001',
  '^[ -~]+$': 'seconds or an HTTP date, in visible ASCII',
};

const describePattern = (pattern: string, schema: object): string => {
  const { 'x-form': ownForm } = schema as { 'x-form'?: string };
  return ownForm ?? patternNames[pattern] ?? `of the form ${pattern}`;
};

/** `body/from must match format "email"`: place and problem, for `error`. Lists all fields that are missing or unknown. */
export const describeBodyError = (error: SchemaError, schema: Schema, body: unknown): string => {
  const { pointer, keyword } = error;
  const fields = pointer === '' ? fieldsOf(schema, body) : undefined;
  if (fields && keyword === 'required' && fields.missing.length > 1)
    return `${listPlaces(fields.missing)} are required`;
  if (fields && keyword === 'additionalProperties' && fields.unknown.length > 1)
    return `${listPlaces(fields.unknown)} are not fields of this request`;
  return (messages[keyword] ?? describeOther)(truncate(`body${pointer}`), error);
};

/** Suggestions for names in a body that the schema does not have. */
export const suggestFields = (schema: Schema, body: unknown): string => {
  const { known, unknown } = fieldsOf(schema, body);
  const { suggestion, others } = suggestInstead(unknown.slice(0, maxKnown), known);
  return suggestion + (others.length === 0 ? '' : `Unknown fields: ${others.join(', ')}. `);
};

/** A suggestion for an address with a display name. */
export const suggestFormat = ({ keyword }: SchemaError): string =>
  keyword === 'format' ? 'Send the address alone, for example lena@example.com. ' : '';

type BodyFields = {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  /** Fields of the schema that the body lacks. */
  readonly known: readonly string[];
};

const fieldsOf = ({ properties = {}, required = [] }: Schema, body: unknown): BodyFields => {
  const sent = isObject(body) ? Object.keys(body) : [];
  const present = new Set(sent);
  return {
    missing: required.filter((name) => !present.has(name)),
    unknown: sent.filter((name) => !Object.hasOwn(properties, name)),
    known: Object.keys(properties).filter((name) => !present.has(name)),
  };
};

// Highest number of fields in a message.
const maxListed = 8;

/** `body/a, body/b and body/c` */
const listPlaces = (names: readonly string[]): string => {
  const places = names.slice(0, maxListed).map((name) => truncate(`body/${name}`));
  const more = names.length - places.length;
  const last = more > 0 ? `${more} more` : places.pop();
  return `${places.join(', ')} and ${last}`;
};

type MessageOf = (place: string, error: SchemaError) => string;

// Field names come from the client and are cut.
const messages: Readonly<Record<string, MessageOf>> = {
  required: (place, { name }) => `${place}/${name} is required`,
  type: (place, { limit }) =>
    `${place} must be ${[limit].flat().join(' or ')}${place === 'body' ? ', not a list or a single value' : ''}`,
  minProperties: (place) => `${place} must change at least one field`,
  minLength: (place) => `${place} must not be empty`,
  // The only pattern of a request body: `lead.control-characters`.
  pattern: (place) => `${place} must not contain control characters`,
  'false schema': (place) => `${place} is not taken here`,
  additionalProperties: (place, { name = '' }) => `${place}/${truncate(name)} is not a field of this request`,
};

const describeOther: MessageOf = (place, error) => `${place} ${describeSchemaError(error).problem}`;

const truncate = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
