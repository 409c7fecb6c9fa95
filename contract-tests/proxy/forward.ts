import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { pathOf } from '../../mock/contract/path-template.ts';
import type { Faults } from '../../mock/faults/faults.ts';
import { codeOf } from '../client/errors.ts';
import { type Gateway, noGateway, withGateway } from '../client/gateway.ts';
import {
  clientLeft,
  type Injected,
  isAuxiliary,
  isServicePath,
  mayReachService,
  noResponse,
  type ObservedBody,
  type ObservedExchange,
  type ObservedRequest,
} from '../traffic/exchanges/observed.ts';
import type { Refusal } from '../traffic/session.ts';
import { matchFault, sendFault, waitFor } from './faults.ts';
import {
  type HeldBody,
  holdBody,
  holdNothing,
  passHeld,
  refuseToForward,
  reportFailure,
  respond,
} from './responses.ts';

/** Maximum size of a header section in bytes, in both directions. */
export const maxHeaderSize = 128 * 1024;

export type ForwardOptions = {
  /** Target of the requests: the origin, and optionally a path before that of the request. */
  readonly upstream: URL;
  /** What a gateway in front of it wants. */
  readonly gateway?: Gateway | undefined;
  /** Called with every complete exchange; returns the reason for holding back the response, if that is enforced. */
  readonly onExchange: (observed: ObservedExchange) => string | undefined;
  /** Whether a request of the service must not be sent: the status and the reason of the error response. */
  readonly refuse?: ((request: ObservedRequest) => Refusal | undefined) | undefined;
  /** Which requests fail on the way, and how. */
  readonly faults: Faults;
};

type ResponseHead = Pick<IncomingMessage, 'statusCode' | 'headers'>;

/**
 * Forwards requests to the upstream and responses back without any change; those of the service when they are complete and judged.
 * Follows no redirect, adds no header field but those of the gateway, and responds itself only if there is no other response.
 */
export const createForward = (options: ForwardOptions) => {
  const { onExchange, refuse, faults } = options;
  const open = createOpen(options);
  const { pathname } = options.upstream;
  /** Of two requests for one path that are pending at the same time, the order of effect is unknown. */
  const pending = new Set<{ readonly path: string; overlaps: boolean }>();

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const startedAt = now();
    const target = targetOf(req);
    const { method = '', headers: requestHeaders } = req;
    const isEnforced = refuse !== undefined && !isAuxiliary(method) && mayReachService(target, pathname);
    // What else the upstream serves may be long or endless, such as a stream of events: nobody judges it.
    const isJudged = isEnforced || isServicePath(target);
    const hold = isJudged ? holdBody : holdNothing;
    const own = { path: pathOf(target), overlaps: false };
    for (const other of pending) if (other.path === own.path) own.overlaps = other.overlaps = true;
    pending.add(own);
    let part: 'request' | 'response' = 'request';
    try {
      const sent = await hold(req);
      const request: ObservedRequest = { method, target, requestHeaders, requestBody: sent.body };
      const record = (head: ResponseHead | undefined, responseBody: ObservedBody, injected?: Injected) =>
        onExchange({
          ...request,
          status: head?.statusCode ?? 0,
          responseHeaders: head?.headers ?? {},
          responseBody,
          startedAt,
          endedAt: now(),
          overlaps: own.overlaps,
          injected,
        });
      const fault = isJudged ? matchFault(faults, request) : undefined;
      const delayed = fault?.delayed;
      if (delayed) await waitFor(fault.delayMs, res);
      // The client has disconnected in the meantime.
      if (res.destroyed) return void record(undefined, { missing: clientLeft }, delayed);
      if (fault?.injected.effect === 'answered')
        return void record(...sendFault(fault, req, res), fault.injected);
      const refusal = isEnforced ? refuse(request) : undefined;
      if (refusal) {
        const { status, problem } = refusal;
        const notSent = { missing: 'refused by --enforce, not sent' };
        record({ statusCode: status, headers: {} }, notSent, { effect: 'refused', what: problem });
        // The rest of a long body would stop the connection.
        req.resume();
        const hint = 'email-leads proxy --enforce did not send this request to the upstream.';
        return respond(res, status, problem, hint);
      }
      const outgoing = open(req, target);
      // Also when the client has disconnected.
      res.once('close', () => outgoing.destroy());
      passHeld(sent, req, outgoing);
      const response = await responseTo(outgoing, res);
      if (response instanceof Error) {
        const missing = res.destroyed ? clientLeft : `${noResponse} (${codeOf(response)})`;
        record(undefined, { missing }, delayed);
        return reportFailure(res, response);
      }
      part = 'response';
      // Without an effect there is nothing to lose: an error response passes, as in the mock.
      const isLost = fault?.injected.effect === 'lost' && (response.statusCode ?? 0) < 400;
      const held = await hold(response);
      const problem = record(response, held.body, isLost ? fault.injected : delayed);
      if (res.destroyed) return;
      if (isLost) return void sendFault(fault, req, res);
      if (problem === undefined) return passResponse(response, held, res);
      const heldBack = 'email-leads proxy --enforce blocks responses that break a documented fact.';
      respond(res, 502, problem, heldBack);
    } catch (error) {
      // Node.js reads some messages that it refuses to write: invalid characters in header fields, statuses below 100.
      refuseToForward(res, error as Error, part);
    } finally {
      pending.delete(own);
    }
  };
};

