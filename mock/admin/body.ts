import type { BodyRule } from '../body-rules.ts';
import { adminRules } from '../generated/admin-rules.js';
import { describeSchemaError } from '../schema-error.ts';
import type { RouteDoc } from './documentation.ts';
import { AdminError, objectBody } from './route.ts';
import { components, type JsonSchema } from './schemas.ts';

const rules: Readonly<Record<string, BodyRule | undefined>> = adminRules;

/**
 * Holds a body to what the document says of it, so that nothing is ignored that its sender meant.
 * @throws AdminError 400 naming the place and what is wanted there
 */
export const checkBody = ({ id, body: schema, bodyRequired = true }: RouteDoc, body: unknown): void => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  const rule = rules[id];
  if (!rule) throw new Error(`no rule for the body of ${id}: npm run generate makes it`);
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
