import type { Readable } from 'node:stream';
import { pathMatcher, pathOf } from '../contract/path-template.ts';
import { describeValue, nearestRoute } from '../contract/questions.ts';
import type { Context } from '../http/context.ts';
import type { Transfer } from '../runtime/limits.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { JsonSchema } from './schemas.ts';

/** A request to the admin API that passed the safety rules (loopback, origin, media type, size). */
export type AdminRequest = {
  /** The current workspace of the key. It may change during a wait, because workspaces are dropped at their limit. */
  readonly workspace: Workspace;
  /** For routes outside workspaces. @throws AdminError 401 without an accepted key */
  readonly requireKey: () => void;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly context: Context;
  /** Counts the memory of the response before it is sent. */
  readonly transfer: Transfer;
  /** Aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
};

export type AdminReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a text or a stream unchanged, with the `content-type` of `headers`. */
  readonly body: object | string | Readable;
};

/** One route of the admin API. Each file in `routes` lists those of one noun; `admin/index.ts` serves them. */
export type AdminRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/__admin`, with `:name` for path parameters. */
  readonly path: string;
  /** Its description in `/__admin/openapi.json`, which leaves out the page's own files. */
  readonly doc?: RouteDoc;
  /** Keeps the connection open, so it needs a persistent workspace even if it only reads. */
  readonly longLived?: boolean;
  /** Validates its body itself, with the rules for seeds and SDK calls. */
  readonly validatesOwnBody?: boolean;
  /** Receives its body as bytes and parses them itself. */
  readonly takesBytes?: boolean;
  /** Only reads, despite its method. */
  readonly readOnly?: boolean;
  /** Highest number of bytes in a body; a mebibyte by default. */
  readonly bodyLimit?: number;
  readonly run: (request: AdminRequest) => AdminReply | Promise<AdminReply>;
};

type UntaggedRoute = Omit<AdminRoute, 'doc'> & { readonly doc: Omit<RouteDoc, 'tag'> };

/** Adds the tag of a noun to its routes. */
export const tagged = (tag: RouteDoc['tag'], routes: readonly UntaggedRoute[]): readonly AdminRoute[] =>
  routes.map((route) => ({ ...route, doc: { ...route.doc, tag } }));

/** An error response of the admin API: `{error, message}` with this status. */
export class AdminError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the response beside `error` and `message`. */
  readonly details: object;

  constructor(
    status: number,
    title: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
    details: object = {},
  ) {
    super(title);
    this.name = 'AdminError';
    this.status = status;
    this.hint = hint;
    this.headers = headers;
    this.details = details;
  }
}

/** The item of a path. @throws AdminError 404 if it does not exist */
export const requireItem = <Item>(item: Item | undefined, problem: string, hint: string): Item => {
  if (item !== undefined) return item;
  throw new AdminError(404, problem, hint);
};

/** The body as an object. @throws AdminError 400 for any other JSON, and without a body */
export const objectBody = (body: unknown, hint: string): Readonly<Record<string, unknown>> => {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new AdminError(
    400,
    `body must be a JSON object, not ${body === undefined ? 'empty' : describeValue(body)}`,
    hint,
  );
};

/** The content of a response: JSON with a schema, or another media type. */
export type ReplyDoc = {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly type?: string;
};

/** The description of a route in the OpenAPI document, which also validates its query and body. */
export type RouteDoc = {
  /** operationId: must not change, because clients are generated from it. */
  readonly id: string;
  readonly summary: string;
  /** Details beside the summary. */
  readonly description: string;
  /** The noun of the route. */
  readonly tag: { readonly name: string; readonly description: string };
  /** Query parameters in addition to `key`, which every route has. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Header parameters, in addition to the key. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  /** False if the body is optional. */
  readonly bodyRequired?: boolean;
  /** Responses by status, in addition to the error responses of every route. */
  readonly replies: Readonly<Record<number, ReplyDoc>>;
};

export const success = (description: string, schema: JsonSchema): Record<number, ReplyDoc> => ({
  200: { description, schema },
});

const number = (description: string, fallback: number, maximum: number, minimum = 0): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  default: fallback,
  description,
});

/** The parameters of a list in pages. */
export const paging = {
  start: number('Number of newest items to skip.', 0, 999_999_999),
  limit: number('Maximum number of items to return.', 50, 1000),
};

export const since = {
  since: {
    type: 'string',
    pattern: '^\\d{1,9}\\.\\d{1,15}$',
    'x-form': 'the unchanged cursor of an earlier response',
    description: 'A cursor from an earlier response. Only items after it are included.',
  },
};

/** The parameters of a wait. */
export const waiting = {
  count: number('Number of matching items to wait for.', 1, 1000, 1),
  timeout_ms: number('Maximum time to wait, in milliseconds.', 10_000, 120_000),
  absent: {
    type: 'boolean',
    default: false,
    description: 'Inverts the wait: succeeds when fewer than `count` items match within the time.',
  },
};

export const filterText = (description: string): JsonSchema => ({ type: 'string', description });

type RouteRequest = { readonly method: string; readonly url: string };

const prefix = '/__admin';

/** The methods at a path: of the route with exactly this path, such as `/outbox/wait`, else of the one with an id. */
export const methodsAt = (url: string, routes: readonly AdminRoute[]): string[] => {
  const path = pathOf(url);
  const exactRoutes = routes.filter((route) => prefix + route.path === path);
  const matchingRoutes =
    exactRoutes.length > 0 ? exactRoutes : routes.filter((route) => pathMatcher(templateOf(route))(path));
  return matchingRoutes.flatMap(({ method, longLived }) =>
    // No HEAD for a route that keeps the connection open.
    method === 'GET' && !longLived ? [method, 'HEAD'] : [method],
  );
};

/** The path template in OpenAPI: `/__admin/outbox/{id}`. */
const templateOf = ({ path }: AdminRoute): string => prefix + path.replaceAll(/:(\w+)/g, '{$1}');

/** 405 with `Allow` if the path exists, else 404 with the nearest route. The query is left out: it may contain a key. */
export const adminRouteError = ({ method, url }: RouteRequest, routes: readonly AdminRoute[]): AdminError => {
  const path = pathOf(url);
  const allow = methodsAt(url, routes).join(', ');
  if (allow !== '')
    return new AdminError(405, `${path.slice(0, 200)} has no ${method}`, `Allowed methods: ${allow}.`, {
      allow,
    });
  return new AdminError(
    404,
    `there is no ${path.slice(0, 200)}`,
    `Did you mean ${suggestRoute(method, path, routes)}? All routes are at /__admin/openapi.json.`,
  );
};

const suggestRoute = (method: string, path: string, routes: readonly AdminRoute[]): string => {
  const pathWithoutSlash = path.replace(/\/$/, '');
  if (methodsAt(pathWithoutSlash, routes).includes(method))
    return `${method} ${pathWithoutSlash.slice(0, 200)}`;
  return nearestRoute(
    method,
    path,
    routes.filter(({ doc }) => doc).map((route) => `${route.method} ${templateOf(route)}`),
  );
};
