import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { readJson } from '../json-body.ts';
import { discardRest } from '../unread-body.ts';
import { allowed, pathOf } from '../unrouted.ts';
import { answerRoutes } from './answers.ts';
import { healthRoutes } from './health.ts';
import { leadRoutes } from './leads.ts';
import { outboxRoutes } from './outbox.ts';
import { isVisit, pageRoutes } from './page.ts';
import { previewRoutes } from './previews.ts';
import { refusalOf } from './refusal.ts';
import { resetRoutes } from './reset.ts';
import { AdminError, type AdminReply, type AdminRoute } from './route.ts';
import { checkCaller, checkMediaType } from './safety.ts';
import { templateRoutes } from './templates.ts';
import { chooseWorkspace } from './workspace.ts';
import { workspaceRoutes } from './workspaces.ts';

// A noun, a file. `state`, `requests`, `faults`, `clock` and `events` join here.
const routes: readonly AdminRoute[] = [
  ...healthRoutes,
  ...resetRoutes,
  ...outboxRoutes,
  ...templateRoutes,
  ...leadRoutes,
  ...answerRoutes,
  ...workspaceRoutes,
  ...previewRoutes,
  ...pageRoutes,
];

const bodyLimit = 1024 * 1024;

/** The control plane, under `/__admin`. No CORS here: see `safety.ts` for who may call it. */
export const registerAdmin = async (admin: FastifyInstance, context: Context): Promise<void> => {
  admin.removeAllContentTypeParsers();
  admin.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) =>
    readJson(request, bytes as Buffer, done),
  );
  // Who calls → is there such a route → is the body JSON: judged before a body is read.
  admin.addHook('onRequest', (request, _reply, done) => {
    const visit = isVisit(request.method, pathOf(request.url), request.headers);
    checkCaller(request.headers, context.allowedHosts, context.allowedOrigins, visit);
    if (request.is404) throw unrouted(request);
    checkMediaType(request.headers);
    done();
  });
  admin.setErrorHandler((error, request, reply) => refuse(error as Error, request, reply));
  admin.setNotFoundHandler((request, reply) => refuse(unrouted(request), request, reply));
  for (const route of routes) serve(admin, route, context);
};

const serve = (admin: FastifyInstance, { method, path, run }: AdminRoute, context: Context): void => {
  admin.route({
    method,
    url: path,
    bodyLimit,
    handler: async (request, reply) => {
      const query = flat(request.query as Record<string, string | string[]>);
      const asked = await run({
        // On demand: health has none, and looking must not make one.
        get workspace() {
          return chooseWorkspace(
            request.method,
            request.headers.authorization,
            query.key,
            context.workspaces,
          );
        },
        params: request.params as Record<string, string>,
        query,
        headers: request.headers as Record<string, string>,
        body: request.body,
        context,
      });
      return send(reply, asked);
    },
  });
};

/** A repeated parameter counts once: the first. */
const flat = (query: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? '') : value]),
  );

const send = (reply: FastifyReply, { status = 200, headers = {}, body }: AdminReply): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);

const refuse = (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, headers, what, hint } = refusalOf(error, bodyLimit);
  if (status >= 500) console.error(error);
  discardRest(request.raw);
  return send(reply.removeHeader('connection'), { status, headers, body: { error: what, message: hint } });
};

const listed = [...new Set(routes.map(({ path }) => `/__admin${path.replaceAll(/:(\w+)/g, '{$1}')}`))];

/** 405 with `Allow` where the path exists, else 404 with the paths there are. The query stays out: it may hold a key. */
const unrouted = ({ method, url }: FastifyRequest): AdminError => {
  const path = pathOf(url);
  const methods = routes
    .filter((route) => new RegExp(`^/__admin${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    .map((route) => route.method);
  if (methods.length === 0)
    return new AdminError(404, `there is no ${path}`, `The admin API has ${listed.join(', ')}.`);
  const allow = allowed(methods).replace(', OPTIONS', '');
  return new AdminError(405, `${path} has no ${method}`, `It has ${allow}.`, { allow });
};
