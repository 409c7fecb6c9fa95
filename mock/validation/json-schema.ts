// Validates JSON by the keywords that the schemas of this mock use, in Node.js and in browsers. A schema becomes functions: that
// takes microseconds, where compiling it with Ajv takes longer than starting the mock. A test compares the errors with Ajv's.

import { URL } from '../runtime/platform.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Why a value is invalid: the first violation. */
export type SchemaError = {
  /** JSON pointer to the place; empty for the whole value. */
  readonly pointer: string;
  readonly keyword: string;
  /** The value of the keyword. */
  readonly limit: unknown;
  /** The schema with the keyword. */
  readonly schema: JsonSchema;
  /** The value at the place. */
  readonly value: unknown;
  /** The missing or unknown property. */
  readonly name?: string;
};

/** Returns the first violation, `undefined` for a valid value. */
export type Validate = (value: unknown) => SchemaError | undefined;

type Fields = Readonly<Record<string, unknown>>;
type Schema = boolean | JsonSchema;
/** How the parts of a schema are compiled, with references into its root. */
type Compile = (schema: Schema) => Validate;
/** A keyword with its limit: tests a value and returns what is wrong, or true for a violation by the value itself. */
type Keyword = (
  limit: never,
  schema: JsonSchema,
  compile: Compile,
) => (value: unknown) => SchemaError | string | boolean | undefined;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  array: Array.isArray,
  // Of any realm. An argument may be a Date, a Map or a regular expression, which have no fields to read.
  object: (value) => Object.prototype.toString.call(value) === '[object Object]',
  integer: Number.isInteger,
  // JSON has no `Infinity`; an argument may be.
  number: (value) => isNumber(value) && !Number.isNaN(value),
  string: isText,
  boolean: (value) => typeof value === 'boolean',
};

/** Characters, not UTF-16 code units. */
const charactersIn = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

const email =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const dateTime =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)[T\s](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i;

/** Whether a text is a time of RFC 3339. JavaScript reads 30 February as 2 March. */
export const isTime = (text: string): boolean => {
  const [, year, month, day = '0'] = dateTime.exec(text) ?? [];
  return Number(day) > 0 && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
};

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  // As browsers send it: any other text would never match.
  origin: (text) => URL.canParse(text) && new URL(text).origin === text,
  email: (text) => email.test(text),
  'date-time': isTime,
};

/** Escapes the name of a property for a JSON pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Validates a member; its error names the place within the whole. */
const member = (validate: Validate, value: unknown, name: string | number): SchemaError | undefined => {
  const error = validate(value);
  return error && { ...error, pointer: `/${escapePointer(String(name))}${error.pointer}` };
};

