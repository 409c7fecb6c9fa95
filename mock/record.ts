import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCredentials } from './authentication.ts';
import type { Context } from './context.ts';
import { hold } from './hold.ts';
import type { Journal } from './journal.ts';
import { type Arrival, cutBody, type Why } from './journal-entry.ts';
import { elapsedMs } from './real-time.ts';
import type { Workspaces } from './workspaces.ts';

/** What the journal will want to know of a request, noted as it passes by. */
export const beginTrace = ({ method, url, raw }: FastifyRequest): Arrival => ({
  number: 0,
  operation: null,
  method,
  url,
  rawHeaders: raw.rawHeaders,
  sent: null,
  status: 0,
  headers: unknown,
  replied: null,
  why: null,
  at: 0,
  // When it came, until it is known how long it took.
  took: elapsedMs(),
});

// Until somebody says that he knows all that the reply carries.
const unknown = Object.freeze({});

/** Takes every reply down in the journal of the workspace, before the client can ask for it there; lets it wait before. */
export const recordReplies = (service: FastifyInstance, context: Context): void => {
  service.addHook('onSend', (request, reply, payload, done) => {
    if (request.wait === 0) {
      recordReply(request, reply, payload, context);
      return done(null, payload);
    }
    hold(request.wait, reply.raw, (gone) => {
      if (gone) recordGone(request, reply.statusCode, context);
      else recordReply(request, reply, payload, context);
      done(null, payload);
    });
  });
};

const recordReply = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  context: Context,
): void => {
  const known = request.trace?.headers ?? unknown;
  record(request, reply.statusCode, known === unknown ? reply.getHeaders() : known, payload, context);
};

const recordGone = (request: FastifyRequest, status: number, context: Context): void => {
  const { trace } = request;
  if (trace) {
    const before = trace.why === null ? '' : `${trace.why.what}; `;
    const what = `${before}the client closed the connection before the reply came, which would have been ${status}`;
    trace.why = { code: 'client_gone', what };
  }
  record(request, 0, {}, null, context);
};

/** Takes one request down. `status` 0 means that it got no reply. */
export const record = (
  request: FastifyRequest,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  payload: unknown,
  { workspaces }: Context,
): void => {
  const trace = request.trace ?? beginTrace(request);
  const { journal, clock } = request.workspace ?? owner(request.headers.authorization, workspaces);
  trace.status = status;
  trace.headers = headers;
  trace.replied = typeof payload === 'string' ? cutBody(payload) : null;
  trace.at = clock.ms();
  trace.took = elapsedMs() - trace.took;
  journal.add(trace);
};

type Owner = { readonly journal: Journal; readonly clock: { readonly ms: () => number } };

// A request that was refused before it was admitted belongs to the workspace of its key all the same; without an accepted
// key it belongs to nobody, and nobody is to find it among his own.
const owner = (header: string | undefined, workspaces: Workspaces): Owner => {
  const credentials = readCredentials(header);
  return 'key' in credentials && workspaces.accepts(credentials.key)
    ? workspaces.open(credentials.key)
    : { journal: workspaces.unclaimed, clock: workspaces.clock };
};

/** What never became a request of Fastify's: bytes that are not HTTP, a CONNECT, an Expect that cannot be met. */
export type Stray = {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders?: readonly string[];
  readonly headers?: { readonly authorization?: string | undefined };
};

/** Takes it down as nobody's, or as whose key it carries. Of bytes that are not HTTP none is kept: a key may be among them. */
export const recordStray = (
  { method, url, rawHeaders = [], headers }: Stray,
  reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
  why: Why,
  { workspaces }: Context,
): void => {
  const { journal, clock } = owner(headers?.authorization, workspaces);
  journal.add({
    number: 0,
    operation: null,
    method,
    url,
    rawHeaders,
    sent: null,
    status: reply.status,
    headers: reply.headers,
    replied: reply.body,
    why,
    at: clock.ms(),
    took: 0,
  });
};
