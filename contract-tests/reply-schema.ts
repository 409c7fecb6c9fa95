import type { ErrorObject } from 'ajv/dist/2020.js';
import { contract, listOperations, type OperationId, resolveRefs } from '../mock/spec.ts';
import type { Exchange } from './exchange.ts';
import { replyRules } from './generated/reply-rules.js';

/** One departure of a success reply from the contract. */
export type SchemaError = {
  /** JSON Pointer of what is wrong, or of what is missing: `/data/0/id`. */
  readonly pointer: string;
  readonly message: string;
};

type Responses = Record<string, { content?: Record<string, { schema?: object }> }>;

type Rule = ((json: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

const schemaFor = (operation: OperationId): object => {
  const found = listOperations(contract).find(({ id, alias }) => id === operation && !alias);
  const responses = resolveRefs(contract, found?.responses ?? {}) as Responses;
  const schema = responses['200']?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`openapi.yaml: ${operation} has no JSON schema for 200`);
  return schema;
};

const checked = new WeakMap<object, readonly SchemaError[]>();

/** Every way in which a success reply departs from openapi.yaml, each with the place it concerns. */
export const schemaErrors = (exchange: Exchange): readonly SchemaError[] => {
  const known = checked.get(exchange);
  if (known) return known;
  // Ajv's code for the schemas of openapi.yaml, compiled by `npm run generate`.
  const validate: Rule = replyRules[exchange.operation];
  validate(exchange.json);
  const errors = (validate.errors ?? []).map(describe);
  checked.set(exchange, errors);
  return errors;
};

const describe = ({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): SchemaError => {
  if (keyword === 'required')
    return { pointer: `${instancePath}/${String(params.missingProperty)}`, message: 'is missing' };
  return { pointer: instancePath, message };
};

type Node = { readonly properties?: Readonly<Record<string, Node>>; readonly items?: Node };

/** Pointers of the reply fields the document names for a success, `*` for every item of a list. */
export const documentedFields = (operation: OperationId): string[] => fieldsOf(schemaFor(operation), '');

const fieldsOf = ({ properties = {}, items }: Node, at: string): string[] => [
  ...Object.entries(properties).flatMap(([name, node]) => [
    `${at}/${name}`,
    ...fieldsOf(node, `${at}/${name}`),
  ]),
  ...(items?.properties ? fieldsOf(items, `${at}/*`) : []),
];

/** The value at a JSON Pointer of plain names and indexes. */
export const valueAt = (json: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined | null)?.[step], json);
