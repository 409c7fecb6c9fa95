import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCredentials } from '../authentication.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';
import { readJson } from '../json-body.ts';
import type { Workspace } from '../state.ts';
import { healthRoutes } from './health.ts';
import { leadRoutes } from './leads.ts';
import { outboxRoutes } from './outbox.ts';
import { resetRoutes } from './reset.ts';
import { AdminError, type AdminReply, type AdminRoute } from './route.ts';
import { checkCaller, checkMediaType } from './safety.ts';
import { templateRoutes } from './templates.ts';

// A noun, a file. `state`, `requests`, `faults`, `clock`, `answers` and `events` join here.
const routes: readonly AdminRoute[] = [
  ...healthRoutes,
  ...resetRoutes,
  ...outboxRoutes,
  ...templateRoutes,
  ...leadRoutes,
];

/** The control plane, under `/__admin`. No CORS here: see `safety.ts` for who may call it. */
export const registerAdmin = async (admin: FastifyInstance, context: Context): Promise<void> => {
  admin.removeAllContentTypeParsers();
  admin.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) =>
    readJson(request, bytes as Buffer, done),
  );
  admin.addHook('onRequest', (request, _reply, done) => {
    checkCaller(request.headers, context.allowedHosts, context.allowedOrigins);
    checkMediaType(request.headers);
    done();
  });
  admin.setErrorHandler((error, request, reply) => refuse(error as Error, request, reply));
  admin.setNotFoundHandler((request, reply) =>
    refuse(
      new AdminError(
        404,
        `there is no ${request.method} ${request.url}`,
        `The admin API has ${paths.join(', ')}.`,
      ),
      request,
      reply,
    ),
  );
  for (const { method, path, run } of routes) {
    admin.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { params, query, body } = request as {
          params: Record<string, string>;
          query: Record<string, string>;
          body: unknown;
        };
        return send(
          reply,
          await run({ workspace: workspaceOf(request, context), params, query: flat(query), body, context }),
        );
      },
    });
  }
};

const paths = [...new Set(routes.map(({ path }) => `/__admin${path.replace(/\/:.*/, '/…')}`))];

/** Chosen by the header or by `?key=`; without either the workspace of the key the mock prints. */
const workspaceOf = (request: FastifyRequest, { workspaces }: Context): Workspace => {
  const credentials = readCredentials(request.headers.authorization);
  const { key: queried } = request.query as { key?: string };
  const key = 'key' in credentials ? credentials.key : (queried ?? workspaces.exampleKey);
  if ('problem' in credentials && credentials.problem === 'malformed') {
    throw new AdminError(401, 'header/Authorization must be "Bearer <API_KEY>"', workspaces.rule);
  }
  if (!workspaces.accepts(key)) throw new AdminError(401, 'the key is not accepted', workspaces.rule);
  return workspaces.open(key);
};

const flat = (query: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? '') : value]),
  );

const send = (reply: FastifyReply, { status = 200, headers = {}, body }: AdminReply): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);

type Refused = Error & { readonly status?: number; readonly statusCode?: number; readonly hint?: string };

const refuse = (error: Refused, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const known = error instanceof AdminError || error instanceof ApiError;
  const status = (known ? error.status : error.statusCode) ?? (error instanceof ApiError ? 400 : 500);
  if (status >= 500) console.error(error);
  return reply
    .code(status)
    .send({ error: error.message, message: error.hint ?? 'See /__admin/openapi.json.' });
};
