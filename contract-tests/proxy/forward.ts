import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { codeOf } from '../client/errors.ts';
import {
  noResponse,
  type ObservedBody,
  type ObservedExchange,
  type ObservedRequest,
} from '../traffic/exchanges/observed.ts';
import { type BufferedBody, bufferBody, type Capture, captureBody, cutOff, sendBuffered } from './bodies.ts';
import { has, requestHeaders } from './headers.ts';
import {
  addTrailers,
  fail,
  passInformation,
  passJudged,
  passResponse,
  refuseLoop,
  refuseToForward,
  respond,
  type Settle,
} from './responses.ts';

/** Creates one upstream connection per client connection, so that both close together. */
const createAgents = (secure: boolean) => {
  const agents = new WeakMap<Socket, Agent>();
  return (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = secure
      ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  };
};

/** Tracks pending requests by path: the order of effect of two overlapping requests is unknown. */
const createOverlaps = () => {
  type Entry = { overlaps: boolean };
  const active = new Map<string, Set<Entry>>();
  return (path: string): { readonly overlaps: () => boolean; readonly end: () => void } => {
    const entries = active.get(path) ?? new Set<Entry>();
    active.set(path, entries);
    const entry: Entry = { overlaps: entries.size > 0 };
    for (const other of entries) other.overlaps = true;
    entries.add(entry);
    return {
      overlaps: () => entry.overlaps,
      end: () => {
        entries.delete(entry);
        if (entries.size === 0) active.delete(path);
      },
    };
  };
};

/**
 * The open connections to the upstream. If one of them arrives at the proxy, the upstream is the proxy itself. They are compared
 * by the addresses and ports of both ends, because the proxy must not add a header to requests.
 */
const createLoopDetector = () => {
  const outgoing = new Set<string>();
  const between = (...ends: readonly (string | number | undefined)[]): string =>
    ends.join(' ').replaceAll('::ffff:', '');
  return {
    watch: (request: ClientRequest): void => {
      request.once('socket', (socket) => {
        // A connection that is already open has been recorded.
        if (!socket.connecting) return;
        socket.once('connect', () => {
          const { localAddress, localPort, remoteAddress, remotePort } = socket;
          const connection = between(localAddress, localPort, remoteAddress, remotePort);
          outgoing.add(connection);
          socket.once('close', () => outgoing.delete(connection));
        });
      });
    },
    hasSent: ({ socket }: IncomingMessage): boolean => {
      const { localAddress, localPort, remoteAddress, remotePort } = socket;
      return outgoing.has(between(remoteAddress, remotePort, localAddress, localPort));
    },
  };
};

/** Maximum size of a header section in bytes, in both directions. */
export const maxHeaderSize = 128 * 1024;

/** Checks that run before a request or a response is forwarded. */
export type Enforcement = {
  /** Whether requests of this kind are checked first. */
  readonly applies: (request: Pick<ObservedRequest, 'method' | 'target'>) => boolean;
  /** The reason for refusing a request, or `undefined`. */
  readonly refuse: (request: ObservedRequest) => string | undefined;
};

export type ForwardOptions = {
  /** Target of the requests: the origin, and optionally a path before that of the request. */
  readonly upstream: URL;
  /** Called with every complete exchange; returns the reason for holding back the response, if that is enforced. */
  readonly onExchange: (observed: ObservedExchange) => string | undefined;
  /** Checks requests and responses before they are forwarded. Without it nothing is held back. */
  readonly enforcement?: Enforcement | undefined;
};

type Forward = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Forwards requests to the upstream and streams responses back without any change, with a limited copy of both for checks.
 * Follows no redirect, adds no header field, and responds itself only if there is no other response.
 */
