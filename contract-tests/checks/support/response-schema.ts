import type { ErrorObject } from 'ajv/dist/2020.js';
import { contract, successSchema } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Exchange, isObject } from '../../client/exchange.ts';
import { validators } from '../../generated/response-validators.js';

/** One departure of a success reply from the contract. */
type SchemaError = {
  /** JSON Pointer of what is wrong, or of what is missing: `/data/0/id`. */
  readonly pointer: string;
  readonly message: string;
};

type Validator = ((json: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

const checked = new WeakMap<object, readonly SchemaError[]>();

/** The ways in which a success reply departs from openapi.yaml, each with the first place it concerns. */
export const schemaErrors = (exchange: Exchange): readonly SchemaError[] => {
  const known = checked.get(exchange);
  if (known) return known;
  // Ajv's code for the schemas of openapi.yaml, compiled by the build.
  const validate: Validator = validators[exchange.operation];
  validate(exchange.json);
  const errors = firstOfEach(validate.errors ?? []);
  // Of a long list whose items are all wrong Ajv has an error for each field of each, and would keep them.
  validate.errors = null;
  checked.set(exchange, errors);
  return errors;
};

/** One error for each field; of the items of a list, that of the first item that has it. */
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
  // The only patterns of responses are those of times.
  if (keyword === 'pattern') return { pointer: instancePath, message: 'must be an ISO 8601 time in UTC' };
  return { pointer: instancePath, message };
};

const withArticle = (type: unknown): string => `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;

/** What a check reads of the JSON Schema of a field. */
export type Schema = {
  readonly type?: string;
  readonly const?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** What the document names in a success, by JSON Pointer; `*` stands for every item of a list. */
export const responseFields = (operation: OperationId): ReadonlyMap<string, Schema> =>
  new Map(fieldsOf(successSchema(contract, operation) as Schema, ''));

const fieldsOf = ({ properties = {}, items }: Schema, at: string): [string, Schema][] => [
  ...Object.entries(properties).flatMap(([name, schema]): [string, Schema][] => [
    [`${at}/${name}`, schema],
    ...fieldsOf(schema, `${at}/${name}`),
  ]),
  ...(items?.properties ? [[`${at}/*`, items] as [string, Schema], ...fieldsOf(items, `${at}/*`)] : []),
];

/** Pointers of the named fields. */
export const documentedFields = (operation: OperationId): string[] =>
  [...responseFields(operation).keys()].filter((pointer) => !pointer.endsWith('*'));

/** The value at a JSON Pointer of plain names and indexes. */
export const valueAt = (json: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined | null)?.[step], json);

/** Fields of success responses beside those that are documented, each as `operation /pointer`. */
export type FieldCoverage = {
  /** Documented, and in none of them. */
  readonly never: readonly string[];
  /** In some of them, and not documented. */
  readonly extra: readonly string[];
};

/** @param present what `fieldPointers` found in all success responses of the operation */
export const compareFields = (operation: OperationId, present: ReadonlySet<string>): FieldCoverage => {
  const documented = new Set(documentedFields(operation));
  const withOperation = (pointers: Iterable<string>): string[] =>
    [...pointers].map((pointer) => `${operation} ${pointer}`);
  return {
    never: withOperation([...documented].filter((pointer) => !present.has(pointer))),
    extra: withOperation([...present].filter((pointer) => !documented.has(pointer))),
  };
};

/** Names of fields down to those of `data` and of its items; not further, because what is in them may be customer data. */
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
