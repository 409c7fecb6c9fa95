import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import Fastify, { type FastifyInstance } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import type { CheckAdminReply } from '../admin/admin.ts';
import type { Admin } from '../admin/answer.ts';
import { copyOf } from '../contract/document.ts';
import { answersFrom, imitatedAmong, resolveAnswers } from '../contract/questions.ts';
import { describeListenError } from '../contract/system-errors.ts';
import { readTls } from '../contract/tls-files.ts';
import { checkState } from '../nouns/index.ts';
import { startTimer, stopTimer } from '../runtime/timers.ts';
import { createFetch } from '../service/fetch.ts';
import { createLog } from '../service/log.ts';
import type { MockOptions } from '../service/options.ts';
import type { Service } from '../service/request.ts';
import { type AppOptions, type Context, createContext, createService } from '../service/service.ts';
import { limits } from '../store/store.ts';
import { readProfile } from '../validation/profile.ts';
import { compilersFactory, registerDocs } from './docs.ts';
import { createListener, respondToParserError } from './node.ts';

// A process must stop within a second, also on a busy machine.
const graceMs = 300;

/** For the mock's own tests: checks every response. */
export type Checks = {
  readonly service: (service: Service, context: Context) => Service;
  readonly adminReply: CheckAdminReply;
};

/**
 * Starts a mock without the SDK: all that the command line needs, and faster to start.
 * @throws Error with `code: 'EADDRINUSE'` if the port is in use, and for an invalid seed, state, profile or answer
 */
export const startServer = async (options: MockOptions, checks?: Checks) => {
  const { seed, state, profile, log: style = 'silent', ...settings } = options;
  const answers = resolveAnswers({
    ...(profile === undefined ? {} : imitatedAmong(answersFrom(readProfile(profile)))),
    ...options.answers,
  });
  const log = createLog(style, (text) => void process.stdout.write(text), options.acceptKeys);
  const tls = readTls('--tls', { cert: options.tlsCert, key: options.tlsKey });
  const context = createContext({
    ...settings,
    answers,
    ...(await loadSeed(seed)),
    ...(tls ? { tls } : {}),
    version: manifest.version,
    ...(log ? { log } : {}),
  });
  const { workspaces } = context;
  const stateFile =
    state === undefined
      ? undefined
      : (await import('./state-file.ts')).loadStateFile(state, workspaces, options.acceptKeys);
  const service = createService(context);
  const app = await buildApp(context, checks?.service(service, context) ?? service, checks);
  const address = await listen(app, options);
  try {
    await stateFile?.keep();
  } catch (error) {
    await app.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    const deadline = startTimer(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    stopTimer(deadline);
    await stateFile?.close();
  };
  return {
    ...address,
    workspaces,
    /** Answers without a connection. */
    fetch: createFetch(service),
    close,
  };
};

// Time to send the final responses to open waits.
const flushMs = 30;

const httpOptions = {
  // The mock sends its own error response, where the header is required: Node.js would answer without a body.
  requireHostHeader: false,
  requestTimeout: 60_000,
  // Longer than clients keep a connection: it must not close just as one of them uses it again.
  keepAliveTimeout: 72_000,
};

/** The whole mock, ready to listen. */
const buildApp = async (context: Context, service: Service, checks?: Checks): Promise<FastifyInstance> => {
  const { tls } = context;
  // Built on its first request, which keeps the start short.
  let admin: Promise<Admin> | undefined;
  const getAdmin = (): Promise<Admin> => {
    admin ??= import('../admin/admin.ts').then(({ createAdmin }) => createAdmin(context, checks?.adminReply));
    return admin;
  };
  // A catch-all route of Fastify costs a fifth of the capacity (mock/README.md): its router and hooks take as long as the service.
  const serverFactory = (serveReference: RequestListener): Server => {
    const listener = createListener(context, service, getAdmin, serveReference);
    return tls ? createHttps({ ...tls, ...httpOptions }, listener) : createHttp(httpOptions, listener);
  };
  const app = Fastify({
    logger: false,
    // A request that arrived before closing is answered normally, not with Fastify's 503.
    return503OnClosing: false,
    schemaController: { compilersFactory },
    serverFactory,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => respondToParserError(error, socket, context),
  });
  const { server } = app;
  server.maxConnections = limits.connections;
  // Only their size is limited: by default, Node.js drops all header fields after about 1,000.
  server.maxHeadersCount = 0;
  await app.register(async (rest) => registerDocs(rest, context));
  // Ends open waits and event streams before the server waits for its connections.
  app.addHook('preClose', (done) => {
    const held = context.workspaces.close();
    // Node.js treats a connection as idle when its response is written, even if it is not sent yet.
    if (held > 0) startTimer(done, flushMs);
    else done();
  });
  return app;
};

/** Starts to listen, at a URL without a trailing slash. @throws Error with the `code` of the system and a readable reason */
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

// The code that reads a file, with its library for YAML, is loaded only if there is one.
const loadSeed = async (seed: MockOptions['seed']): Promise<Pick<AppOptions, 'seed' | 'readSeed'>> => {
  if (seed === undefined) return {};
  if (typeof seed !== 'string') return { seed: checkState(copyOf(seed)) };
  return { readSeed: (await import('./seed.ts')).createSeedReader(seed) };
};
