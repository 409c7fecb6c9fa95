import type { Context } from '../http/context.ts';
import { readCredentials } from '../http/credentials.ts';
import { elapsedMs } from '../runtime/timers.ts';
import type { Journal } from '../workspace/journal.ts';
import { cutBody, type Why } from '../workspace/journal-entry.ts';
import type { Workspaces } from '../workspace/registry.ts';
import { type Exchange, noHeaders, type Outcome, type ResponseHeaders } from './exchange.ts';

/** Records the outcome in the journal: the last step, after the delay and before the response is sent. */
export const record = (exchange: Exchange, outcome: Outcome): void => {
  if ('connectionFault' in outcome) return addEntry(exchange, 0, noHeaders, null);
  const { status, headers, body } = outcome;
  addEntry(exchange, status, headers, body === null ? null : cutBody(body));
};

/** Records that the client closed the connection during the delay. */
export const recordClosed = (exchange: Exchange, status: number): void => {
  const { entry } = exchange;
  const before = entry.why === null ? '' : `${entry.why.what}; `;
  const detail = `${before}the client closed the connection before the reply came, which would have been ${status}`;
  entry.why = { code: 'client_gone', what: detail };
  addEntry(exchange, 0, noHeaders, null);
};

/** `status` 0 means that there was no response. */
const addEntry = (
  { entry, request, workspace, context }: Exchange,
  status: number,
  headers: ResponseHeaders,
  body: string | null,
): void => {
  const { workspaces } = context;
  // The workspace may have been dropped during the delay.
  const { journal, clock } = workspace
    ? workspaces.getOrCreate(workspace.key)
    : ownerOf(request.headers.authorization, workspaces);
  entry.status = status;
  entry.headers = headers;
  entry.responseBody = body;
  entry.createdAtMs = clock.ms();
  entry.durationMs = elapsedMs() - entry.durationMs;
  journal.add(entry);
};

type Owner = { readonly journal: Journal; readonly clock: { readonly ms: () => number } };

// A request that was refused before authentication still belongs to the workspace of its key. Without an accepted key it goes
// into the journal of unclaimed requests, so that no workspace shows the requests of others.
const ownerOf = (header: string | undefined, workspaces: Workspaces): Owner => {
  const credentials = readCredentials(header);
  return 'key' in credentials && workspaces.accepts(credentials.key)
    ? workspaces.getOrCreate(credentials.key)
    : { journal: workspaces.unclaimed, clock: workspaces.clock };
};

/** A request that the pipeline never receives: bytes that are not HTTP, a CONNECT, an unsupported Expect. */
export type RawRequest = {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders?: readonly string[];
  readonly headers?: { readonly authorization?: string | undefined };
};

/** Records it under its key, else as unclaimed. Bytes that are not HTTP are not stored: they may contain a key. */
export const recordRaw = (
  { method, url, rawHeaders = [], headers }: RawRequest,
  reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  },
  why: Why,
  { workspaces }: Context,
): void => {
  const { journal, clock } = ownerOf(headers?.authorization, workspaces);
  journal.add({
    number: 0,
    operation: null,
    method,
    url,
    rawHeaders,
    requestBody: null,
    status: reply.status,
    headers: reply.headers,
    responseBody: reply.body,
    why,
    createdAtMs: clock.ms(),
    durationMs: 0,
  });
};
