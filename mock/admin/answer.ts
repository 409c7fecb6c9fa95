// How requests to an admin API are routed, read and answered, whatever its routes are: those of the mock, or of the proxy of the
// suite.
import { createRouter, type Routed } from '../contract/path-template.ts';
import { describeFault, printError } from '../contract/printable.ts';
import { assumedAnswers, describeValue, quoted, withSuggestion } from '../contract/questions.ts';
import type { Redact } from '../contract/redaction.ts';
import { AdminError, type AdminRequest, type Handling, RawReply, requireItem } from '../route/noun.ts';
import { components } from '../route/schemas.ts';
import type { PageFiles } from '../runtime/page-files.ts';
import { announcesNoBody, bodyHeadersError, decodeUtf8, parseJson } from '../service/body.ts';
import { jsonHeaders, statusOf, toApiError } from '../service/errors.ts';
import type { ApiRequest } from '../service/request.ts';
import { limits, StoreFull } from '../store/store.ts';
import { compileJsonSchema, isObject, type JsonSchema } from '../validation/json-schema.ts';
import { describeSchemaError, fieldsSchema, StateError } from '../validation/schema-errors.ts';

/** A complete request to the admin API. */
export type AdminHttpRequest = Pick<ApiRequest, 'method' | 'url' | 'headers' | 'body' | 'isTooLarge'> & {
  /** The address of the connection. */
  readonly peer: string | undefined;
  readonly signal: () => AbortSignal;
};

export type AdminHttpReply = Pick<RawReply, 'status' | 'headers' | 'body'> & {
  /** The reason for an error response, for the log. */
  readonly why?: string;
};

/** The control plane, under `/__admin`. */
export type Admin = (request: AdminHttpRequest) => Promise<AdminHttpReply>;

/** Routes by method and path, as a list. */
export const listRoutes = <Route extends object>(routes: Readonly<Record<string, Route>>) =>
  Object.entries(routes).map(([address, route]) => {
    const [method = '', path = ''] = address.split(' ');
    return { ...route, method, path };
  });

export const createRoutes = <Route extends Routed>(routes: readonly Route[]) => {
  const router = createRouter(routes);
  return {
    ...router,
    /** 405 with `Allow` if the path exists. @param shown the path as in the message */
    methodError: (method: string, path: string, shown = path): AdminError | undefined => {
      const allow = router.methodsAt(path).join(', ');
      if (allow === '') return undefined;
      return new AdminError(405, `${shown} has no ${method}`, `Allowed methods: ${allow}.`, { allow });
    },
  };
};

/**
 * Runs a request to a route.
 * @param getParts called with the query when the request is valid
 * @param isStrict whether a parameter of the query that the route does not describe is an error
 * @throws AdminError or ApiError, with nothing changed
 */
export const runRequest = <Parts>(
  route: Handling<Parts>,
  { id, base, headers, body, url, signal, isTooLarge }: AdminHttpRequest & Pick<AdminRequest, 'id' | 'base'>,
  getParts: (query: URLSearchParams) => Parts,
  redact: Redact,
  isStrict = true,
): object | Promise<object> => {
  // A form of another site cannot send JSON.
  const refused = announcesNoBody(headers) ? undefined : bodyHeadersError(headers);
  if (refused) throw refused;
  if (isTooLarge)
    throw new AdminError(413, `body is larger than ${limits.stateBytes} bytes`, 'Nothing was done.');
  const sent = new URLSearchParams(url.split('?', 2)[1]);
  const query = isStrict ? readQuery(route, sent) : (Object.fromEntries(sent) as never);
  const parsed = body?.length ? parseJson(decodeUtf8(body), redact, limits.stateValues) : undefined;
  return runRoute(route, () => getParts(sent), { id, query, body: parsed, base, signal });
};

export const toReply = (result: object, status: number): AdminHttpReply =>
  result instanceof RawReply ? result : { status, headers: jsonHeaders, body: JSON.stringify(result) };

/** The error response to an error of the admin API or the JSON parser, or to a defect of the mock. */
export const toErrorReply = (error: Error, redact: Redact): AdminHttpReply => {
  const { status, headers, message, hint, details } = toAdminError(error);
  // The quoted part of the request may be a key in the wrong place.
  if (status === 500) printError(redact(describeFault(error)));
  const body = { error: redact(message), message: redact(hint), ...details };
  const why = withSuggestion(body.error, body.message);
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body), why };
};

/** An error of the service has the status that it has by default. */
const toAdminError = (error: Error): AdminError => {
  if (error instanceof AdminError) return error;
  const cause = toApiError(error);
  return new AdminError(Number(statusOf(cause, assumedAnswers())), cause.message, cause.hint);
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
    const problem = `body must be a JSON object, not ${body === undefined ? 'empty' : describeValue(body)}`;
    throw new AdminError(400, problem, hintOf(schema));
  }
  const error = compileJsonSchema(schema, { components: { schemas: components } })(body);
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
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return value;
};

/**
 * Reads a query. An unknown parameter is an error, because ignoring a filter would hide the mistake.
 * @returns the values in the types of their schemas, with their defaults
 * @throws AdminError 400 naming the parameter and its possible values
 */
const readQuery = (
  { query: parameters = {} }: Pick<Handling<never>, 'query'>,
  sent: URLSearchParams,
): AdminRequest['query'] => {
  const defaults = Object.entries(parameters).map(([name, schema]) => [name, schema.default]);
  const given = [...new Set(sent.keys())].map((name) => {
    const [value = '', ...others] = sent.getAll(name);
    const twice = `query/${quoted(name).slice(1, -1)} is given ${others.length + 1} times`;
    if (others.length > 0) throw new AdminError(400, twice, 'Nothing was done. Give each parameter once.');
    return [name, readParameter(value, parameters[name] ?? {})];
  });
  const query = Object.fromEntries([...defaults, ...given.filter(([name]) => name !== 'key')]);
  const error = compileJsonSchema(fieldsSchema(parameters))(query);
  if (!error) return query;
  const { pointer, problem } = describeSchemaError(error);
  const { description = 'Nothing was done.' } = parameters[pointer.slice(1)] ?? {};
  throw new AdminError(400, `query${pointer} ${problem}`, String(description));
};

/** The response with a file of the page. @throws AdminError if there is none */
export const pageReply = (files: PageFiles | undefined, name: string): RawReply => {
  if (!files) throw new AdminError(503, 'the page is not built', 'Run npm run build.');
  const file = requireItem(files.get(name), 'the page has no such file', 'It starts at ui/.');
  return new RawReply(file.body, file.headers);
};
