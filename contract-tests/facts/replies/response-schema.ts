import type { ErrorObject } from 'ajv/dist/2020.js';
import { contract, successSchema } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { clip } from '../../../mock/contract/shown-text.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { validators } from '../../generated/response-validators.js';

/** A deviation of a success response from the contract. */
type SchemaError = {
  /** JSON Pointer to the wrong or missing value: `/data/0/id`. */
  readonly pointer: string;
  readonly message: string;
};

type Validator = ((json: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

const checked = new WeakMap<object, readonly SchemaError[]>();

/** The deviations of a success response from openapi.yaml, each with the first place where it occurs. */
export const schemaErrors = (exchange: Exchange): readonly SchemaError[] => {
  const known = checked.get(exchange);
  if (known) return known;
  // The validators that Ajv compiled from openapi.yaml during the build.
  const validate: Validator = validators[exchange.operation];
  validate(exchange.json);
  const errors = firstOfEach(validate.errors ?? []);
  // For a long list of invalid items, Ajv keeps an error for each field of each item: this releases their memory.
  validate.errors = null;
  checked.set(exchange, errors);
  return errors;
};

/** Keeps one error per field; for items of a list, the error of the first invalid item. */
const firstOfEach = (errors: readonly ErrorObject[]): readonly SchemaError[] => {
  const firsts = new Map<string, SchemaError>();
  for (const error of errors) {
    const violation = describe(error);
    const field = violation.pointer.replaceAll(/\/[0-9]+/g, '/*');
    if (!firsts.has(field)) firsts.set(field, violation);
  }
  return [...firsts.values()];
};

const describe = ({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): SchemaError => {
  if (keyword === 'required')
    return { pointer: `${instancePath}/${String(params.missingProperty)}`, message: 'is missing' };
  if (keyword === 'type') return { pointer: instancePath, message: `must be ${withArticle(params.type)}` };
  if (keyword === 'const')
    return { pointer: instancePath, message: `must be ${JSON.stringify(params.allowedValue)}` };
  if (keyword === 'minLength') return { pointer: instancePath, message: 'must not be empty' };
  if (keyword === 'format') return { pointer: instancePath, message: 'must be an ISO 8601 time in UTC' };
  // Patterns in responses occur only in times.
  if (keyword === 'pattern') return { pointer: instancePath, message: 'must be an ISO 8601 time in UTC' };
  return { pointer: instancePath, message };
};

const withArticle = (type: unknown): string => `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;

/** The parts of the JSON Schema of a field that a check reads. */
export type Schema = {
  readonly type?: string;
  readonly const?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** The documented fields of a success response, by JSON Pointer; `*` stands for every item of a list. */
export const responseFields = (operation: OperationId): ReadonlyMap<string, Schema> =>
  new Map(fieldsOf(successSchema(contract, operation) as Schema, ''));

const fieldsOf = ({ properties = {}, items }: Schema, at: string): [string, Schema][] => [
  ...Object.entries(properties).flatMap(([name, schema]): [string, Schema][] => [
    [`${at}/${name}`, schema],
    ...fieldsOf(schema, `${at}/${name}`),
  ]),
  ...(items?.properties ? [[`${at}/*`, items] as [string, Schema], ...fieldsOf(items, `${at}/*`)] : []),
];

/** JSON Pointers of the documented fields. */
export const documentedFields = (operation: OperationId): string[] =>
  [...responseFields(operation).keys()].filter((pointer) => !pointer.endsWith('*'));

/** The value at a JSON Pointer without escapes. */
export const valueAt = (json: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined | null)?.[step], json);

/** Deviations between the documented fields and those in success responses, each as `operation /pointer`. */
export type FieldCoverage = {
  /** Documented, but in no response. */
  readonly never: readonly string[];
  /** In a response, but not documented. */
  readonly extra: readonly string[];
};

/** The largest number of undocumented fields that a report names for an operation. */
const maxExtra = 100;

/** @param present the result of `fieldPointers` for all success responses of the operation */
export const compareFields = (operation: OperationId, present: ReadonlySet<string>): FieldCoverage => {
  const documented = new Set(documentedFields(operation));
  const withOperation = (pointers: Iterable<string>): string[] =>
    [...pointers].map((pointer) => `${operation} ${pointer}`);
  const extra = [...present]
    .filter((pointer) => !documented.has(pointer))
    .map((pointer) => clip(pointer, 100));
  const more = `and ${extra.length - maxExtra} more`;
  return {
    never: withOperation([...documented].filter((pointer) => !present.has(pointer))),
    extra: withOperation(extra.length > maxExtra ? [...extra.slice(0, maxExtra), more] : extra),
  };
};

/** JSON Pointers of the fields down to those of `data` and its items; no deeper, because their content may be customer data. */
export const fieldPointers = (json: unknown, at = ''): string[] => {
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const pointer = `${at}/${name}`;
    if (pointer !== '/data') return [pointer];
    const items = Array.isArray(value)
      ? value.slice(0, 50).flatMap((item) => fieldPointers(item, '/data/*'))
      : fieldPointers(value, '/data');
    return [pointer, ...items];
  });
};
