import type { OpenAPIV3_1 } from 'openapi-types';
import contractJson from '../generated/contract.json' with { type: 'json' };

type Method = 'get' | 'put' | 'post' | 'delete';
export type Contract = OpenAPIV3_1.Document;
export type Schema = OpenAPIV3_1.SchemaObject;

/** One path form of one operation. An alias path (§4.4) carries the id of the operation it stands for. */
export type Operation = {
  /** Operation id, as in the journal and in reports. `string` because answers may add operations (§4.8). */
  readonly id: string;
  readonly method: Method;
  /** Path template as OpenAPI writes it: `/api/v1/leads/{id}`. */
  readonly path: string;
  /** Method and path in one: `post /api/v1/leads`. */
  readonly route: string;
  readonly alias: boolean;
  /** Section of the interface document, e.g. `4.5`. */
  readonly section: string;
  /** Schema of the JSON request body without `$ref`; absent where the operation takes none. */
  readonly body?: Schema;
};

/** The contract as openapi.yaml states it, converted to JSON by the build. Must not be changed in place. */
export const contract = contractJson as unknown as Contract;

const methods: readonly Method[] = ['get', 'put', 'post', 'delete'];

/** An operation as openapi.yaml writes it, with this project's extensions. */
export type AliasedOperation = OpenAPIV3_1.OperationObject & {
  readonly 'x-alias-of'?: string;
  readonly 'x-section'?: string;
};

/** Every operation of a contract as it is written, in the order of the file. */
export const operationsOf = ({ paths = {} }: Contract) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method] as AliasedOperation | undefined;
      return operation ? [{ path, method, operation }] : [];
    }),
  );

/** Every path form of every operation in a contract, in the order of the file. */
export const listOperations = (document: Contract): Operation[] =>
  operationsOf(document).map(({ path, method, operation }) => {
    const alias = operation['x-alias-of'];
    const id = alias ?? operation.operationId;
    if (id === undefined) throw new Error(`openapi.yaml: ${method.toUpperCase()} ${path} has no operationId`);
    const { content } = (operation.requestBody ?? {}) as Media;
    const body = content?.['application/json']?.schema;
    return {
      id,
      method,
      path,
      route: `${method} ${path}`,
      alias: alias !== undefined,
      section: operation['x-section'] ?? '',
      ...(body ? { body: resolveRefs(document, body) as Schema } : {}),
    };
  });

type Media = { readonly content?: Record<string, { readonly schema?: Schema }> };

/** Schema of the JSON body with which an operation succeeds (200), without `$ref`. */
export const successSchema = (document: Contract, operation: string): Schema => {
  const found = operationsOf(document).find(({ operation: { operationId } }) => operationId === operation);
  const response = found?.operation.responses?.['200'];
  const { content } = resolveRefs(document, response ?? {}) as Media;
  const schema = content?.['application/json']?.schema;
  if (!schema) throw new Error(`openapi.yaml: ${operation} has no JSON schema for 200`);
  return schema;
};

/** A copy of `node` in which every local `$ref` is replaced by what it points to. The contract has no cycles. */
export const resolveRefs = (document: Contract, node: unknown): unknown => {
  if (Array.isArray(node)) return node.map((item) => resolveRefs(document, item));
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node && typeof node.$ref === 'string')
    return resolveRefs(document, atPointer(document, node.$ref));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolveRefs(document, value)]));
};

const atPointer = (document: Contract, ref: string): unknown => {
  const steps = ref.replace(/^#\//, '').split('/');
  let node: unknown = document;
  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as Record<string, unknown> | undefined)?.[key];
  }
  if (node === undefined) throw new Error(`openapi.yaml: nothing at ${ref}`);
  return node;
};

type Properties = Record<string, Schema | boolean>;

/** A schema of `components`. Callers change it in place. */
export const schemaOf = (document: Contract, name: string): Schema => {
  const schema = document.components?.schemas?.[name];
  if (!schema) throw new Error(`openapi.yaml: components/schemas/${name} is missing`);
  return schema as Schema;
};

/** The properties of a schema of `components`, created if it has none. */
export const propertiesOf = (document: Contract, name: string): Properties => {
  const schema = schemaOf(document, name);
  schema.properties ??= {};
  return schema.properties as Properties;
};

/** A `$ref` into `components`. */
export const reference = (kind: 'schemas' | 'responses', name: string): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/${kind}/${name}`,
});

/** A text parsed as JSON; `undefined` if it is not JSON. */
export const parseJson = (text: string | null | undefined): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** A deep copy of JSON data. `structuredClone` is missing in simulated browsers. */
export const copyOf = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)])) as Value;
};
