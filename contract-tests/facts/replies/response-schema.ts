import type { ErrorObject } from 'ajv/dist/2020.js';
import { contract, successSchema } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { validators } from '../../generated/response-validators.js';

type Validator = ((json: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

const checked = new WeakMap<object, readonly string[]>();

/**
 * Where a success response deviates from openapi.yaml, as JSON Pointers to wrong or missing values such as `/data/0/id`; for a field
 * of the items of a list, the first one only.
 */
export const deviationsOf = (exchange: Exchange): readonly string[] => {
  const known = checked.get(exchange);
  if (known) return known;
  // The validators that Ajv compiled from openapi.yaml during the build.
  const validate: Validator = validators[exchange.operation];
  validate(exchange.json);
  const byField = new Map<string, string>();
  for (const { instancePath, keyword, params } of validate.errors ?? []) {
    const pointer =
      keyword === 'required' ? `${instancePath}/${String(params.missingProperty)}` : instancePath;
    const field = pointer.replaceAll(/\/[0-9]+/g, '/*');
    if (!byField.has(field)) byField.set(field, pointer);
  }
  // For a long list of invalid items, Ajv keeps an error for each field of each item: this releases their memory.
  validate.errors = null;
  const pointers = [...byField.values()];
  checked.set(exchange, pointers);
  return pointers;
};

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
