import {
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { codeOf, tlsHint, toRequestFailed } from '../client/errors.ts';
import { noResponse, type ObservedBody, type ObservedExchange } from '../traffic/exchanges/observed.ts';
import { type Capture, captureBody } from './capture.ts';
import { createAgents, createOverlaps } from './connections.ts';
import { type Enforcement, type Held, hold, type ObservedRequest, release } from './enforce.ts';
import { eachHeader, has, requestHeaders, responseHeaders } from './headers.ts';
import { respond } from './own-response.ts';

/** Longest header section, in both directions. */
export const maxHeaderSize = 128 * 1024;

export type ForwardOptions = {
  /** Where requests go: origin, and perhaps a path before that of the request. */
  readonly upstream: URL;
  /** Takes in every exchange once its response has come; says why it must not pass, where that is enforced. */
  readonly onExchange: (observed: ObservedExchange) => string | undefined;
  /** Judges requests and responses before they pass. Without it nothing is held back. */
  readonly enforcement?: Enforcement | undefined;
};

export type Forward = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Passes requests on to the upstream and responses back, byte for byte as they stream, with a bounded copy of both for
 * whoever judges them. Follows no redirect, adds no field, and answers itself only where nothing else does.
 */
export const createForward = ({ upstream, onExchange, enforcement }: ForwardOptions): Forward => {
  const secure = upstream.protocol === 'https:';
  const agentFor = createAgents(secure);
  const beginOverlap = createOverlaps();
  const prefix = upstream.pathname.replace(/\/+$/, '');
  const send = secure ? requestHttps : requestHttp;

  const open = (req: IncomingMessage, target: string): ClientRequest => {
    const headers = requestHeaders(req.rawHeaders, upstream.host);
    const hasBody = has(headers, 'content-length') || has(headers, 'transfer-encoding');
    // Without either there is no body (RFC 9112, 6.3); Node.js would send an empty one in chunks.
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
      // Names and numbers that TLS is asked for are those of the upstream.
      ...(secure ? { servername: upstream.hostname.replace(/^\[|\]$/g, '') } : {}),
    });
  };

  return (req, res) => {
    const startedAt = Date.now();
    const target = targetOf(req);
    const overlap = beginOverlap(target.split('?', 1)[0] ?? '');
    const sent = captureBody(req);
    let settled = false;

    const settle: Settle = (response, body) => {
      if (settled) return undefined;
      settled = true;
      const problem = onExchange({
        method: req.method ?? '',
        target,
        requestHeaders: req.headers,
        requestBody: bodyOf(req, sent),
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

    const request = (): ObservedRequest => ({
      method: req.method ?? '',
      target,
      requestHeaders: req.headers,
      requestBody: bodyOf(req, sent),
    });

    const pass = (held?: Held): void => {
      const outgoing = open(req, target);
      outgoing.on('continue', () => res.writeContinue());
      outgoing.on('information', ({ statusCode, rawHeaders }) =>
        passInformation(res, statusCode, rawHeaders),
      );
      outgoing.on('response', (response) => {
        try {
          if (held) passJudged(req, res, response, settle);
          else passResponse(req, res, response, settle);
        } catch (error) {
          // Fields that Node.js reads and does not write.
          response.resume();
          fail(outgoing, req, res, error as Error);
        }
      });
      outgoing.on('upgrade', (_response, socket) => socket.destroy());
      outgoing.on('error', (error) => {
        fail(outgoing, req, res, error);
        settle(undefined, { missing: `${noResponse} (${codeOf(error)})` });
      });
      res.on('close', () => {
        // The client has left, or everything has been said.
        if (!res.writableFinished) outgoing.destroy();
        settle(undefined, { missing: 'cut off before their end' });
      });
      req.on('error', () => outgoing.destroy());
      if (req.readableEnded) addTrailers(outgoing, req.rawTrailers);
      else req.once('end', () => addTrailers(outgoing, req.rawTrailers));
      if (held) release(held, req, outgoing);
      else req.pipe(outgoing);
    };

    if (!enforcement?.applies({ method: req.method ?? '', target })) {
      pass();
      return;
    }
    if (req.headers.expect !== undefined) res.writeContinue();
    hold(req).then((held) => {
      const problem = held.complete ? enforcement.refuse(request()) : undefined;
      if (problem === undefined) return pass(held);
      overlap.end();
      return respond(
        res,
        400,
        problem,
        'email-leads proxy --enforce did not send this request to the upstream.',
      );
    });
  };
};

type Settle = (response: IncomingMessage | undefined, body: ObservedBody) => string | undefined;

/** A request target without the host that an absolute one names. */
export const targetOf = ({ url = '/' }: IncomingMessage): string => {
  if (url.startsWith('/') || url === '*') return url;
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
};

const bodyOf = (req: IncomingMessage, sent: Capture): ObservedBody =>
  has(req.rawHeaders, 'content-length') || has(req.rawHeaders, 'transfer-encoding')
    ? sent.body()
    : { bytes: Buffer.alloc(0) };

const passInformation = (res: ServerResponse, status: number, rawHeaders: readonly string[]): void => {
  if (status === 102) res.writeProcessing();
  if (status !== 103) return;
  const fields: Record<string, string[]> = {};
  for (const [name, value] of eachHeader(rawHeaders)) {
    const lower = name.toLowerCase();
    fields[lower] = [...(fields[lower] ?? []), value];
  }
  if (fields.link) res.writeEarlyHints(fields as { link: string[] });
};

const passResponse = (
  req: IncomingMessage,
  res: ServerResponse,
  response: IncomingMessage,
  settle: Settle,
): void => {
  const captured = captureBody(response);
  writeHead(req, res, response);
  // A stream of events begins with silence: its headers go out before the first byte of the body does.
  let begun = false;
  response.once('data', () => {
    begun = true;
  });
  setImmediate(() => begun || res.writableEnded || res.flushHeaders());
  response.once('end', () => {
    addTrailers(res, response.rawTrailers);
    settle(response, captured.body());
  });
  // A body that breaks off must not look complete.
  response.once('error', () => res.destroy());
  response.once('aborted', () => res.destroy());
  response.pipe(res);
};

/** The response once it is judged, or what is wrong with it. */
const passJudged = (
  req: IncomingMessage,
  res: ServerResponse,
  response: IncomingMessage,
  settle: Settle,
): void => {
  const captured = captureBody(response);
  response.once('error', () => res.destroy());
  hold(response).then((held) => {
    const problem = held.complete ? settle(response, captured.body()) : undefined;
    if (problem !== undefined)
      return respond(
        res,
        502,
        problem,
        'email-leads proxy --enforce holds back responses that break a documented fact.',
      );
    writeHead(req, res, response);
    response.once('end', () => settle(response, captured.body()));
    return release(held, response, res);
  });
};

const writeHead = (req: IncomingMessage, res: ServerResponse, response: IncomingMessage): void => {
  const status = response.statusCode ?? 502;
  const hasBody = req.method !== 'HEAD' && status !== 204 && status !== 304;
  res.sendDate = false;
  res.writeHead(
    status,
    response.statusMessage ?? '',
    responseHeaders(response.rawHeaders, req.httpVersion, hasBody),
  );
};

const addTrailers = (message: ClientRequest | ServerResponse, raw: readonly string[]): void => {
  if (raw.length > 0) message.addTrailers(eachHeader(raw));
};

/** Nothing came from the upstream: on a connection that was used before, the client sees it closed, as it would without a proxy. */
const fail = (outgoing: ClientRequest, req: IncomingMessage, res: ServerResponse, error: Error): void => {
  if (res.headersSent || res.destroyed || outgoing.reusedSocket) {
    res.destroy();
    return;
  }
  req.unpipe(outgoing);
  req.resume();
  const { kind, message } = toRequestFailed(error, 'the upstream');
  respond(
    res,
    502,
    `the upstream gave no response: ${codeOf(error)}`,
    `email-leads proxy could not get a response for this request. ${message}: ${
      kind === 'tls' ? tlsHint(message) : 'check --upstream and whether that server runs'
    }.`,
  );
};
