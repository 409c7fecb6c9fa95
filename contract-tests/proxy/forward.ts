import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { type Gateway, noGateway } from '../../mock/contract/gateway.ts';
import type { Faults } from '../../mock/faults/faults.ts';
import { codeOf } from '../client/errors.ts';
import {
  type Injected,
  isServicePath,
  noBody,
  noResponse,
  type ObservedBody,
  type ObservedExchange,
  type ObservedRequest,
} from '../traffic/exchanges/observed.ts';
import { type Injection, matchFault, sendFault, waitFor } from './faults.ts';
import {
  cutOff,
  fail,
  type HeldBody,
  has,
  holdBody,
  holdNothing,
  passHeld,
  passResponse,
  refuseToForward,
  requestHeaders,
  respond,
} from './responses.ts';

/** Marks requests for one path that are pending at the same time: the order in which they take effect is unknown. */
const createOverlaps = () => {
  const pending = new Set<{ readonly path: string; overlaps: boolean }>();
  return (path: string): { readonly overlaps: () => boolean; readonly end: () => void } => {
    const begun = { path, overlaps: false };
    for (const other of pending) if (other.path === path) begun.overlaps = other.overlaps = true;
    pending.add(begun);
    return { overlaps: () => begun.overlaps, end: () => void pending.delete(begun) };
  };
};

/** Maximum size of a header section in bytes, in both directions. */
export const maxHeaderSize = 128 * 1024;

/** Checks that run before a request or a response is forwarded. */
export type Enforcement = {
  /** Whether requests of this kind are checked first. */
  readonly applies: (request: Pick<ObservedRequest, 'method' | 'target'>) => boolean;
  /** The status and the reason for refusing a request, or `undefined`. */
  readonly refuse: (
    request: ObservedRequest,
  ) => { readonly status: number; readonly problem: string } | undefined;
};

export type ForwardOptions = {
  /** Target of the requests: the origin, and optionally a path before that of the request. */
  readonly upstream: URL;
  /** What a gateway in front of it wants. */
  readonly gateway?: Gateway | undefined;
  /** Called with every complete exchange; returns the reason for holding back the response, if that is enforced. */
  readonly onExchange: (observed: ObservedExchange) => string | undefined;
  /** Checks requests and responses before they are forwarded. Without it nothing is held back. */
  readonly enforcement?: Enforcement | undefined;
  /** Which requests fail on the way, and how. */
  readonly faults: Faults;
};

type ResponseHead = Pick<IncomingMessage, 'statusCode' | 'headers'>;

type Forward = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Forwards requests to the upstream and responses back without any change; those of the service when they are complete and judged.
 * Follows no redirect, adds no header field but those of the gateway, and responds itself only if there is no other response.
 */
