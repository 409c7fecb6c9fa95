import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import manifest from '../../package.json' with { type: 'json' };
import type { Admin, CheckAdminReply } from '../admin/admin.ts';
import { copyOf } from '../contract/document.ts';
import { answersFrom } from '../contract/profile.ts';
import { imitatedAmong, resolveAnswers } from '../contract/questions.ts';
import { describeListenError, describeReadError } from '../contract/system-errors.ts';
import type { Answers } from '../generated/questions.ts';
import type { StateDocument } from '../nouns/state.ts';
import { startTimer, stopTimer } from '../runtime/timers.ts';
import { createFetch, type MockFetch } from '../service/fetch.ts';
import { createLog, createNotice } from '../service/log.ts';
import type { CheckReply } from '../service/request.ts';
import { type AppOptions, type Context, createContext, createService } from '../service/service.ts';
import { limits } from '../store/store.ts';
import { readProfile } from '../validation/profile.ts';
import type { Workspaces } from '../workspace/registry.ts';
import { checkState } from '../workspace/state.ts';
import { createListener } from './node.ts';
import type { MockOptions } from './options.ts';
import { logTlsErrors, respondToParserError } from './protocol-errors.ts';
import { versionOf, watchSeed } from './seed-watch.ts';

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

/** For the mock's own tests: checks every response. */
export type Checks = { readonly reply: CheckReply; readonly adminReply: CheckAdminReply };

/** @throws Error with `code: 'EADDRINUSE'` if the port is in use, and for an invalid seed, state, profile or answer */
export const startServer = async (options: MockOptions, checks?: Checks): Promise<MockServer> => {
  const { seed, watch = false, state, profile, log: style = 'silent', ...settings } = options;
  if (watch && typeof seed !== 'string') throw new Error('to watch a seed it must be a file: --seed FILE');
  const answers = resolveAnswers({
    ...(profile === undefined ? {} : imitatedAmong(answersFrom(readProfile(profile)))),
    ...options.answers,
  });
  const write = (text: string): void => void process.stdout.write(text);
  const log = createLog(style, write, options.acceptKeys);
  const tls = readTls(options);
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
  const service = createService(context, checks?.reply);
  // Built on its first request, which keeps the start short.
  let admin: Promise<Admin> | undefined;
  const getAdmin = (): Promise<Admin> => {
    admin ??= import('../admin/admin.ts').then(({ createAdmin }) => createAdmin(context, checks?.adminReply));
    return admin;
  };
  const listener = createListener(context, service, getAdmin);
  const server = createServer(context, tls, listener);
  const address = await listen(server, options);
  try {
    await stateFile?.keep();
  } catch (error) {
    server.close();
    throw error;
  }
  const endWatch =
    watch && typeof seed === 'string' ? watchSeed(seed, workspaces, createNotice(style, write)) : undefined;
  const close = async (): Promise<void> => {
    endWatch?.();
    await closeServer(server, workspaces);
    await stateFile?.close();
  };
  return { ...address, workspaces, fetch: createFetch(service, context), answers, close };
};

// Time to send the final responses to open waits.
const flushMs = 30;

type Tls = { readonly cert: Buffer; readonly key: Buffer };

const createServer = (context: Context, tls: Tls | undefined, listener: RequestListener): Server => {
  const options = {
    // The mock sends its own error response, where the header is required: Node.js would answer without a body.
    requireHostHeader: false,
    requestTimeout: 60_000,
    // Longer than clients keep a connection: it must not close just as one of them uses it again.
    keepAliveTimeout: 72_000,
  };
  const server = tls ? createHttps({ ...tls, ...options }, listener) : createHttp(options, listener);
  server.maxConnections = limits.connections;
  // Only their size is limited: by default, Node.js drops all header fields after about 1,000.
  server.maxHeadersCount = 0;
  logTlsErrors(server, context);
  return server.on('clientError', (error, socket) => respondToParserError(error, socket as Socket, context));
};

/**
 * Starts to listen.
 * @returns the port and the host to connect to
 * @throws Error with the `code` of the system and a readable reason
 */
const listen = async (server: Server, options: MockOptions): Promise<{ port: number; url: string }> => {
  const { host = '127.0.0.1', port = 0, unref = false } = options;
  if (unref) server.unref().on('connection', (socket) => socket.unref());
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw describeListenError(error as NodeJS.ErrnoException, host, port);
  }
  const { port: boundPort } = server.address() as AddressInfo;
  const scheme = options.tlsCert === undefined ? 'http' : 'https';
  return { port: boundPort, url: `${scheme}://${connectableHost(host)}:${boundPort}` };
};

/** Ends open waits and event streams, and then lets requests in progress finish, for a short time. */
const closeServer = async (server: Server, workspaces: Workspaces): Promise<void> => {
  const deadline = startTimer(() => server.closeAllConnections(), graceMs);
  // Node.js treats a connection as idle when its response is written, even if it is not sent yet.
  if (workspaces.close() > 0) await new Promise<void>((resolve) => startTimer(resolve, flushMs));
  await new Promise((resolve) => server.close(resolve));
  stopTimer(deadline);
};

/** The host to connect to, for a host to listen on. */
const connectableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

// The code that reads a file, with its library for YAML, is loaded only if there is one.
const loadSeed = async (seed: MockOptions['seed']): Promise<Pick<AppOptions, 'seed' | 'readChangedSeed'>> => {
  if (seed === undefined) return {};
  if (typeof seed !== 'string') return { seed: checkState(copyOf(seed)) };
  const { readSeed } = await import('./seed.ts');
  return { seed: readSeed(seed), readChangedSeed: createSeedReader(seed, readSeed) };
};

/** Reads the file again if it has changed since it was last accepted. A refused file is read again next time. */
const createSeedReader = (
  file: string,
  readSeed: (file: string) => StateDocument,
): NonNullable<AppOptions['readChangedSeed']> => {
  let version = versionOf(file);
  return (accept) => {
    const current = versionOf(file);
    if (current === version) return;
    accept(readSeed(file));
    version = current;
  };
};

/** @throws Error for a certificate without a key or a key without a certificate, and for an unreadable or invalid file */
const readTls = ({ tlsCert, tlsKey }: MockOptions): Tls | undefined => {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
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
