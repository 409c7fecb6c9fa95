import { pathOf } from '../contract/path-template.ts';
import { describeFault, printError } from '../contract/printable.ts';
import { nearestRoute, withSuggestion } from '../contract/questions.ts';
import { nouns, type Parts } from '../nouns/index.ts';
import { readQuery, runRoute } from '../route/input.ts';
import {
  AdminError,
  type AdminRequest,
  type Noun,
  type OpenStream,
  RawReply,
  type Route,
} from '../route/noun.ts';
import { createRoutes, listRoutes } from '../route/router.ts';
import { success } from '../route/schemas.ts';
import { decodeUtf8, type Headers, parseJson } from '../service/body.ts';
import { ApiError, undecodablePath } from '../service/errors.ts';
import { adminCorsHeaders, isPreflight } from '../service/headers.ts';
import type { Context } from '../service/service.ts';
import { limits } from '../store/store.ts';
import { checkCaller, checkMediaType, isVisit, readKey } from './access.ts';
import { adminDocument } from './openapi.ts';
import { pageRoutes, previewRoutes } from './page.ts';

/** A complete request to the admin API. */
type AdminHttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The address of the connection. */
  readonly peer: string | undefined;
  readonly body: Uint8Array | undefined;
  /** The body is longer than any that is taken, and was not read to its end. */
  readonly isTooLarge: boolean;
  readonly signal: () => AbortSignal;
};

export type AdminHttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | OpenStream;
  /** The reason for an error response, for the log. */
  readonly why?: string;
};

/** The control plane, under `/__admin`. */
export type Admin = {
  readonly answer: (request: AdminHttpRequest) => Promise<AdminHttpReply>;
};

/** For the mock's own tests: the reply to send instead of one that breaks the document. */
export type CheckAdminReply = (route: Route<Parts> | undefined, reply: AdminHttpReply) => AdminHttpReply;

/** A route with its method and the template of its path below `/__admin`. */
type Listed = Route<Parts> & { readonly method: string; readonly path: string };

const prefix = '/__admin';

const pathBelow = (url: string): string => pathOf(url).slice(prefix.length);

/** The routes of all nouns. */
const createAdminRouter = (routes: readonly Listed[]) => {
  const { find, methodsAt, methodError } = createRoutes(routes);
  return {
    find: (method: string, url: string) => find(method, pathBelow(url)),
    /** 405 if the path exists, else 404 with the nearest route. The query is left out: it may contain a key. */
    errorFor: (method: string, url: string): AdminError => {
      const [whole, path] = [pathOf(url).slice(0, 200), pathBelow(url)];
      const wrongMethod = methodError(method, path, whole);
      if (wrongMethod) return wrongMethod;
      const documented = routes.filter(({ internal }) => !internal);
      const meant = methodsAt(path.replace(/\/$/, '')).includes(method)
        ? `${method} ${whole.replace(/\/$/, '')}`
        : nearestRoute(
            method,
            pathOf(url),
            documented.map((route) => `${route.method} ${prefix}${route.path}`),
          );
      return new AdminError(
        404,
        `there is no ${whole}`,
        `Did you mean ${meant}? All routes are at /__admin/openapi.json.`,
      );
    },
  };
};

/** All nouns, with the document that describes them and the files of the page. */
export const listNouns = (version: string): readonly Noun<Parts>[] => {
  const documentRoute: Route<Parts> = {
    id: 'getDocument',
    summary: 'Get this OpenAPI document',
    description: 'Describes the requests and responses of the admin API.',
    keyless: true,
    replies: success('The OpenAPI 3.1 document.', { type: 'object' }),
    run: () => adminDocument(all, version),
  };
  const added = { 'GET /openapi.json': documentRoute, ...previewRoutes, ...pageRoutes };
  const all = nouns.map((noun) =>
    noun.name === 'Mock' ? { ...noun, routes: { ...noun.routes, ...added } } : noun,
  );
  return all;
};

export const createAdmin = (context: Context, check?: CheckAdminReply): Admin => {
  const router = createAdminRouter(
    listNouns(context.workspaces.status.health().version).flatMap(({ routes }) => listRoutes(routes)),
  );
  const run = async (request: AdminHttpRequest, route: Listed, id: string) => {
    const { headers, body, url } = request;
    checkMediaType(headers);
    if (request.isTooLarge)
      throw new AdminError(413, `body is larger than ${limits.stateBytes} bytes`, 'Nothing was done.');
    const sent = new URLSearchParams(url.split('?', 2)[1]);
    const query = readQuery(route, sent);
    const parsed = body?.length ? parseJson(decodeUtf8(body), context.redact, limits.stateValues) : undefined;
    const adminRequest: AdminRequest = {
      id,
      query,
      headers: headers as Record<string, string>,
      body: parsed,
      base: `${context.tls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`,
      signal: request.signal,
    };
    return runRoute(route, () => partsFor(route, request, sent), adminRequest);
  };
  /** The workspace of the key, made only for a route that needs it to last. */
  const partsFor = (
    route: Route<Parts>,
    { method, headers }: AdminHttpRequest,
    sent: URLSearchParams,
  ): Parts => {
    const { workspaces } = context;
    if (route.keyless) return { mock: workspaces.status } as Partial<Parts> as Parts;
    const key = readKey(headers.authorization, sent.get('key') ?? undefined, workspaces);
    const onlyReads = !route.longLived && (method === 'GET' || method === 'HEAD');
    return onlyReads ? workspaces.peek(key) : workspaces.getOrCreate(key);
  };
  return {
    answer: async (request) => {
      const { method, url, headers, peer } = request;
      const { allowedHosts, allowedOrigins } = context;
      const cors = adminCorsHeaders(headers, allowedOrigins);
      let route: Route<Parts> | undefined;
      let reply: AdminHttpReply;
      try {
        checkCaller(headers, peer, allowedHosts, allowedOrigins, isVisit(method, pathOf(url), headers));
        if ('access-control-allow-origin' in cors && isPreflight(method, headers))
          return { status: 204, headers: cors, body: '' };
        const found = router.find(method, url);
        if (!found) throw router.errorFor(method, url);
        route = found.route;
        reply = toReply(await run(request, found.route, found.id), route);
      } catch (error) {
        reply = toErrorReply(error as Error, context);
      }
      if (check) reply = check(route, reply);
      return { ...reply, headers: { ...cors, 'cache-control': 'no-store', ...reply.headers } };
    },
  };
};

const json = { 'content-type': 'application/json; charset=utf-8' };

const toReply = (result: object, { replies }: Route<never>): AdminHttpReply => {
  if (result instanceof RawReply) return result;
  return { status: Number(Object.keys(replies)[0]), headers: json, body: JSON.stringify(result) };
};

/** The error response to an error of the admin API or the JSON parser, or to a defect of the mock. */
const toErrorReply = (error: Error, { redact }: Context): AdminHttpReply => {
  const { status, headers, message, hint, details } = toAdminError(error);
  // The quoted part of the request may be a key in the wrong place.
  if (status === 500) printError(redact(describeFault(error)));
  const body = { error: redact(message), message: redact(hint), ...details };
  return {
    status,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
    why: withSuggestion(body.error, body.message),
  };
};

const toAdminError = (error: Error): AdminError => {
  const { message } = error;
  if (error instanceof AdminError) return error;
  if (error instanceof URIError) return toAdminError(undecodablePath);
  if (error instanceof ApiError) return new AdminError(error.extra.status ?? 400, message, error.hint);
  return new AdminError(
    500,
    `the mock failed: ${message}`,
    'This is a defect of the mock. Its stack is on stderr.',
  );
};