export const createForward = ({
  upstream,
  gateway = noGateway,
  onExchange,
  enforcement,
  faults,
}: ForwardOptions): Forward => {
  const secure = upstream.protocol === 'https:';
  const agentFor = createAgents(secure, gateway.tls);
  const beginOverlap = createOverlaps();
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const send = secure ? requestHttps : requestHttp;

  const open = (req: IncomingMessage, target: string): ClientRequest => {
    const headers = requestHeaders(req.rawHeaders, upstream.host, gateway);
    // Without a length Node.js would send an empty body in chunks.
    if (!hasBody(headers) && !/^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(req.method ?? ''))
      headers.push('Content-Length', '0');
    const outgoing = send({
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
    // Only their size is limited: by default, Node.js drops all header fields after about 1,000.
    outgoing.maxHeadersCount = 0;
    return outgoing;
  };

  return (req, res) => {
    const startedAt = now();
    const target = targetOf(req);
    const { method = '' } = req;
    const overlap = beginOverlap(target.split('?', 1)[0] ?? '');
    const isEnforced = enforcement?.applies({ method, target }) === true;
    // What else the upstream serves may be long or endless, such as a stream of events: nobody judges it.
    const isJudged = isEnforced || isServicePath(target);
    const hold = isJudged ? holdBody : holdNothing;
    let requestBody = noBody;
    let settled = false;
    let injected: Injected | undefined;

    const request = (): ObservedRequest => ({ method, target, requestHeaders: req.headers, requestBody });

    /** Records the exchange once, with as much as was received. Returns why the response must be held back, if that is enforced. */
    const settle = (response: ResponseHead | undefined, responseBody: ObservedBody): string | undefined => {
      if (settled) return undefined;
      settled = true;
      const problem = onExchange({
        ...request(),
        status: response?.statusCode ?? 0,
        responseHeaders: response?.headers ?? {},
        responseBody,
        startedAt,
        endedAt: now(),
        overlaps: overlap.overlaps(),
        injected,
      });
      overlap.end();
      return problem;
    };

    /** Passes the response on when it was judged, or what the client gets in its place. */
    const answer = async (response: IncomingMessage, injection: Injection | undefined): Promise<void> => {
      // Without an effect there is nothing to lose: an error response passes, as in the mock.
      const lost = injection?.effect === 'lost' && (response.statusCode ?? 0) < 400 ? injection : undefined;
      if (lost) injected = effectOf(lost);
      // An incomplete body must not look complete.
      response.once('error', () => res.destroy());
      const held = await hold(response);
      if (res.headersSent || res.destroyed) return;
      const problem = settle(response, held.body);
      if (lost) return void sendFault(lost, req, res);
      if (problem === undefined) return passResponse(req, res, response, held);
      respond(
        res,
        502,
        problem,
        'email-leads proxy --enforce blocks responses that break a documented fact.',
      );
    };

    const pass = (held: HeldBody, injection: Injection | undefined): void => {
      const outgoing = open(req, target);
      let begun: IncomingMessage | undefined;
      outgoing.on('response', (response) => {
        if (response.statusCode === 101) return void outgoing.destroy(new UnsolicitedSwitch());
        begun = response;
        // Node.js reads some responses that it refuses to write: invalid characters in header fields, statuses below 100.
        answer(response, injection).catch((error: Error) => {
          response.resume();
          refuseToForward(res, error, 'response');
        });
      });
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        outgoing.emit('error', new UnsolicitedSwitch());
      });
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
      passHeld(held, req, outgoing);
    };

    const decide = async (): Promise<void> => {
      const held = await hold(req);
      requestBody = held.body;
      const injection = isJudged ? matchFault(faults, request()) : undefined;
      if (injection && injection.delayMs > 0) {
        injected = { effect: 'delayed', what: injection.what };
        await waitFor(injection.delayMs, res);
      }
      // The client has disconnected in the meantime.
      if (res.destroyed) return void settle(undefined, { missing: clientLeft });
      if (injection?.effect === 'answered') {
        injected = effectOf(injection);
        return void settle(...sendFault(injection, req, res));
      }
      const refusal = isEnforced ? enforcement.refuse(request()) : undefined;
      if (refusal === undefined) return pass(held, injection);
      overlap.end();
      // The rest of a long body would stop the connection.
      req.resume();
      const notSent = 'email-leads proxy --enforce did not send this request to the upstream.';
      respond(res, refusal.status, refusal.problem, notSent);
    };
    decide().catch((error: Error) => refuseToForward(res, error, 'request'));
  };
};

/** The upstream switched protocols, which it may do only if asked (RFC 9110, 7.8); the proxy sends no Upgrade header. */
class UnsolicitedSwitch extends Error {
  readonly code = 'UNSOLICITED_101';

  constructor() {
    super('it switched protocols without being asked');
  }
}

/** Milliseconds since 1970, though the clock of the machine may be set meanwhile. */
const now = (): number => performance.timeOrigin + performance.now();

/** Without the rule, which may contain personal data. */
const effectOf = ({ effect, what }: Injection): Injected => ({ effect, what });

const clientLeft = `${noResponse}, because the client left`;

/** The request target without the host of an absolute one. */
const targetOf = ({ url = '/' }: IncomingMessage): string => {
  if (url.startsWith('/') || url === '*') return url;
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return target.startsWith('/') ? target : `/${target}`;
};

/** Without either field there is no body (RFC 9112, 6.3). */
const hasBody = (headers: readonly string[]): boolean =>
  has(headers, 'content-length') || has(headers, 'transfer-encoding');

/** Creates one upstream connection per client connection, so that both close together. */
const createAgents = (secure: boolean, tls: Gateway['tls'] = {}) => {
  const agents = new WeakMap<Socket, Agent>();
  return (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = secure
      ? new TlsAgent({ ...tls, keepAlive: true, maxSockets: 1 })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(client, agent);
    client.once('close', () => agent.destroy());
    return agent;
  };
};
