import Fastify, { type FastifyInstance } from 'fastify';
import { registerAdmin } from '../admin/index.ts';
import { adminRoutes } from '../admin/routes/index.ts';
import type { CheckResponse } from '../api/exchange.ts';
import { createFetch, type MockFetch } from '../api/fetch.ts';
import { apiPrefix } from '../contract/in-force.ts';
import { type AppOptions, createContext } from '../http/context.ts';
import { limits } from '../runtime/limits.ts';
import { startTimer } from '../runtime/timers.ts';
import { compilersFactory } from '../validation/request-body.ts';
import type { Workspaces } from '../workspace/registry.ts';
import { registerDocs } from './docs.ts';
import {
  handleUnsupportedRequests,
  rejectUndecodablePath,
  respondToParserError,
  sendErrorResponse,
} from './protocol-errors.ts';
import { registerService } from './service.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For `startMock`, which works on them without HTTP. */
    workspaces: Workspaces;
    fetch: MockFetch;
  }
}

// Ids of leads are opaque: a long one is unknown, not malformed.
const maxParamLength = 16_384;

// For the last words to those who waited.
const flushMs = 30;

/** The whole mock, ready to listen or to be injected into. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const context = createContext(options);
  const { workspaces } = context;
  const app = Fastify({
    logger: false,
    routerOptions: { maxParamLength },
    // Refused in this mock's own words, and only where it matters: Node.js would answer without a body.
    ...(options.tls
      ? { https: { ...options.tls, requireHostHeader: false } as never }
      : { http: { requireHostHeader: false } }),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // A request that came in time is answered, not turned away with a 503 nobody asked for.
    return503OnClosing: false,
    schemaController: { compilersFactory },
    frameworkErrors: (error, request, reply) => rejectUndecodablePath(error, request, reply, context),
    clientErrorHandler: (error, socket) => respondToParserError(error, socket, context),
  });
  app.server.maxConnections = limits.connections;
  handleUnsupportedRequests(app.server, context);
  app.decorate('workspaces', workspaces);
  app.setErrorHandler((error, request, reply) => sendErrorResponse(error as Error, request, reply, context));
  const { log } = options;
  if (log)
    app.addHook('onResponse', ({ raw }, { statusCode, elapsedTime }, done) =>
      log(
        { method: raw.method ?? '', url: raw.url ?? '' },
        { statusCode, elapsedTime, why: context.reasons.get(raw) },
        done,
      ),
    );
  let check: CheckResponse | undefined;
  if (options.validateReplies) {
    const { validateResponses } = await import('./response-validation.ts');
    check = validateResponses(app, context);
  }
  app.decorate('fetch', createFetch(context, check));
  await app.register(async (service) => registerService(service, context, check), { prefix: apiPrefix });
  if (options.admin)
    await app.register(async (admin) => registerAdmin(admin, adminRoutes, context), { prefix: '/__admin' });
  await app.register(async (rest) => registerDocs(rest, context));
  // Before the server waits for its connections: who waits or watches would hold them.
  app.addHook('preClose', (done) => {
    const held = workspaces.close();
    // Node.js takes a connection for idle as soon as its reply is written, sent or not.
    if (held > 0) startTimer(done, flushMs);
    else done();
  });
  return app;
};
