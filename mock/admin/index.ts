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
  // Checks before a body is read: caller, route, media type.
  admin.addHook('onRequest', (request, reply, done) => {
    if (checkCallerAndPreflight(request, reply, context)) return;
    // `/outbox/:id` would also match `/outbox/wait` with a wrong method, and `/outbox/` with an empty id.
    if (request.is404 || !methodsAt(request.url, routes).includes(request.method))
      throw adminRouteError(request, routes);
    checkMediaType(request.headers);
    // The body of a state stays in memory while it waits for other imports, so it counts until the response is sent.
    if (!announcesNoBody(request.headers)) {
      const limit = request.routeOptions.bodyLimit ?? defaultBodyLimit;
      countBody(request.headers, limit, context.workspaces.transfers, reply.raw);
    }
    // Fastify would check the Content-Type again, with its parameters, even without a body.
    request.headers['content-type'] = announcesNoBody(request.headers) ? undefined : 'application/json';
    done();
  });
  admin.setErrorHandler((error, request, reply) => sendAdminError(error as Error, request, reply, context));
  admin.setNotFoundHandler((request, reply) =>
    sendAdminError(adminRouteError(request, routes), request, reply, context),
  );
  for (const route of routes) registerRoute(admin, route, context);
};

/** Answers a path that cannot be decoded. No hook runs for it. */
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
 * Checks the caller and answers a CORS preflight. Returns true for a preflight.
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
    // No HEAD route for a wait, which would keep the connection open all the same.
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
        // On demand: health needs no workspace, and reading must not create one. A workspace may be dropped while a route waits.
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

/** Aborted when the connection closes before the response is complete. */
const closedSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  if (raw.destroyed) controller.abort();
  return controller.signal;
};
