import type { Schema } from '../contract/document.ts';
import { describeValue, suggest, suggestInstead } from '../contract/questions.ts';
import { controlCharacters } from '../contract/schemas.ts';
import {
  compileJsonSchema,
  escapePointer,
  isObject,
  type JsonSchema,
  type SchemaError,
  type Validate,
} from './json-schema.ts';

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

const listKnown = (known: readonly string[]): string =>
  known.length === 0 ? '' : `; there is ${known.slice(0, maxKnown).join(', ')}`;

// Names in a place may come from a client.
const maxPlaceLength = 300;

/** "is not known here; did you mean status?" */
const unknownNameError = (at: string, name: string, known: readonly string[]): StateError => {
  const meant = suggest(name, known);
  const hint = meant === undefined ? listKnown(known) : `; did you mean ${meant}?`;
  return new StateError(`${at}/${escapePointer(name)}`.slice(0, maxPlaceLength), `is not known here${hint}`);
};

/** @throws StateError for a value that is invalid under its schema */
export const checkSchema = (validate: Validate, value: unknown, base = ''): void => {
  const error = validate(value);
  if (error) throw describeSchemaError(error, base);
};

type Parent = { readonly properties?: object; readonly additionalProperties?: unknown };

const problems: Readonly<Record<string, (limit: never, schema: JsonSchema) => string>> = {
  minProperties: (_limit, { properties = {} }) => `is empty${listKnown(Object.keys(properties as object))}`,
  'false schema': () => 'is not taken here',
  const: (limit) => `must be ${JSON.stringify(limit)}`,
  enum: (limit: readonly unknown[]) => `must be one of ${limit.join(', ')}`,
  type: (limit, { examples: [example] = [] }: { readonly examples?: readonly unknown[] }) =>
    `must be ${[limit].flat().join(' or ')}${isObject(example) ? `, for example ${JSON.stringify(example)}` : ''}`,
  not: () => 'must not be "latest" or "wait": addresses of the admin API that mean others',
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must not have fewer than ${limit} characters`),
  maxLength: (limit) => `must not have more than ${limit} characters`,
  minimum: (limit) => `must be >= ${limit}`,
  maximum: (limit) => `must be <= ${limit}`,
  format: (limit) => `must match format "${limit}"`,
  pattern: (limit) => `must be ${patternNames[limit] ?? `of the form ${limit}`}`,
};

/**
 * Converts a violation to a readable message.
 * @param base JSON pointer of the validated value
 */
export const describeSchemaError = (
  { pointer, keyword, limit, schema, value, name = '' }: SchemaError,
  base = '',
): StateError => {
  const at = `${base}${pointer}`.slice(0, maxPlaceLength);
  const { properties = {}, additionalProperties } = schema as Parent;
  const known = Object.keys(properties);
  if (keyword === 'additionalProperties') return unknownNameError(at, name, known);
  if (keyword === 'required') {
    // A missing name is usually present with another spelling.
    const misspelled = Object.keys(value as object).find((sent) => !known.includes(sent));
    if (additionalProperties === false && misspelled !== undefined)
      return unknownNameError(at, misspelled, known);
    const others = (limit as readonly string[]).filter(
      (other) => other !== name && (value as Readonly<Record<string, unknown>>)[other] === undefined,
    );
    const also =
      others.length === 0 ? '' : `, and so ${others.length > 1 ? 'are' : 'is'} ${others.join(', ')}`;
    return new StateError(`${at}/${name}`, `is required${also}`);
  }
  const { 'x-form': form } = schema;
  if (form !== undefined) return new StateError(at, `must be ${form}`);
  return new StateError(at, problems[keyword]?.(limit as never, schema) ?? 'is not valid');
};

/** The schema of an argument: an object whose fields may all be left out. An unknown one is a mistake, and never ignored. */
export const fieldsSchema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/**
 * Checks an argument of a caller.
 * @param subject its name for messages
 * @throws TypeError for the first violation
 */
export const checkArgument = (subject: string, argument: unknown, schema: JsonSchema): void => {
  const error = compileJsonSchema(schema)(argument);
  if (!error) return;
  const { pointer, problem } = describeSchemaError(error);
  const place = pointer === '' ? subject : `${pointer.slice(1)} of ${subject}`;
  // An unknown field is named, and its value does not matter. A secret must not be shown.
  const isShown = error.name === undefined && error.schema.writeOnly !== true;
  const sent = isShown ? `, not ${describeValue(error.value)}` : '';
  throw new TypeError(`${place} ${problem}${sent}`);
};

// Readable names for regular expressions.
const patternNames: Readonly<Record<string, string>> = {
  Z$: 'in UTC, ending in Z',
  [`^[^${controlCharacters}]*$`]: 'a text without control characters',
  '\\S': 'a text that is not blank',
  '^/': 'a path, which begins with "/"',
  '^[A-Za-z]{1,20}$': 'the name of an HTTP method, for example POST',
  '^(req|unclaimed)_\\d{6,15}$': 'of the form req_000001',
  '^(\\d{1,9}|[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT)$':
    'seconds or an HTTP date like Mon, 02 Mar 2026 10:15:30 GMT',
};

/** Suggestions for names in a body that the schema does not have. */
export const suggestFields = ({ properties = {} }: Schema, body: unknown): string => {
  const sent = isObject(body) ? Object.keys(body) : [];
  const unknown = sent.filter((name) => !Object.hasOwn(properties, name));
  const known = Object.keys(properties).filter((name) => !sent.includes(name));
  const { suggestion, others } = suggestInstead(unknown.slice(0, maxKnown), known);
  return suggestion + (others.length === 0 ? '' : `Unknown fields: ${others.join(', ')}. `);
};

/** A suggestion for an address with a display name. */
export const suggestFormat = ({ keyword }: SchemaError): string =>
  keyword === 'format' ? 'Send the address alone, for example lena@example.com. ' : '';
