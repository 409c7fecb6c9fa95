import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import { undecodablePath } from '../api/error-response.ts';
import type { CheckResponse } from '../api/exchange.ts';
import { createFetch, type MockFetch } from '../api/fetch.ts';
import { copyOf } from '../contract/document.ts';
import { answersFrom, readProfile } from '../contract/profile.ts';
import { resolveAnswers } from '../contract/questions.ts';
import { describeListenError, describeReadError } from '../contract/system-errors.ts';
import type { Answers } from '../generated/questions.ts';
import { type AppOptions, type Context, createContext, createLog } from '../http/context.ts';
import { limits } from '../runtime/limits.ts';
import { startTimer, stopTimer } from '../runtime/timers.ts';
import { compilersFactory } from '../validation/request-body.ts';
import type { Workspaces } from '../workspace/registry.ts';
import type { StateDocument } from '../workspace/snapshot.ts';
import { registerDocs } from './docs.ts';
import { createLazyApp } from './lazy-app.ts';
import type { MockOptions } from './options.ts';
import {
  handleUnsupportedRequests,
  type Parts,
  rejectUndecodablePath,
  respondToParserError,
  sendErrorResponse,
  serveUnrouted,
} from './protocol-errors.ts';
import { answered, createServe, registerService } from './service.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For `startMock`, which uses them without HTTP. */
    workspaces: Workspaces;
    fetch: MockFetch;
  }
}

/** A listening mock without the SDK: all that the command line needs, and faster to start. */
export type MockServer = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly workspaces: Workspaces;
  /** Answers without a connection. */
  readonly fetch: MockFetch;
  /** The answers of workspaces without overrides. */
  readonly answers: Answers;
  readonly close: () => Promise<void>;
};

// A process must stop within a second, also on a busy machine.
const graceMs = 300;

/** For the mock's own tests: checks responses in hooks, and returns the check for the service, which bypasses hooks. */
type CheckReplies = (app: FastifyInstance, context: Context) => CheckResponse;

/** @throws Error with `code: 'EADDRINUSE'` if the port is in use, and for an invalid seed, profile or answer */
export const startServer = async (options: MockOptions, checkReplies?: CheckReplies): Promise<MockServer> => {
  const { acceptKeys = [] } = options;
  const answers = resolveAnswers({
    ...(options.profile === undefined ? {} : answersFrom(readProfile(options.profile))),
    ...options.answers,
  });
  const appOptions: AppOptions = {
    acceptKeys,
    answers,
    outboxLimit: options.outboxLimit ?? 1000,
    outboxBytes: options.outboxBytes,
    delay: options.delay ?? 0,
    ...(await loadSeed(options.seed)),
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    admin: options.admin ?? true,
    ...(options.tlsCert === undefined && options.tlsKey === undefined ? {} : { tls: readTls(options) }),
    version: manifest.version,
    log: createLog(options.log ?? 'silent', (text) => void process.stdout.write(text), acceptKeys),
  };
  const app = await buildApp(appOptions, checkReplies);
  const address = await listen(app, options);
  const close = async (): Promise<void> => {
    const deadline = startTimer(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    stopTimer(deadline);
  };
  return { ...address, workspaces: app.workspaces, fetch: app.fetch, answers, close };
};

const fastifyOptions = {
  logger: false,
  // Lead ids are opaque: a long one is unknown, not malformed.
  routerOptions: { maxParamLength: 16_384 },
  // A request that arrived before closing is answered normally, not with Fastify's 503.
  return503OnClosing: false,
  schemaController: { compilersFactory },
} as const;

// Time to send the final responses to open waits.
const flushMs = 30;

/** The whole mock, ready to listen or to be injected into. */
const buildApp = async (options: AppOptions, checkReplies?: CheckReplies): Promise<FastifyInstance> => {
  const context = createContext(options);
  const { workspaces } = context;
  const app = Fastify({
    ...fastifyOptions,
    // The mock sends its own error response, where the header is required: Node.js would answer without a body.
    ...(options.tls
      ? { https: { ...options.tls, requireHostHeader: false } as never }
      : { http: { requireHostHeader: false } }),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) =>
      void rejectUndecodablePath(request, reply, parts).catch((error) => reply.send(error)),
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
  const check = checkReplies?.(app, context);
  app.decorate('fetch', createFetch(context, check));
  const parts: Parts = {
    context,
    serve: createServe(context, check),
    admin: options.admin ? createLazyApp(app, () => buildAdmin(context, checkReplies)) : undefined,
  };
  // Before the body is read: an unknown path is a 404 whatever the body is.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) serveUnrouted(request, reply, parts).catch(done);
    else done();
  });
  app.setNotFoundHandler(answered);
  registerService(app, parts.serve);
  await app.register(async (rest) => registerDocs(rest, context));
  // Ends open waits and event streams before the server waits for its connections.
  app.addHook('preClose', (done) => {
    const held = workspaces.close();
    // Node.js treats a connection as idle when its response is written, even if it is not sent yet.
    if (held > 0) startTimer(done, flushMs);
    else done();
  });
  return app;
};

