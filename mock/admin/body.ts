import type { ValidateFunction } from 'ajv/dist/2020.js';
import { loadAjv } from '../body-rules.ts';
import { describeSchemaError } from '../schema-error.ts';
import type { RouteDoc } from './documentation.ts';
import { AdminError, objectBody } from './route.ts';
import { components, documentId, type JsonSchema, placed } from './schemas.ts';

/**
 * Holds a body to what the document says of it, so that nothing is ignored that its sender meant.
 * @throws AdminError 400 naming the place and what is wanted there
 */
export const checkBody = ({ body: schema, bodyRequired = true }: RouteDoc, body: unknown): void => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  const rule = ruleOf(schema);
  if (rule(objectBody(body, hintOf(schema)))) return;
  const [error] = rule.errors ?? [];
  const { pointer, what } = describeSchemaError(error as NonNullable<typeof error>);
  throw new AdminError(400, `body${pointer} ${what}`, `Nothing was done. ${hintOf(schema)}`);
};

const hintOf = ({ examples, $ref }: JsonSchema): string => {
  const [example] = (examples ?? components[nameOf($ref)]?.examples ?? []) as readonly unknown[];
  const shown = example === undefined ? '' : `Send for example ${JSON.stringify(example)}. `;
  return `${shown}What is taken is described at /__admin/openapi.json.`;
};

const nameOf = (pointer: unknown): string => String(pointer).replace(/^.*\//, '');

const rules = new Map<JsonSchema, ValidateFunction>();
let compile: ((schema: JsonSchema) => ValidateFunction) | undefined;

// On first use: a mock that nobody steers starts without Ajv.
const ruleOf = (schema: JsonSchema): ValidateFunction => {
  compile ??= compiler();
  const rule = rules.get(schema) ?? compile(schema);
  rules.set(schema, rule);
  return rule;
};

const compiler = (): ((schema: JsonSchema) => ValidateFunction) => {
  const ajv = loadAjv({ verbose: true });
  ajv.addVocabulary(['x-form', 'components']);
  ajv.addSchema({ components: { schemas: components } }, documentId);
  return (schema) => ajv.compile(placed(schema));
};
