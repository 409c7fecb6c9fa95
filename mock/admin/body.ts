import type { BodyRule } from '../body-rules.ts';
import { describeSchemaError } from '../schema-error.ts';
import type { RouteDoc } from './documentation.ts';
import { AdminError, objectBody } from './route.ts';
import { components, type JsonSchema } from './schemas.ts';

/**
 * Holds a body to what the document says of it, so that nothing is ignored that its sender meant.
 * @throws AdminError 400 naming the place and what is wanted there
 */
export const checkBody = async (
  { id, body: schema, bodyRequired = true }: RouteDoc,
  body: unknown,
): Promise<void> => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  // Loaded when first needed, for the sake of a fast start.
  const { adminRules } = await import('../generated/admin-rules.js');
  const rules: Readonly<Record<string, BodyRule | undefined>> = adminRules;
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
