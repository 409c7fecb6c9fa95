import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { type Gateway, withGateway } from '../../mock/contract/gateway.ts';
import { codeOf, isReset, tlsHint, toRequestFailed } from '../client/errors.ts';
import {
  maxJudgedBytes,
  noBody,
  type ObservedBody,
  readObserved,
  tooLarge,
} from '../traffic/exchanges/observed.ts';

export const ownResponse = { 'Email-Leads-Proxy': 'own response' };

/** Whether the proxy answers this path itself. All other paths go to the upstream, which may be a mock with paths of its own. */
export const isOwnPath = (url = ''): boolean =>
  /^\/__admin\/(?:report$|faults(?:\?|$))|^\/__proxy(?:[/?]|$)/.test(url);

/**
 * Sends a response of the proxy itself, in the error format of the service. CORS headers let a page read it; otherwise its
 * console would report a CORS error, whatever the cause.
 */
export const respond = (res: ServerResponse, status: number, error: string, message: string): void => {
  sendJson(res, status, { success: false, error, message }, { ...ownResponse, ...corsHeaders(res.req) });
};

export const sendJson = (
  res: ServerResponse,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const body = JSON.stringify(content);
  // With an explicit reason: otherwise an invalid one from the upstream could remain.
  res.writeHead(status, STATUS_CODES[status] ?? '', {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  res.end(body);
};

/** Responds to a request or a response that Node.js refuses to forward. */
export const refuseToForward = (
  res: ServerResponse,
  { message }: Error,
  refused: 'request' | 'response',
): void => {
  if (res.headersSent) return void res.destroy();
  const status = refused === 'request' ? 400 : 502;
  respond(res, status, `the ${refused} cannot be forwarded`, `Node.js refuses to send it: ${message}`);
};

/** Passes a response on: what was held of it, then the rest as it comes. */
export const passResponse = (
  req: IncomingMessage,
  res: ServerResponse,
  response: IncomingMessage,
  held: HeldBody,
): void => {
  res.sendDate = false;
  const fields = responseHeaders(response.rawHeaders, req.httpVersion);
  res.writeHead(response.statusCode ?? 502, response.statusMessage ?? '', fields);
  // An event stream begins without data; what has data already goes out with the header fields.
  if (!held.isWhole) setImmediate(() => res.flushHeaders());
  passHeld(held, response, res);
};

/** Whether a client may repeat the request automatically (RFC 9110, 9.2.2). */
const isIdempotent = ({ method = '' }: IncomingMessage): boolean =>
  /^(GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/.test(method);

/**
 * Handles an upstream that sent no response. If it closed a reused connection, the connection may only have been idle for too
 * long: then the client sees its own connection closed, as without a proxy, and may repeat the request. Chromium and curl also
 * repeat a POST in this case, although the first one may have taken effect: a second one could send a mail twice. A request
 * that is not idempotent therefore always gets a response, which no client repeats automatically.
 * @returns what the client got in place of the upstream's response
 */
export const fail = (
  outgoing: ClientRequest,
  req: IncomingMessage,
  res: ServerResponse,
  error: Error,
): string => {
  const mayBeRepeated = outgoing.reusedSocket && isReset(error) && isIdempotent(req);
  if (res.headersSent || res.destroyed || mayBeRepeated) {
    res.destroy();
    return 'for which the proxy closed the connection';
  }
  req.unpipe(outgoing);
  req.resume();
  respond(res, 502, `the upstream gave no response: ${codeOf(error)}`, describeFailure(error));
  return 'for which the proxy responded';
};

const describeFailure = (error: Error): string => {
  const { kind, message } = toRequestFailed(error, 'email-leads proxy got no response from the upstream');
  if (kind === 'tls') return `${message}; ${tlsHint(message)}.`;
  if (kind === 'closed')
    return `${message}. The request may have taken effect; the proxy does not send it again.`;
  return `${message}; check --upstream and whether that server runs.`;
};

/** Why a body is unknown: its connection ended too early. */
export const cutOff = 'cut off before the end';

/** A body that is read before any of it is passed on. */
export type HeldBody = {
  /** The whole body, or its beginning. */
  readonly chunks: readonly Buffer[];
  readonly isWhole: boolean;
  readonly body: ObservedBody;
};

/** Reads a body up to the limit for checking; pauses the stream of a longer one. */
export const holdBody = (stream: IncomingMessage): Promise<HeldBody> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (isWhole: boolean): void => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      const unknown = { missing: size > maxJudgedBytes ? tooLarge : cutOff };
      const body = isWhole ? readObserved(Buffer.concat(chunks), stream.headers) : unknown;
      resolve({ chunks, isWhole, body });
    };
    const onEnd = (): void => done(true);
    const onClose = (): void => done(false);
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxJudgedBytes) return;
      stream.pause();
      done(false);
    };
    stream.on('data', onData).once('end', onEnd).once('close', onClose);
  });

/** For a body that is passed on as it comes. */
export const holdNothing = async (): Promise<HeldBody> => ({ chunks: [], isWhole: false, body: noBody });

/** Passes on what was held, then the rest of the stream. */
export const passHeld = ({ chunks, isWhole }: HeldBody, from: Readable, to: Writable): void => {
  for (const chunk of chunks) to.write(chunk);
  if (isWhole) to.end();
  else from.pipe(to);
};

/** Header fields as received: names and values alternate. */
type RawHeaders = readonly string[];

/** Fields that concern one connection only, and are not forwarded (RFC 9110, 7.6.1); trailers are not either. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

const eachHeader = (raw: RawHeaders): [name: string, value: string][] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const namesIn = (raw: RawHeaders, header: string): string[] =>
  eachHeader(raw)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());

/**
 * The forwarded fields, in their order and spelling. `Transfer-Encoding: chunked` is kept, because the body is forwarded in
 * chunks; fields named in `Connection` are removed with it.
 */
const endToEnd = (raw: RawHeaders): [name: string, value: string][] => {
  const named = new Set(
    namesIn(raw, 'connection').filter(
      (name) => !/^(content-length|transfer-encoding|host|authorization)$/.test(name),
    ),
  );
  return eachHeader(raw).filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && !named.has(lower);
  });
};

/** The request fields for the upstream, with its own host name in place of the proxy's and those of its gateway. */
export const requestHeaders = (raw: RawHeaders, host: string, gateway: Gateway): string[] => {
  const passed = endToEnd(raw).filter(([name]) => name.toLowerCase() !== 'host');
  return withGateway([['Host', host], ...passed], gateway).flat();
};

/** The fields of a response. An HTTP/1.0 client does not support chunks: the end of the connection is the end of the body. */
const responseHeaders = (raw: RawHeaders, version: string): string[] =>
  endToEnd(raw)
    .filter(([name]) => version !== '1.0' || !/^transfer-encoding$/i.test(name))
    .flat();

export const has = (raw: RawHeaders, name: string): boolean =>
  raw.some((field, index) => index % 2 === 0 && field.toLowerCase() === name);

type Fields = Readonly<Record<string, string>>;

/**
 * The fields that allow the requesting page to read the proxy's own response, even if it sends cookies: such a response only
 * explains an error and contains nothing that cookies protect. Responses of the upstream keep the upstream's fields.
 */
export const corsHeaders = ({ headers: { origin } }: IncomingMessage): Fields =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Email-Leads-Proxy',
        Vary: 'Origin',
      };