/** In the order in which Ajv applies them. */
const keywords: Readonly<Record<string, Keyword>> = {
  type: (type: string | readonly string[]) => {
    const [test, ...others] = [type].flat().map((name) => types[name] as (value: unknown) => boolean);
    return (value) => !(test?.(value) || others.some((other) => other(value)));
  },
  maximum: (limit: number) => (value) => isNumber(value) && value > limit,
  minimum: (limit: number) => (value) => isNumber(value) && value < limit,
  maxLength: (limit: number) => (value) =>
    isText(value) && value.length > limit && charactersIn(value) > limit,
  minLength: (limit: number) => (value) =>
    isText(value) && value.length < 2 * limit && charactersIn(value) < limit,
  pattern: (pattern: string) => {
    const expression = new RegExp(pattern, 'u');
    return (value) => isText(value) && !expression.test(value);
  },
  format: (format: string) => {
    const test = formats[format];
    if (!test) throw new Error(`no format ${format}`);
    return (value) => isText(value) && !test(value);
  },
  $ref: (_ref: string, schema, compile) => {
    // Compiled when it is needed: a schema may refer to itself.
    let validate: Validate | undefined;
    return (value) => {
      validate ??= compile(schema);
      return validate(value);
    };
  },
  const: (expected: unknown) => (value) => value !== expected,
  enum: (allowed: readonly unknown[]) => (value) => !allowed.includes(value),
  not: (schema: Schema, _own, compile) => {
    const validate = compile(schema);
    return (value) => validate(value) === undefined;
  },
  allOf: (schemas: readonly Schema[], _own, compile) => {
    const all = schemas.map(compile);
    return (value) => {
      for (const validate of all) {
        const error = validate(value);
        if (error) return error;
      }
      return undefined;
    };
  },
  minItems: (limit: number) => (value) => Array.isArray(value) && value.length < limit,
  items: (schema: Schema, _own, compile) => {
    const validate = compile(schema);
    return (value) => {
      if (!Array.isArray(value)) return undefined;
      for (let at = 0; at < value.length; at += 1) {
        const error = member(validate, value[at], at);
        if (error) return error;
      }
      return undefined;
    };
  },
  minProperties: (limit: number) => (value) => isObject(value) && Object.keys(value).length < limit,
  required: (names: readonly string[]) => (value) =>
    isObject(value) ? names.find((name) => value[name] === undefined) : undefined,
  additionalProperties: (schema: Schema, { properties = {} }, compile) => {
    const validate = compile(schema);
    return (value) => {
      if (schema === true || !isObject(value)) return undefined;
      for (const name in value) {
        if (Object.hasOwn(properties as object, name)) continue;
        if (schema === false) return name;
        const error = member(validate, value[name], name);
        if (error) return error;
      }
      return undefined;
    };
  },
  properties: (schemas: Readonly<Record<string, Schema>>, _own, compile) => {
    const members = Object.entries(schemas).map(([name, schema]) => [name, compile(schema)] as const);
    return (value) => {
      if (!isObject(value)) return undefined;
      for (const [name, validate] of members) {
        if (value[name] === undefined) continue;
        const error = member(validate, value[name], name);
        if (error) return error;
      }
      return undefined;
    };
  },
};

const compileSchema = (schema: Schema, compileRef: Compile): Validate => {
  if (schema === true) return () => undefined;
  if (schema === false)
    return (value) => ({ pointer: '', keyword: 'false schema', limit: false, schema: {}, value });
  const compile = (part: Schema): Validate => compileSchema(part, compileRef);
  const tests = Object.keys(keywords).flatMap((keyword) => {
    const limit = schema[keyword];
    if (limit === undefined) return [];
    const test = keywords[keyword]?.(limit as never, schema, keyword === '$ref' ? compileRef : compile);
    return test ? [{ keyword, limit, test }] : [];
  });
  return (value) => {
    for (const { keyword, limit, test } of tests) {
      const found = test(value);
      if (found === undefined || found === false) continue;
      if (typeof found === 'object') return found;
      const error = { pointer: '', keyword, limit, schema, value };
      return typeof found === 'string' ? { ...error, name: found } : error;
    }
    return undefined;
  };
};

/**
 * Compiles a schema.
 * @param root what its references point into; by default the schema itself
 */
export const compileJsonSchema = (schema: Schema, root = schema): Validate => {
  const known = new Map<string, Validate>();
  const compileRef = (referring: Schema): Validate => {
    const { $ref } = referring as { readonly $ref: string };
    let target: unknown = root;
    for (const name of $ref.split('/').slice(1)) target = (target as Fields)[name];
    const validate = known.get($ref) ?? compileSchema(target as Schema, compileRef);
    known.set($ref, validate);
    return validate;
  };
  return compileSchema(schema, compileRef);
};

/** The schema of a body in the contract. */
type BodySchema = {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly additionalProperties?: unknown;
};

/**
 * The same constraints as `schema` in a fixed order, so that the first error is always that of the earliest step:
 * an object → required → types → unknown fields → limits and formats → emptiness. Ajv alone validates field by field.
 */
const orderedSchema = (schema: BodySchema): JsonSchema => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema | boolean>);
  const { additionalProperties = true } = schema;
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
      pick(schema, ['required', 'minProperties']),
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

// By schema object, which stays the same for a contract in force.
const validators = new WeakMap<BodySchema, Validate>();

/** Validates a body by its schema. Returns the first violation. */
export const validateBody = (schema: BodySchema, body: unknown): SchemaError | undefined => {
  const validate = validators.get(schema) ?? compileJsonSchema(orderedSchema(schema));
  validators.set(schema, validate);
  return validate(body);
};
