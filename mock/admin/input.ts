import { didYouMean, quoted } from '../contract/questions.ts';
import type { Validator } from '../validation/compiler.ts';
import { describeSchemaError, StateError } from '../validation/schema-errors.ts';
import { AdminError, type AdminRequest, objectBody, type RouteDoc } from './route.ts';
import { components, type JsonSchema } from './schemas.ts';

/**
 * Validates a body by the OpenAPI document. Unknown fields are errors.
 * @throws AdminError 400 naming the place and the expected value
 */
export const checkBody = async (
  { id, body: schema, bodyRequired = true }: RouteDoc,
  body: unknown,
): Promise<void> => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  // Loaded on first use, for a fast start.
  const validators: Validators = (await import('../generated/admin-validators.js')).validators;
  const validate = validators[id];
  if (!validate) throw new Error(`no validator for the body of ${id}: run npm run build`);
  if (validate(objectBody(body, hintOf(schema)))) return;
  const [error] = validate.errors ?? [];
  const { pointer, problem } = describeSchemaError(error as NonNullable<typeof error>);
  throw new AdminError(400, `body${pointer} ${problem}`, `Nothing was done. ${hintOf(schema)}`);
};

type Validators = Readonly<Record<string, Validator | undefined>>;

/** A hint with an example of a valid body, and where it is described. */
export const hintOf = ({ examples, $ref }: JsonSchema): string => {
  const [example] = (examples ?? components[nameOf($ref)]?.examples ?? []) as readonly unknown[];
  const shown = example === undefined ? '' : `Send for example ${JSON.stringify(example)}. `;
  return `${shown}/__admin/openapi.json describes what is accepted.`;
};

const nameOf = (pointer: unknown): string => String(pointer).replace(/^.*\//, '');

type Parameters = Readonly<Record<string, JsonSchema>>;

/** Parameters of every route. */
const commonParameters = ['key'];

/**
 * Validates a query. An unknown parameter is an error, because ignoring a filter would hide the mistake.
 * @throws AdminError 400 naming the parameter and its possible values
 */
export const checkQuery = (query: AdminRequest['query'], parameters: Parameters, where = 'query'): void => {
  const known = [...Object.keys(parameters), ...(where === 'query' ? commonParameters : [])];
  for (const [name, value = ''] of Object.entries(query)) {
    if (where === 'query' && commonParameters.includes(name)) continue;
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!schema)
      throw new AdminError(
        400,
        `${where}/${quoted(name).slice(1, -1)} is not known here`,
        `${didYouMean(name, known)}There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`,
      );
    const expected = violation(value, schema);
    if (expected)
      throw new AdminError(
        400,
        `${where}/${name} must be ${expected}`,
        schema.default === undefined ? String(schema.description) : `Leave it out for ${schema.default}.`,
      );
  }
};

/**
 * The value of each parameter.
 * @throws AdminError 400 for a repeated parameter
 */
export const singleValues = (query: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      throw new AdminError(
        400,
        `query/${quoted(name).slice(1, -1)} is given ${value.length} times`,
        'Nothing was done. Give each parameter once.',
      );
    }),
  );

/** What an invalid value must be; `undefined` for a valid one. */
const violation = (value: string, schema: JsonSchema): string | undefined => {
  const {
    type,
    minimum = 0,
    maximum = 999_999_999,
    pattern,
  } = schema as { minimum?: number; maximum?: number } & JsonSchema;
  if (type === 'boolean') return value === 'true' || value === 'false' ? undefined : 'true or false';
  if (typeof pattern === 'string')
    return new RegExp(pattern).test(value) ? undefined : String(schema['x-form'] ?? `of the form ${pattern}`);
  if (type !== 'integer') return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= minimum && number <= maximum ? undefined : `a whole number from ${minimum} to ${maximum}`;
};

/** A numeric parameter that `checkQuery` has validated. */
export const numberOf = (value: string | undefined, fallback: number): number =>
  value === undefined ? fallback : Number(value);

/** The range of a list in a query. */
export const rangeOf = ({ since, start, limit }: AdminRequest['query']) => ({
  since,
  start: numberOf(start, 0),
  limit: numberOf(limit, 50),
});

/**
 * Runs `check` and converts a StateError to a 400 that names the place in the body.
 * @param hint the effect of the request, and what is accepted
 */
export const asBadRequest = <Value>(hint: string, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    throw new AdminError(400, `body${error.pointer} ${error.problem}`, hint);
  }
};
