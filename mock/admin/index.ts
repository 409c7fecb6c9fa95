import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../contract/path-template.ts';
import { announcesNoBody, decodeUtf8, parseJson } from '../http/content-type.ts';
import type { Context } from '../http/context.ts';
import { adminCorsHeaders, isPreflight } from '../http/cors.ts';
import type { ApiError } from '../http/errors.ts';
import { createTransfer } from '../runtime/limits.ts';
import { countBody } from '../runtime/request-bytes.ts';
import { checkCaller, checkMediaType, isVisit, readKey } from './access.ts';
import { checkBody, checkQuery, singleValues } from './input.ts';
import { defaultBodyLimit, sendAdminError, sendInSteps } from './response.ts';
import { AdminError, type AdminRoute, adminRouteError, methodsAt } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is left as bytes. */
    takesBytes?: boolean;
  }
}

/** The control plane, under `/__admin`. CORS for pages of `--allowed-origin` only: see `access.ts` for who may call it. */
export const registerAdmin = async (
  admin: FastifyInstance,
  routes: readonly AdminRoute[],
  context: Context,
): Promise<void> => {
  admin.removeAllContentTypeParsers();
  admin.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined;
    return request.routeOptions.config.takesBytes ? bytes : parseJson(decodeUtf8(bytes));
  });
  // Who calls → is there such a route → is the body JSON: judged before a body is read.
  admin.addHook('onRequest', (request, reply, done) => {
    if (checkCallerAndPreflight(request, reply, context)) return;
    // `/outbox/:id` would take `/outbox/wait` with a method that a wait has not, and `/outbox/` for the message with no name.
    if (request.is404 || !methodsAt(request.url, routes).includes(request.method))
      throw adminRouteError(request, routes);
    checkMediaType(request.headers);
    // A state waits for others to be read, and so does its body: it counts until the reply is sent.
    if (!announcesNoBody(request.headers)) {
      const limit = request.routeOptions.bodyLimit ?? defaultBodyLimit;
      countBody(request.headers, limit, context.workspaces.transfers, reply.raw);
    }
    // Fastify would judge it once more, and its parameters, also where there is no body to label.
    request.headers['content-type'] = announcesNoBody(request.headers) ? undefined : 'application/json';
    done();
  });
  admin.setErrorHandler((error, request, reply) => sendAdminError(error as Error, request, reply, context));
  admin.setNotFoundHandler((request, reply) =>
    sendAdminError(adminRouteError(request, routes), request, reply, context),
  );
  for (const route of routes) registerRoute(admin, route, context);
};

/** Answers a path that cannot be decoded, for which no hook runs. */
export const rejectUndecodableAdminPath = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  { message, hint }: ApiError,
): void => {
  try {
    if (!checkCallerAndPreflight(request, reply, context))
      void sendAdminError(new AdminError(400, message, hint), request, reply, context);
  } catch (error) {
    void sendAdminError(error as Error, request, reply, context);
  }
};

/**
 * Judges who calls, and tells a browser what a page may do. True where that was all that was asked.
 * @throws AdminError 403 as `checkCaller` does
 */
const checkCallerAndPreflight = (
  { method, url, headers }: FastifyRequest,
  reply: FastifyReply,
  { allowedHosts, allowedOrigins }: Context,
): boolean => {
  checkCaller(headers, allowedHosts, allowedOrigins, isVisit(method, pathOf(url), headers));
  const cors = adminCorsHeaders(headers, allowedOrigins);
  reply.headers(cors);
  if (!('access-control-allow-origin' in cors && isPreflight(method, headers))) return false;
  void reply.code(204).send();
  return true;
};

const registerRoute = (admin: FastifyInstance, route: AdminRoute, context: Context): void => {
  const { method, path, doc, run, longLived = false, validatesOwnBody = false } = route;
  const onlyReads = !longLived && (method === 'GET' || route.readOnly === true);
  admin.route({
    method,
    url: path,
    config: { takesBytes: route.takesBytes === true },
    bodyLimit: route.bodyLimit ?? defaultBodyLimit,
    // Asked for its headers only, a wait would hold all the same.
    ...(longLived ? { exposeHeadRoute: false } : {}),
    handler: async (request, reply) => {
      const query = singleValues(request.query as Record<string, string | string[]>);
      if (doc) {
        checkQuery(query, doc.query ?? {});
        if (!validatesOwnBody) await checkBody(doc, request.body);
      }
      const transfer = createTransfer(context.workspaces.transfers);
      reply.raw.once('close', transfer.end);
      const { workspaces } = context;
      const requireKey = (): string => readKey(request.headers.authorization, query.key, workspaces);
      const result = await run({
        // On demand: health has none, and looking must not make one. Anew where it was dropped while the route waited.
        get workspace() {
          return onlyReads ? workspaces.peek(requireKey()) : workspaces.getOrCreate(requireKey());
        },
        requireKey,
        params: request.params as Record<string, string>,
        query,
        headers: request.headers as Record<string, string>,
        body: request.body,
        context,
        transfer,
        signal: () => closedSignal(reply),
      });
      return sendInSteps(reply, result, transfer);
    },
  });
};

/** Aborted when the connection closes before the reply is whole. */
const closedSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  if (raw.destroyed) controller.abort();
  return controller.signal;
};