/** Opens requests to the upstream. */
const createOpen = ({ upstream, gateway = noGateway }: ForwardOptions) => {
  const isSecure = upstream.protocol === 'https:';
  // A connection for each request: a kept one may be closed at the moment it is used again, after the request took effect.
  const agent = isSecure ? new TlsAgent({ ...gateway.tls }) : new Agent();
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  const send = isSecure ? requestHttps : requestHttp;

  return (req: IncomingMessage, target: string): ClientRequest => {
    const passed = endToEnd(req).filter(([name]) => name.toLowerCase() !== 'host');
    const headers = withGateway([['Host', upstream.host], ...passed], gateway).flat();
    // Without a length Node.js would send an empty body in chunks. Without either field there is none (RFC 9112, 6.3).
    const hasBody = ['content-length', 'transfer-encoding'].some((name) => name in req.headers);
    if (!hasBody && !/^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(req.method ?? ''))
      headers.push('Content-Length', '0');
    const outgoing = send({
      hostname,
      port: upstream.port,
      method: req.method,
      path: target === '*' ? '*' : prefix + target,
      headers: headers as unknown as Record<string, string>,
      agent,
      maxHeaderSize,
      // TLS must request the certificate of the upstream's host name.
      ...(isSecure ? { servername: hostname } : {}),
    });
    // Only their size is limited: by default, Node.js drops all header fields after about 1,000.
    outgoing.maxHeadersCount = 0;
    return outgoing;
  };
};

/** The response of the upstream, or why there is none. One that breaks off must not look complete to the client. */
const responseTo = (outgoing: ClientRequest, res: ServerResponse): Promise<IncomingMessage | Error> =>
  new Promise((resolve) => {
    // The upstream may switch protocols only if asked (RFC 9110, 7.8); the proxy sends no Upgrade header.
    const refuseSwitch = ({ socket }: IncomingMessage): void => {
      const error = new Error('it switched protocols without being asked');
      resolve(Object.assign(error, { code: 'UNSOLICITED_101' }));
      socket.destroy();
    };
    outgoing
      .on('response', (response) => {
        response.once('error', () => res.destroy());
        if (response.statusCode === 101) refuseSwitch(response);
        else resolve(response);
      })
      .on('upgrade', refuseSwitch)
      .on('error', resolve);
  });

/** Milliseconds since 1970, though the clock of the machine may be set meanwhile. */
const now = (): number => performance.timeOrigin + performance.now();

/** The request target without the host of an absolute one. */
const targetOf = ({ url = '/' }: IncomingMessage): string => {
  if (url.startsWith('/') || url === '*') return url;
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return target.startsWith('/') ? target : `/${target}`;
};

/** Fields that concern one connection only, and are not forwarded (RFC 9110, 7.6.1); trailers are not either. */
const hopByHop = /^(connection|keep-alive|proxy-connection|te|trailer|upgrade)$/;

/** Fields that are forwarded even if `Connection` names them. */
const always = /^(content-length|transfer-encoding|host|authorization)$/;

/**
 * The forwarded fields of a message, in their order and spelling. `Transfer-Encoding: chunked` is kept, because the body is
 * forwarded in chunks; fields named in `Connection` are removed with it.
 */
const endToEnd = ({ rawHeaders, headers: { connection = '' } }: IncomingMessage) => {
  const listed = connection.toLowerCase().split(',');
  const named = listed.map((name) => name.trim());
  return Array.from({ length: rawHeaders.length / 2 }, (_, at): [name: string, value: string] => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ]).filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.test(lower) && (always.test(lower) || !named.includes(lower));
  });
};

/** Passes a response on: what was held of it, then the rest as it comes. */
const passResponse = (response: IncomingMessage, held: HeldBody, res: ServerResponse): void => {
  // An HTTP/1.0 client does not support chunks: the end of the connection is the end of the body.
  const fields = endToEnd(response).filter(
    ([name]) => res.req.httpVersion !== '1.0' || !/^transfer-encoding$/i.test(name),
  );
  res.sendDate = false;
  res.writeHead(response.statusCode ?? 502, response.statusMessage ?? '', fields.flat());
  // An event stream begins without data; what has data already goes out with the header fields.
  if (!held.isWhole) setImmediate(() => res.flushHeaders());
  passHeld(held, response, res);
};
