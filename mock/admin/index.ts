import { validateHeaderValue } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { ApiError } from '../errors.ts';
import { readJson } from '../json-body.ts';
import { announcesNoBody } from '../media-type.ts';
import { createRedactor } from '../redaction.ts';
import { discardRest } from '../unread-body.ts';
import { pathOf } from '../unrouted.ts';
import type { Attempt } from '../workspaces.ts';
import { checkBody } from './body.ts';
import { isPreflight, pageHeaders } from './cors.ts';
import { isVisit } from './page.ts';
import { checkQuery, single } from './query.ts';
import { refusalOf } from './refusal.ts';
import { AdminError, type AdminReply, type AdminRoute } from './route.ts';
import { adminRoutes } from './routes.ts';
import { methodsAt, unrouted } from './routing.ts';
import { checkCaller, checkMediaType } from './safety.ts';
import { chooseWorkspace } from './workspace.ts';

const bodyLimit = 1024 * 1024;

/** The control plane, under `/__admin`. CORS for pages of `--allowed-origin` only: see `safety.ts` for who may call it. */
export const registerAdmin = async (admin: FastifyInstance, context: Context): Promise<void> => {
  admin.removeAllContentTypeParsers();
  admin.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) =>
    readJson(request, bytes as Buffer, done),
  );
  // Who calls → is there such a route → is the body JSON: judged before a body is read.
  admin.addHook('onRequest', (request, reply, done) => {
    if (answerCaller(request, reply, context)) return;
    // `/outbox/:id` would take `/outbox/wait` with a method that a wait has not, and `/outbox/` for the message with no name.
    if (request.is404 || !methodsAt(request.url, adminRoutes).includes(request.method))
      throw unrouted(request, adminRoutes);
    checkMediaType(request.headers);
    // Fastify would judge it once more, and its parameters, also where there is no body to label.
    request.headers['content-type'] = announcesNoBody(request.headers) ? undefined : 'application/json';
    done();
  });
  admin.setErrorHandler((error, request, reply) => refuse(error as Error, request, reply, context));
  admin.setNotFoundHandler((request, reply) =>
    refuse(unrouted(request, adminRoutes), request, reply, context),
  );
  for (const route of adminRoutes) serve(admin, route, context);
};

/** Answers a path that cannot be decoded, for which no hook runs. */
export const refuseUndecodable = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  { message, hint }: ApiError,
): void => {
  try {
    if (!answerCaller(request, reply, context))
      refuse(new AdminError(400, message, hint), request, reply, context);
  } catch (error) {
    refuse(error as Error, request, reply, context);
  }
};

/**
 * Judges who calls, and tells a browser what a page may do. True where that was all that was asked.
 * @throws AdminError 403 as `checkCaller` does
 */
const answerCaller = (
  { method, url, headers }: FastifyRequest,
  reply: FastifyReply,
  { allowedHosts, allowedOrigins }: Context,
): boolean => {
  checkCaller(headers, allowedHosts, allowedOrigins, isVisit(method, pathOf(url), headers));
  const forPage = pageHeaders(headers, allowedOrigins);
  reply.headers(forPage);
  if (!('access-control-allow-origin' in forPage && isPreflight(method, headers))) return false;
  void reply.code(204).send();
  return true;
};

const serve = (admin: FastifyInstance, route: AdminRoute, context: Context): void => {
  const { method, path, doc, run, holds = false, checksBody = false } = route;
  const reads = method === 'GET' || route.changesNothing === true;
  const use = holds ? 'open' : reads ? 'look' : 'attempt';
  admin.route({
    method,
    url: path,
    bodyLimit: route.bodyLimit ?? bodyLimit,
    // Asked for its headers only, a wait would hold all the same.
    ...(holds ? { exposeHeadRoute: false } : {}),
    handler: async (request, reply) => {
      const query = single(request.query as Record<string, string | string[]>);
      if (doc) {
        checkQuery(query, doc.query ?? {});
        if (!checksBody) await checkBody(doc, request.body);
      }
      let chosen: Attempt | undefined;
      const answer = () =>
        run({
          // On demand: health has none, and looking must not make one.
          get workspace() {
            chosen ??= chooseWorkspace(use, request.headers.authorization, query.key, context.workspaces);
            return chosen.workspace;
          },
          params: request.params as Record<string, string>,
          query,
          headers: request.headers as Record<string, string>,
          body: request.body,
          context,
          signal: () => goneSignal(reply),
        });
      return send(reply, await settled(answer, () => chosen));
    },
  });
};

/** What `run` returns in the end; a workspace that was made for a refusal is none. */
const settled = async <Value>(
  run: () => Value,
  chosen: () => Attempt | undefined,
): Promise<Awaited<Value>> => {
  try {
    const value = await run();
    chosen()?.keep();
    return value;
  } catch (error) {
    chosen()?.giveUp();
    throw error;
  }
};

/** Aborted when the connection closes before the reply is whole. */
const goneSignal = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  if (raw.destroyed) gone.abort();
  return gone.signal;
};

const send = (reply: FastifyReply, { status = 200, headers = {}, body }: AdminReply): FastifyReply => {
  // Fastify would find out when it is too late to say so in this API's words.
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
};

const refuse = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { workspaces: { secrets } }: Context,
): FastifyReply => {
  const { status, headers, what, hint, details } = refusalOf(
    error,
    request.routeOptions.bodyLimit ?? bodyLimit,
  );
  if (status >= 500 && !(error instanceof AdminError)) console.error(error);
  discardRest(request.raw);
  // What it quotes of the request may be a key that stood in a wrong place.
  const { message } = createRedactor(secrets, request.headers.authorization);
  return send(reply.removeHeader('connection'), {
    status,
    headers,
    body: { error: message(what), message: message(hint), ...details },
  });
};
