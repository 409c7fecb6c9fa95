import { describeValue, didYouMean, quoted } from '../contract/questions.ts';
import { StoreFull } from '../store/store.ts';
import { ruleOf } from '../validation/fields.ts';
import { compileJsonSchema, isObject, type JsonSchema, type Validate } from '../validation/json-schema.ts';
import { describeSchemaError, StateError } from '../validation/schema-errors.ts';
import { AdminError, type AdminRequest, type Handling } from './noun.ts';
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
  route: Pick<Handling<Parts>, 'body' | 'bodyRequired' | 'run'>,
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
  { body: schema, bodyRequired = true }: Pick<Handling<never>, 'body' | 'bodyRequired'>,
  body: unknown,
): void => {
  if (!schema || (body === undefined && !bodyRequired)) return;
  if (!isObject(body)) {
    const kind = Array.isArray(body) ? 'a list' : describeValue(body);
    const problem = `body must be a JSON object, not ${body === undefined ? 'empty' : kind}`;
    throw new AdminError(400, problem, hintOf(schema));
  }
  const error = validatorOf(schema)(body);
  if (error) throw badRequest(describeSchemaError(error), schema);
};

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
  { query: parameters = {} }: Pick<Handling<never>, 'query'>,
  sent: URLSearchParams,
): AdminRequest['query'] => {
  const known = [...Object.keys(parameters), 'key'];
  const defaults = Object.entries(parameters).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query: Record<string, unknown> = Object.fromEntries(defaults);
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    const place = `query/${quoted(name).slice(1, -1)}`;
    const twice = `${place} is given ${values.length} times`;
    if (values.length > 1) throw new AdminError(400, twice, 'Nothing was done. Give each parameter once.');
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (name === 'key') continue;
    if (!schema) {
      const list = `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`;
      throw new AdminError(400, `${place} is not known here`, `${didYouMean(name, known)}${list}`);
    }
    const value = readParameter(values[0] ?? '', schema);
    const { accepts, description } = ruleOf(schema);
    const hint = schema.default === undefined ? schema.description : `Leave it out for ${schema.default}.`;
    if (!accepts(value)) throw new AdminError(400, `${place} must be ${description}`, String(hint));
    query[name] = value;
  }
  return query as AdminRequest['query'];
};
