// Replaces `compiler.ts` in the builds for browsers: Ajv, or the code it generates, would be most of what they load. Supports
// the keywords of request bodies and states. A test compares its errors with Ajv's.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type * as node from './compiler.ts';
import { escapePointer } from './schema-errors.ts';

type Schema = boolean | node.JsonSchema;
type Fields = Readonly<Record<string, unknown>>;
/** The first error, with `instancePath` relative to the value. */
type Result = Omit<ErrorObject, 'schemaPath'> | undefined;

/** Tests a value against a keyword with its limit. A value of another type is valid. */
type Rule = (value: never, limit: never, place: Place) => Result;
type Place = { readonly schema: node.JsonSchema; readonly root: node.JsonSchema };

export const precompiled: Readonly<Record<string, node.Validator>> = {};

export const createCompiler: typeof node.createCompiler = () => (schema) => {
  const validator: node.Validator = (value) => {
    const error = firstError(schema, value, schema);
    validator.errors = error ? [{ schemaPath: '', ...error }] : null;
    return !error;
  };
  return validator;
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOfType = (value: unknown, type: string): boolean => {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
};

// Counts like Ajv: characters, not UTF-16 code units.
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

const email =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const dateTime =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)[T\s](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => email.test(text),
  'date-time': (text) => {
    const [, year, month, day = '0'] = dateTime.exec(text) ?? [];
    return Number(day) > 0 && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  },
};

const error = (keyword: string, params: object, message: string): Result => ({
  keyword,
  params,
  message,
  instancePath: '',
});

/** A rule for values of one type. */
const forType =
  <Value, Limit>(
    isValue: (value: unknown) => value is Value,
    rule: (value: Value, limit: Limit, place: Place) => Result,
  ): Rule =>
  (value: unknown, limit: Limit, place) =>
    isValue(value) ? rule(value, limit, place) : undefined;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A rule that compares the value, or a measure of it, with the limit. */
const bound =
  (
    keyword: string,
    measure: (value: unknown) => number | undefined,
    isTooMuch: (size: number, limit: number) => boolean,
    describe: (limit: number) => string,
  ): Rule =>
  (value, limit: number) => {
    const size = measure(value);
    return size !== undefined && isTooMuch(size, limit)
      ? error(keyword, { limit }, describe(limit))
      : undefined;
  };

const above = (size: number, limit: number): boolean => size > limit;
const below = (size: number, limit: number): boolean => size < limit;
const textLength = (value: unknown) => (isText(value) ? lengthOf(value) : undefined);
const fieldCount = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

/** In the order in which Ajv applies them. */
const rules: Readonly<Record<string, Rule>> = {
  type: (value, type: string | readonly string[]) =>
    [type].flat().some((name) => isOfType(value, name))
      ? undefined
      : error('type', { type }, `must be ${type}`),
  maximum: bound(
    'maximum',
    (value) => (isNumber(value) ? value : undefined),
    above,
    (limit) => `must be <= ${limit}`,
  ),
  minimum: bound(
    'minimum',
    (value) => (isNumber(value) ? value : undefined),
    below,
    (limit) => `must be >= ${limit}`,
  ),
  maxLength: bound('maxLength', textLength, above, (limit) => `must NOT have more than ${limit} characters`),
  minLength: bound('minLength', textLength, below, (limit) => `must NOT have fewer than ${limit} characters`),
  pattern: forType(isText, (text, pattern: string) =>
    new RegExp(pattern, 'u').test(text)
      ? undefined
      : error('pattern', { pattern }, `must match pattern "${pattern}"`),
  ),
  format: forType(isText, (text, format: string) =>
    formats[format]?.(text) ? undefined : error('format', { format }, `must match format "${format}"`),
  ),
  $ref: (value, ref: string, { root }) => firstError(resolve(root, ref), value, root),
  enum: (value, allowedValues: readonly unknown[]) =>
    allowedValues.includes(value)
      ? undefined
      : error('enum', { allowedValues }, 'must be equal to one of the allowed values'),
  not: (value, schema: Schema, { root }) =>
    firstError(schema, value, root) ? undefined : error('not', {}, 'must NOT be valid'),
  allOf: (value, schemas: readonly Schema[], { root }) =>
    first(schemas, (schema) => firstError(schema, value, root)),
  maxItems: bound(
    'maxItems',
    (value) => (Array.isArray(value) ? value.length : undefined),
    above,
    (limit) => `must NOT have more than ${limit} items`,
  ),
  items: (value, schema: Schema, { root }) =>
    Array.isArray(value) ? within(value, Object.keys(value), () => schema, root) : undefined,
  minProperties: bound(
    'minProperties',
    fieldCount,
    below,
    (limit) => `must NOT have fewer than ${limit} properties`,
  ),
  required: forType(isObject, (value, names: readonly string[]) => {
    const missingProperty = names.find((name) => value[name] === undefined);
    const message = `must have required property '${missingProperty}'`;
    return missingProperty === undefined ? undefined : error('required', { missingProperty }, message);
  }),
  additionalProperties: forType(isObject, (value, schema: Schema, { schema: { properties = {} }, root }) => {
    const names = Object.keys(value).filter((name) => !Object.hasOwn(properties as object, name));
    if (schema !== false) return within(value, names, () => schema, root);
    const [additionalProperty] = names;
    return additionalProperty === undefined
      ? undefined
      : error('additionalProperties', { additionalProperty }, 'must NOT have additional properties');
  }),
  properties: forType(isObject, (value, schemas: Readonly<Record<string, Schema>>, { root }) => {
    const names = Object.keys(schemas).filter((name) => value[name] !== undefined);
    return within(value, names, (name) => schemas[name] ?? true, root);
  }),
};

const first = <Item>(items: readonly Item[], check: (item: Item) => Result): Result => {
  for (const item of items) {
    const result = check(item);
    if (result) return result;
  }
  return undefined;
};

const within = (
  value: object,
  names: readonly string[],
  schemaOf: (name: string) => Schema,
  root: node.JsonSchema,
): Result =>
  first(names, (name) => {
    const result = firstError(schemaOf(name), (value as Fields)[name], root);
    return result && { ...result, instancePath: `/${escapePointer(name)}${result.instancePath}` };
  });

const resolve = (root: node.JsonSchema, ref: string): Schema => {
  let schema: unknown = root;
  for (const name of ref.split('/').slice(1)) schema = (schema as Fields)[name];
  return schema as Schema;
};

const firstError = (schema: Schema, value: unknown, root: node.JsonSchema): Result => {
  if (schema === true) return undefined;
  if (schema === false)
    return {
      ...error('false schema', {}, 'boolean schema is false'),
      parentSchema: false,
      data: value,
    } as unknown as Result;
  const keywords = Object.keys(rules).filter((keyword) => keyword in schema);
  const result = first(keywords, (keyword) =>
    rules[keyword]?.(value as never, schema[keyword] as never, { schema, root }),
  );
  // Errors of parts already have these fields.
  return result && { parentSchema: schema, data: value, ...result };
};
