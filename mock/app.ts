import Fastify, { type FastifyInstance } from 'fastify';
import { registerAdmin } from './admin/index.ts';
import { compilersFactory } from './compilers.ts';
import type { AppOptions, Context } from './context.ts';
import { answerOddRequests, answerUnparsable, refuseUnroutable } from './http-errors.ts';
import type { Answers } from './questions.ts';
import { registerReference } from './reference.ts';
import { sendRefusal } from './refusals.ts';
import { seedTemplates } from './seed.ts';
import { apiPrefix, registerService } from './service.ts';
import { stopwatch } from './state.ts';
import { createViews } from './view.ts';
import { createWorkspaces } from './workspaces.ts';

// Ids of leads are opaque: a long one is unknown, not malformed.
const maxParamLength = 16_384;

/** The whole mock, ready to listen or to be injected into. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const viewFor = createViews();
  const view = viewFor(options.answers);
  const workspaces = createWorkspaces({ ...options, seed: seedTemplates });
  const context: Context = { ...options, workspaces, view, viewFor, uptime: stopwatch() };

  const app = Fastify({
    logger: false,
    bodyLimit: bodyLimits[view.answers['limits.body-size']],
    routerOptions: { maxParamLength },
    // Refused in this mock's own words, and only where it matters: Node.js would answer without a body.
    http: { requireHostHeader: false },
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // A request that came in time is answered, not turned away with a 503 nobody asked for.
    return503OnClosing: false,
    schemaController: { compilersFactory },
    frameworkErrors: (error, request, reply) => refuseUnroutable(error, request, reply, context),
    clientErrorHandler: (error, socket) => answerUnparsable(error, socket, context),
  });
  answerOddRequests(app.server, context);
  app.decorateRequest('view', null);
  app.decorateRequest('workspace', null);
  app.setErrorHandler((error, request, reply) => sendRefusal(error as Error, request, reply, context));
  if (options.log) app.addHook('onResponse', options.log);
  if (options.validateReplies) {
    const { checkReplies } = await import('./reply-check.ts');
    checkReplies(app, context);
  }
  await app.register(async (service) => registerService(service, context), { prefix: apiPrefix });
  if (options.admin)
    await app.register(async (admin) => registerAdmin(admin, context), { prefix: '/__admin' });
  await app.register(async (rest) => registerReference(rest, context));
  return app;
};

const bodyLimits: Readonly<Record<Answers['limits.body-size'], number>> = {
  '1MiB': 1024 * 1024,
  '64KiB': 64 * 1024,
  '100KiB': 100 * 1024,
  // Unlimited for a client; still not a way to fill the memory of the machine.
  unlimited: 64 * 1024 * 1024,
};
