import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { codeOf, tlsHint, toRequestFailed } from '../client/errors.ts';
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
  const body = JSON.stringify({ success: false, error, message });
  // Explicit: otherwise an invalid one from the upstream could remain.
  const reason = STATUS_CODES[status] ?? '';
  const content = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  res.writeHead(status, reason, { ...content, ...ownResponse, ...corsHeaders(res.req) });
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

/** Responds where the upstream did not: after a closed connection, a client would repeat a request that may have taken effect. */
export const reportFailure = (res: ServerResponse, error: Error): void => {
  if (res.destroyed) return;
  // The rest of a long body would stop the connection.
  res.req.unpipe().resume();
  respond(res, 502, `the upstream gave no response: ${codeOf(error)}`, describeFailure(error));
};

const describeFailure = (error: Error): string => {
  const { kind, message } = toRequestFailed(error, 'email-leads proxy got no response from the upstream');
  if (kind === 'tls') return `${message}; ${tlsHint(message)}.`;
  if (kind === 'closed')
    return `${message}. The request may have taken effect; the proxy does not send it again.`;
  return `${message}; check --upstream and whether that server runs.`;
};

/** A body that is read before any of it is passed on. */
export type HeldBody = {
  /** The whole body, or its beginning. */
  readonly chunks: readonly Buffer[];
  readonly isWhole: boolean;
  readonly body: ObservedBody;
};

/** Reads a body up to the limit for checking. The stream of a longer one stays as it is then. */
export const holdBody = async (stream: IncomingMessage): Promise<HeldBody> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxJudgedBytes) return { chunks, isWhole: false, body: { missing: tooLarge } };
    }
  } catch {
    return { chunks, isWhole: false, body: { missing: 'cut off before the end' } };
  }
  return { chunks, isWhole: true, body: readObserved(Buffer.concat(chunks), stream.headers) };
};

/** For a body that is passed on as it comes. */
export const holdNothing = async (): Promise<HeldBody> => ({ chunks: [], isWhole: false, body: noBody });

/** Passes on what was held, then the rest of the stream. */
export const passHeld = ({ chunks, isWhole }: HeldBody, from: Readable, to: Writable): void => {
  for (const chunk of chunks) to.write(chunk);
  if (isWhole) to.end();
  else from.pipe(to);
};

/**
 * The fields that allow the requesting page to read the proxy's own response, even if it sends cookies: such a response only
 * explains an error and contains nothing that cookies protect. Responses of the upstream keep the upstream's fields.
 */
export const corsHeaders = ({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Email-Leads-Proxy',
        Vary: 'Origin',
      };
