import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../client/transport.ts';
import { createAdmin, isAdminPath } from './admin.ts';
import { createForward, type ForwardOptions, maxHeaderSize } from './forward.ts';
import type { LiveView } from './live-view.ts';
import { refuseToForward, respond } from './responses.ts';

export type ProxyOptions = ForwardOptions & {
  readonly host: string;
  readonly port: number;
  /** Names beside those of this machine under which the proxy may be called. */
  readonly allowedHosts: readonly string[];
  /** Answers `/__admin/report`: the report so far, or the last one. */
  readonly onReport: (method: 'GET' | 'POST') => Promise<object>;
  /** What people see of the exchanges while they pass. */
  readonly liveView?: LiveView;
};

export type RunningProxy = {
  /** Base URL of the proxy. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts a proxy in front of one upstream. @throws where it cannot listen */
export const startProxy = async (options: ProxyOptions): Promise<RunningProxy> => {
  const { host, port, allowedHosts } = options;
  const forward = createForward(options);
  const admin = createAdmin(options);
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const problem = hostProblem(req, [...allowedHosts, host]);
    if (problem !== undefined)
      respond(res, 421, problem, `Start email-leads proxy with --allowed-host NAME if this is meant.`);
    else if (/^websocket$/i.test(req.headers.upgrade ?? '')) refuseUpgrade(res);
    else if (isAdminPath(req.url)) answerAdmin(req, res);
    else passOn(req, res);
  };
  const answerAdmin = (req: IncomingMessage, res: ServerResponse): void => {
    admin(req, res).catch((error: Error) => {
      if (res.headersSent) res.destroy();
      else respond(res, 500, 'the proxy failed', `email-leads proxy could not answer: ${error.message}`);
    });
  };
  const passOn = (req: IncomingMessage, res: ServerResponse): void => {
    try {
      forward(req, res);
    } catch (error) {
      refuseToForward(res, error as Error, 'request');
    }
  };
  const server = createServer(
    { maxHeaderSize, requestTimeout: 0, keepAliveTimeout: 65_000, joinDuplicateHeaders: false },
    handle,
  );
  server.timeout = 0;
  // Whether the body is wanted is for the upstream to say.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  server.on('clientError', refuseMalformed);
  server.on('connect', (_req, socket: Duplex) =>
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n'),
  );
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return { url: `http://${name}:${address.port}`, close: () => closeServer(server) };
};

/** Where the live view is: for this machine only. A proxy for all addresses of the machine has it under this one too. */
export const liveAddress = (host: string, url: string): string | undefined => {
  if (isLoopback(new URL(url).hostname)) return `${url}/__proxy/ui/`;
  return host === '0.0.0.0' || host === '::'
    ? `http://127.0.0.1:${new URL(url).port}/__proxy/ui/`
    : undefined;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** A page of another site that gave its own name to this machine's address must not reach the upstream through it. */
const hostProblem = (
  { headers, url = '' }: IncomingMessage,
  allowed: readonly string[],
): string | undefined => {
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  for (const host of [headers.host ?? '', ...(named === undefined ? [] : [named])]) {
    const name = host.replace(/:\d+$/, '').toLowerCase();
    const isKnown = name === '' || isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
    if (!isKnown && !allowed.some((candidate) => candidate.toLowerCase() === name))
      return `the proxy does not answer to the host name ${JSON.stringify(name.slice(0, 100))}`;
  }
  return undefined;
};

const refuseUpgrade = (res: ServerResponse): void =>
  respond(
    res,
    501,
    'the proxy passes on no WebSocket',
    'email-leads proxy forwards HTTP requests only; connect to the upstream itself.',
  );

/** What is no HTTP, or says in two ways how long it is (RFC 9112, 6.3): it must not reach the upstream. */
const refuseMalformed = (error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({
    success: false,
    error: `the request cannot be forwarded: ${error.code ?? 'malformed'}`,
    message: 'email-leads proxy forwards well-formed HTTP only, with one length for each body.',
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};
