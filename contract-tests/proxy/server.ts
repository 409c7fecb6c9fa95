import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../../mock/contract/loopback.ts';
import { answerParserError } from '../../mock/server/connection.ts';
import { createAdmin, type Parts } from './admin.ts';
import { createForward, type ForwardOptions, maxHeaderSize } from './forward.ts';
import { isOwnPath, ownResponse, respond } from './responses.ts';

export type ProxyOptions = ForwardOptions &
  Parts & {
    readonly host: string;
    readonly port: number;
    /** Additional host names under which the proxy may be called. */
    readonly allowedHosts: readonly string[];
  };

export type RunningProxy = {
  /** Base URL of the proxy. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts a proxy for one upstream. @throws if it cannot listen */
export const startProxy = async (options: ProxyOptions): Promise<RunningProxy> => {
  const { host, port, allowedHosts } = options;
  const [forward, admin] = [createForward(options), createAdmin(options)];
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const stranger = foreignHost(req, [...allowedHosts, host]);
    if (stranger !== undefined) {
      const error = `the proxy does not accept the host name ${JSON.stringify(stranger)}`;
      respond(res, 421, error, 'Start email-leads proxy with --allowed-host NAME if this is meant.');
    } else if (/^websocket$/i.test(req.headers.upgrade ?? '')) {
      const hint = 'email-leads proxy forwards HTTP requests only; connect to the upstream itself.';
      respond(res, 501, 'the proxy does not forward WebSocket connections', hint);
    } else if (isOwnPath(req.url)) admin(req, res);
    else void forward(req, res);
  };
  const http = { maxHeaderSize, requestTimeout: 0, keepAliveTimeout: 65_000, joinDuplicateHeaders: false };
  const server = createServer(http, handle);
  server.timeout = 0;
  // Only their size is limited: by default, Node.js drops all header fields after about 1,000.
  server.maxHeadersCount = 0;
  server.on('clientError', refuseMalformed);
  server.on('connect', (_req, socket: Duplex) =>
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n'),
  );
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${name}:${address.port}`, close };
};

/** The address of the live view, which only this machine can use: the loopback address if the proxy listens on all. */
export const liveAddress = (host: string, url: string): string | undefined => {
  if (isLoopback(new URL(url).hostname)) return `${url}/__proxy/ui/`;
  return host === '0.0.0.0' || host === '::'
    ? `http://127.0.0.1:${new URL(url).port}/__proxy/ui/`
    : undefined;
};

/**
 * The host name of a request that is not one of this machine: a page of another site whose name resolves to this machine
 * (DNS rebinding) must not reach the upstream.
 */
const foreignHost = (
  { headers, url = '' }: IncomingMessage,
  allowed: readonly string[],
): string | undefined => {
  const known = allowed.map((name) => name.toLowerCase());
  return [headers.host ?? '', /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '']
    .map((host) => host.replace(/:\d+$/, '').toLowerCase().slice(0, 100))
    .find(
      (name) =>
        name !== '' && !isLoopback(name) && isIP(name.replace(/^\[|\]$/g, '')) === 0 && !known.includes(name),
    );
};

/** Refuses invalid HTTP, and requests with an ambiguous body length (RFC 9112, 6.3): they must not reach the upstream. */
const refuseMalformed = (problem: Error & { code?: string }, socket: Duplex): void => {
  const { code = 'malformed' } = problem;
  const [status, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, `The path and the headers may have ${maxHeaderSize} bytes: send shorter or fewer ones.`]
      : [400, 'email-leads proxy forwards well-formed HTTP only, with one length for each body.'];
  const error = `the request cannot be forwarded: ${code}`;
  const body = JSON.stringify({ success: false, error, message });
  const headers = { 'Content-Type': 'application/json', ...ownResponse };
  answerParserError(problem, socket, { status, headers, body });
};
