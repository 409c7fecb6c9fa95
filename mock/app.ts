import Fastify, { type FastifyInstance } from 'fastify';
import { registerAdmin } from './admin/index.ts';
import { compilersFactory } from './compilers.ts';
import type { AppOptions, Context } from './context.ts';
import { ApiError } from './errors.ts';
import { answerUnparsable, refuseUnroutable } from './http-errors.ts';
import type { Answers } from './questions.ts';
import { registerReference } from './reference.ts';
import { pathOf, sendRefusal } from './refusals.ts';
import { seedTemplates } from './seed.ts';
import { apiPrefix, registerService } from './service.ts';
import { createViews } from './view.ts';
import { createWorkspaces } from './workspaces.ts';

// Ids of leads are opaque: a long one is unknown, not malformed.
const maxParamLength = 16_384;

/** The whole mock, ready to listen or to be injected into. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const viewFor = createViews();
  const view = viewFor(options.answers);
  const workspaces = createWorkspaces({ ...options, seed: seedTemplates });
  const context: Context = { ...options, workspaces, view, viewFor };

  const app = Fastify({
    logger: false,
    bodyLimit: bodyLimits[view.answers['limits.body-size']],
    routerOptions: { maxParamLength },
    // A missing Host header is refused in this mock's own words where it matters: under /__admin.
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory },
    frameworkErrors: (error, request, reply) => refuseUnroutable(error, request, reply, context),
    clientErrorHandler: (error, socket) => answerUnparsable(error, socket, context),
  });
  app.decorateRequest('view', null);
  app.decorateRequest('workspace', null);
  app.setErrorHandler((error, request, reply) => sendRefusal(error as Error, request, reply, context));
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(
      new ApiError(
        'route_not_found',
        `there is no ${request.method} ${pathOf(request.url)}`,
        `The service is under ${apiPrefix}.`,
      ),
      request,
      reply,
      context,
    ),
  );
  if (options.log) app.addHook('onResponse', options.log);
  if (options.validateReplies) {
    const { checkReplies } = await import('./reply-check.ts');
    checkReplies(app, context);
  }
  await app.register(async (service) => registerService(service, context), { prefix: apiPrefix });
  if (options.admin)
    await app.register(async (admin) => registerAdmin(admin, context), { prefix: '/__admin' });
  registerReference(app, context);
  return app;
};

const bodyLimits: Readonly<Record<Answers['limits.body-size'], number>> = {
  '1MiB': 1024 * 1024,
  '64KiB': 64 * 1024,
  '100KiB': 100 * 1024,
  // Unlimited for a client; still not a way to fill the memory of the machine.
  unlimited: 64 * 1024 * 1024,
};