/** Builds the admin API, on its first request. */
const buildAdmin = async (context: Context, checkReplies?: CheckReplies): Promise<FastifyInstance> => {
  const { registerAdmin, rejectUndecodableAdminPath } = await import('../admin/index.ts');
  const { adminRoutes } = await import('../admin/routes/index.ts');
  const app = Fastify({
    ...fastifyOptions,
    frameworkErrors: (_error, request, reply) =>
      rejectUndecodableAdminPath(request, reply, context, undecodablePath),
  });
  checkReplies?.(app, context);
  await app.register(async (admin) => registerAdmin(admin, adminRoutes, context), { prefix: '/__admin' });
  await app.ready();
  return app;
};

/**
 * Starts to listen.
 * @returns the port and the host to connect to
 * @throws Error with the `code` of the system and a readable reason
 */
const listen = async (app: FastifyInstance, options: MockOptions): Promise<{ port: number; url: string }> => {
  const { host = '127.0.0.1', port = 0, unref = false } = options;
  if (unref) app.server.unref().on('connection', (socket) => socket.unref());
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw describeListenError(error as NodeJS.ErrnoException, host, port);
  }
  const address = app.server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  const scheme = options.tlsCert === undefined ? 'http' : 'https';
  return { port: boundPort, url: `${scheme}://${connectableHost(host)}:${boundPort}` };
};

/** The host to connect to, for a host to listen on. */
const connectableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

// The code that reads and validates a seed is loaded only if there is one.
const loadSeed = async (seed: MockOptions['seed']): Promise<Pick<AppOptions, 'seed' | 'readChangedSeed'>> => {
  if (seed === undefined) return {};
  if (typeof seed !== 'string') {
    const { checkState } = await import('../validation/snapshot.ts');
    return { seed: checkState(copyOf(seed)) };
  }
  const { readSeed } = await import('../validation/seed.ts');
  const readIfChanged = createSeedReader(seed, readSeed);
  return { seed: readSeed(seed), readChangedSeed: readIfChanged };
};

/** Reads the file again if it has changed since it was last accepted. A refused file is read again next time. */
const createSeedReader = (
  file: string,
  readSeed: (file: string) => StateDocument,
): NonNullable<AppOptions['readChangedSeed']> => {
  const versionOf = (): string => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats ? `${stats.mtimeMs} ${stats.size}` : '';
  };
  let version = versionOf();
  return (accept) => {
    const current = versionOf();
    if (current === version) return;
    accept(readSeed(file));
    version = current;
  };
};

/** @throws Error for a certificate without a key or a key without a certificate, and for an unreadable or invalid file */
const readTls = ({ tlsCert, tlsKey }: MockOptions): NonNullable<AppOptions['tls']> => {
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Error('a certificate needs its key, and a key its certificate: --tls-cert with --tls-key');
  const pair = { cert: readPem('certificate', tlsCert), key: readPem('key', tlsKey) };
  try {
    createSecureContext(pair);
  } catch (error) {
    // `error:0480006C:PEM routines::no start line`
    const reason = (error as Error).message.split('::').at(-1);
    throw new Error(`${tlsCert} and ${tlsKey} are not a certificate and its key in PEM: ${reason}`);
  }
  return pair;
};

const readPem = (what: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the ${what} ${describeReadError(file, error)}`);
  }
};
