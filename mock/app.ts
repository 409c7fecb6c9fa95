import Fastify, { type FastifyInstance } from 'fastify';
import { registerAdmin } from './admin/index.ts';
import { readCredentials } from './authentication.ts';
import { compilersFactory } from './compilers.ts';
import type { AppOptions, Context } from './context.ts';
import { answerOddRequests, answerUnparsable, refuseUnroutable } from './http-errors.ts';
import type { OwnAnswers } from './own-answers.ts';
import { startTimer } from './real-time.ts';
import { registerReference } from './reference.ts';
import { sendRefusal } from './refusals.ts';
import { seedTemplates } from './seed.ts';
import { apiPrefix, registerService } from './service.ts';
import { stopwatch } from './state.ts';
import { createViews } from './view.ts';
import { createWorkspaces, type Workspaces } from './workspaces.ts';

// Ids of leads are opaque: a long one is unknown, not malformed.
const maxParamLength = 16_384;

// For the last words to those who waited.
const flushMs = 30;

/** The whole mock, ready to listen or to be injected into. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const views = createViews(options.answers);
  const workspaces = createWorkspaces({
    ...options,
    seed: options.seed ?? {},
    templates: seedTemplates,
    idFormat: options.answers['lead.id-format'],
  });
  const context: Context = {
    ...options,
    workspaces,
    view: views.server,
    viewFor: ({ headers }) => views.of(answersNamed(headers.authorization, workspaces)),
    uptime: stopwatch(),
  };

  const app = Fastify({
    logger: false,
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
  app.decorate('workspaces', workspaces);
  app.decorateRequest('view', null);
  app.decorateRequest('workspace', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('takesBody', false);
  app.decorateRequest('wait', 0);
  app.decorateRequest('bare', false);
  app.decorateRequest('faultsDue', false);
  app.decorateRequest('faultAfter', null);
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
  // Before the server waits for its connections: who waits or watches would hold them.
  app.addHook('preClose', (done) => {
    const held = workspaces.end();
    // Node.js takes a connection for idle as soon as its reply is written, sent or not.
    if (held > 0) startTimer(done, flushMs);
    else done();
  });
  return app;
};

/** What the workspace a header names answers by itself. */
const answersNamed = (header: string | undefined, { answersOf }: Workspaces): OwnAnswers | undefined => {
  const credentials = readCredentials(header);
  return 'key' in credentials ? answersOf(credentials.key) : undefined;
};
