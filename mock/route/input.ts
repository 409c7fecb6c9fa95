import { didYouMean, quoted } from '../contract/questions.ts';
import { StoreFull } from '../store/store.ts';
import { ruleOf } from '../validation/fields.ts';
import { compileJsonSchema, isObject, type JsonSchema, type Validate } from '../validation/json-schema.ts';
import { describeSchemaError, StateError } from '../validation/schema-errors.ts';
import { AdminError, type AdminRequest, type Route } from './noun.ts';
import { components } from './schemas.ts';

const validators = new WeakMap<JsonSchema, Validate>();

const validatorOf = (schema: JsonSchema): Validate => {
  const validate =
    validators.get(schema) ?? compileJsonSchema(schema, { components: { schemas: components } });
  validators.set(schema, validate);
  return validate;
};

/**
 * Runs a request to a route, if its body is valid by the OpenAPI document and by the rules of the noun.
 * @throws AdminError 400 naming the place and the expected value, 507 if there is no room; with nothing changed
 */
export const runRoute = <Parts>(
  route: Pick<Route<Parts>, 'body' | 'bodyRequired' | 'run'>,
  getParts: () => Parts,
  request: AdminRequest,
): object | Promise<object> => {
  checkBody(route, request.body);
  try {
    return route.run(getParts(), request);
  } catch (error) {
    if (error instanceof StateError) throw badRequest(error, route.body);
    throw error instanceof StoreFull ? new AdminError(507, error.message, error.hint) : error;
  }
};

// Unknown fields are errors.
const checkBody = (
  { body: schema, bodyRequired = true }: Pick<Route<never>, 'body' | 'bodyRequired'>,
  body: unknown,
): void => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  if (!isObject(body))
    throw new AdminError(
      400,
      `body must be a JSON object, not ${body === undefined ? 'empty' : describeKind(body)}`,
      hintOf(schema),
    );
  const error = validatorOf(schema)(body);
  if (error) throw badRequest(describeSchemaError(error), schema);
};

const describeKind = (body: unknown): string =>
  Array.isArray(body) ? 'a list' : typeof body === 'string' ? quoted(body) : String(body);

/** The error response for a mistake in a body. */
const badRequest = ({ pointer, problem }: StateError, schema: JsonSchema = {}): AdminError =>
  new AdminError(400, `body${pointer} ${problem}`, `Nothing was changed. ${hintOf(schema)}`);

/** A hint with an example of a valid body, and where it is described. */
const hintOf = ({ examples, $ref }: JsonSchema): string => {
  const name = String($ref).replace(/^.*\//, '');
  const [example] = (examples ?? components[name]?.examples ?? []) as readonly unknown[];
  const shown = example === undefined ? '' : `Send for example ${JSON.stringify(example)}. `;
  return `${shown}/__admin/openapi.json describes what is accepted.`;
};

/** The value of a parameter in the type of its schema; another text stays, and is invalid. */
const readParameter = (value: string, { type }: JsonSchema): unknown => {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value;
  if (type === 'integer') return /^\d{1,9}$/.test(value) ? Number(value) : value;
  return value;
};

/**
 * Reads a query. An unknown parameter is an error, because ignoring a filter would hide the mistake.
 * @returns the values in the types of their schemas, with their defaults
 * @throws AdminError 400 naming the parameter and its possible values
 */
export const readQuery = (
  { query: parameters = {}, internal }: Pick<Route<never>, 'query' | 'internal'>,
  sent: URLSearchParams,
): AdminRequest['query'] => {
  const known = [...Object.keys(parameters), 'key'];
  const query: Record<string, unknown> = {};
  for (const [name, { default: value }] of Object.entries(parameters))
    if (value !== undefined) query[name] = value;
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    const place = `query/${quoted(name).slice(1, -1)}`;
    if (values.length > 1)
      throw new AdminError(
        400,
        `${place} is given ${values.length} times`,
        'Nothing was done. Give each parameter once.',
      );
    if (name === 'key') continue;
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!schema && internal) continue;
    if (!schema)
      throw new AdminError(
        400,
        `${place} is not known here`,
        `${didYouMean(name, known)}There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`,
      );
    const value = readParameter(values[0] ?? '', schema);
    const { accepts, description } = ruleOf(schema);
    if (!accepts(value))
      throw new AdminError(
        400,
        `${place} must be ${description}`,
        schema.default === undefined ? String(schema.description) : `Leave it out for ${schema.default}.`,
      );
    query[name] = value;
  }
  return query as AdminRequest['query'];
};