export const createForward = ({ upstream, onExchange, enforcement }: ForwardOptions): Forward => {
  const secure = upstream.protocol === 'https:';
  const agentFor = createAgents(secure);
  const beginOverlap = createOverlaps();
  const loop = createLoopDetector();
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const send = secure ? requestHttps : requestHttp;

  const open = (req: IncomingMessage, target: string): ClientRequest => {
    const headers = requestHeaders(req.rawHeaders, upstream.host);
    const hasBody = has(headers, 'content-length') || has(headers, 'transfer-encoding');
    // Without either there is no body (RFC 9112, 6.3); Node.js would send an empty chunked one.
    if (!hasBody && !/^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(req.method ?? ''))
      headers.push('Content-Length', '0');
    return send({
      hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port,
      method: req.method,
      path: target === '*' ? '*' : prefix + target,
      headers: headers as unknown as Record<string, string>,
      agent: agentFor(req.socket),
      maxHeaderSize,
      // TLS must request the certificate of the upstream's host name.
      ...(secure ? { servername: upstream.hostname.replace(/^\[|\]$/g, '') } : {}),
    });
  };

  return (req, res) => {
    if (loop.hasSent(req)) return refuseLoop(res);
    const startedAt = Date.now();
    const target = targetOf(req);
    const overlap = beginOverlap(target.split('?', 1)[0] ?? '');
    const sent = captureBody(req);
    let settled = false;

    const request = (): ObservedRequest => ({
      method: req.method ?? '',
      target,
      requestHeaders: req.headers,
      requestBody: bodyOf(req, sent),
    });

    const settle: Settle = (response, body) => {
      if (settled) return undefined;
      settled = true;
      const problem = onExchange({
        ...request(),
        status: response?.statusCode ?? 0,
        responseHeaders: response?.headers ?? {},
        responseBody: body,
        startedAt,
        endedAt: Date.now(),
        overlaps: overlap.overlaps(),
      });
      overlap.end();
      return problem;
    };

    const pass = (buffered?: BufferedBody): void => {
      const outgoing = open(req, target);
      loop.watch(outgoing);
      outgoing.on('continue', () => res.writeContinue());
      outgoing.on('information', ({ statusCode, rawHeaders }) =>
        passInformation(res, statusCode, rawHeaders),
      );
      let begun: IncomingMessage | undefined;
      outgoing.on('response', (response) => {
        begun = response;
        // Node.js reads some responses that it refuses to write: invalid characters in header fields, statuses below 100.
        const giveUp = (error: Error): void => {
          response.resume();
          refuseToForward(res, error, 'response');
          settle(response, { missing: 'that Node.js refuses to forward' });
        };
        try {
          if (buffered) passJudged(req, res, response, settle).catch(giveUp);
          else passResponse(req, res, response, settle);
        } catch (error) {
          giveUp(error as Error);
        }
      });
      outgoing.on('upgrade', (_response, socket) => socket.destroy());
      outgoing.on('error', (error) => {
        const substitute = fail(outgoing, req, res, error);
        settle(begun, { missing: begun ? cutOff : `${noResponse} (${codeOf(error)}), ${substitute}` });
      });
      res.on('close', () => {
        // The client has disconnected, or the response is complete.
        if (!res.writableFinished) outgoing.destroy();
        settle(begun, { missing: begun ? cutOff : clientLeft });
      });
      req.on('error', () => outgoing.destroy());
      if (req.readableEnded) addTrailers(outgoing, req.rawTrailers);
      else req.once('end', () => addTrailers(outgoing, req.rawTrailers));
      if (buffered) sendBuffered(buffered, req, outgoing);
      else req.pipe(outgoing);
    };

    if (!enforcement?.applies({ method: req.method ?? '', target })) {
      pass();
      return;
    }
    if (req.headers.expect !== undefined) res.writeContinue();
    const judge = (buffered: BufferedBody): void => {
      // The client has disconnected in the meantime.
      if (res.destroyed) return void settle(undefined, { missing: clientLeft });
      const problem = buffered.complete ? enforcement.refuse(request()) : undefined;
      if (problem === undefined) return pass(buffered);
      overlap.end();
      const notSent = 'email-leads proxy --enforce did not send this request to the upstream.';
      respond(res, 400, problem, notSent);
    };
    bufferBody(req)
      .then(judge)
      .catch((error: Error) => refuseToForward(res, error, 'request'));
  };
};

const clientLeft = `${noResponse}, because the client left`;

/** The request target without the host of an absolute one. */
const targetOf = ({ url = '/' }: IncomingMessage): string => {
  if (url.startsWith('/') || url === '*') return url;
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
};

const bodyOf = (req: IncomingMessage, sent: Capture): ObservedBody =>
  has(req.rawHeaders, 'content-length') || has(req.rawHeaders, 'transfer-encoding')
    ? sent.body()
    : { bytes: Buffer.alloc(0) };
