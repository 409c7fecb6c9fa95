import type { Operation } from '../contract/document.ts';
import type { ContractInForce } from '../contract/in-force.ts';
import type { Context } from '../http/context.ts';
import { elapsedMs } from '../runtime/timers.ts';
import type { ConnectionFault, MatchedFault } from '../workspace/faults.ts';
import type { RecordedRequest } from '../workspace/journal-entry.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A request as an adapter passes it to the pipeline, with or without a socket. */
export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: RequestHeaders;
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
};

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>> & {
  readonly authorization?: string | undefined;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
};

/** What the adapter's router found for the path. */
type Route = {
  /** `undefined` where no operation has this path and method. */
  readonly operation: Operation | undefined;
  readonly params: { readonly id?: string };
  readonly query: Readonly<Record<string, unknown>>;
};

export type ResponseHeaders = Readonly<Record<string, string>>;

export type ApiResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string | null;
};

/** How an exchange ends: with a response, or with a connection that the adapter breaks. */
export type Outcome = ApiResponse | { readonly connectionFault: ConnectionFault };

/** For the mock's own tests: the response to send instead of one that breaks the contract. */
export type CheckResponse = (exchange: Exchange, response: ApiResponse) => ApiResponse;

/** One request in the pipeline, with the results of the steps so far. */
export type Exchange = Route & {
  readonly context: Context;
  readonly request: ApiRequest;
  /** The contract in force for this request. */
  readonly contract: ContractInForce;
  /** The journal entry of this request. */
  readonly entry: RecordedRequest;
  /** Headers that every response to this request carries. */
  headers: ResponseHeaders;
  /** The workspace of the key, once the request is authenticated. */
  workspace: Workspace | undefined;
  /** Milliseconds by which the adapter delays the outcome. The operation itself runs at once. */
  delayMs: number;
  /** Whether a fault rule can match only after the body is read. */
  needsBodyFaultMatch: boolean;
  /** The fault rule that applies after the operation took effect. */
  faultAfterEffect: MatchedFault | undefined;
  /** Parsed JSON; `undefined` without a body. */
  body: unknown;
};

export const noHeaders: ResponseHeaders = Object.freeze({});

export const jsonHeaders: ResponseHeaders = Object.freeze({
  'content-type': 'application/json; charset=utf-8',
});

export const createExchange = (
  request: ApiRequest,
  { operation, params, query }: Route,
  context: Context,
): Exchange => ({
  context,
  request,
  operation,
  params,
  query,
  contract: context.contractFor(request),
  entry: startEntry(request),
  headers: noHeaders,
  workspace: undefined,
  delayMs: 0,
  needsBodyFaultMatch: false,
  faultAfterEffect: undefined,
  body: undefined,
});

const startEntry = ({ method, url, rawHeaders }: ApiRequest): RecordedRequest => ({
  number: 0,
  operation: null,
  method,
  url,
  rawHeaders,
  requestBody: null,
  status: 0,
  headers: noHeaders,
  responseBody: null,
  why: null,
  createdAtMs: 0,
  // The start time, until the duration is known.
  durationMs: elapsedMs(),
});
