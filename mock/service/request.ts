import type { Operation } from '../contract/document.ts';
import type { ContractInForce } from '../contract/in-force.ts';
import type { OperationId } from '../contract/operation-id.ts';
import type { Answers } from '../contract/questions.ts';
import type { ConnectionFault } from '../faults/faults.ts';
import type { operations } from '../generated/openapi.ts';
import type { Why } from '../nouns/journal.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Headers, ReceivedBody } from './body.ts';
import type { Reply } from './errors.ts';

/** A complete request as an adapter hands it over, with or without a socket. */
export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Headers;
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
  /** `undefined` without a body. */
  readonly body: Uint8Array | undefined;
  /** The body is longer than any that is taken, and was not read to its end. */
  readonly isTooLarge: boolean;
};

/** What the client gets: a response, or a connection that breaks. */
export type ReplyOrFault = Reply | { readonly connectionFault: ConnectionFault };

/** How an exchange ends: with a response, or with a connection that the adapter breaks. */
export type Outcome = {
  readonly reply: ReplyOrFault;
  /** Milliseconds by which the adapter delays it. The operation has already run. */
  readonly delayMs: number;
  /** The reason for a response that is not a plain success. */
  readonly why: string | undefined;
  /** Logs a delayed response. @param isGone whether the client closed the connection during the delay */
  readonly endDelay: (isGone: boolean) => void;
};

/** Answers a request: routes, authenticates, injects faults, validates, executes and records it. */
export type Service = (request: ApiRequest) => Outcome;

/** One request, with what is known of it so far. */
export type Exchange = {
  readonly request: ApiRequest;
  /** That of its key, also where it is refused before authentication. */
  readonly workspace: Workspace | undefined;
  readonly contract: ContractInForce;
  /** The body as text, if there is one. */
  readonly received: ReceivedBody | undefined;
  operation: Operation | undefined;
  /** Headers that every response to this request carries. */
  headers: Readonly<Record<string, string>> | undefined;
  delayMs: number;
  why: Why | null;
};

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;
type BodyOf<Id extends keyof operations> = operations[Id] extends { requestBody: infer Body }
  ? JsonOf<Body>
  : undefined;

/** A request that was routed, authenticated and found valid under the contract in force. */
export type Call<Body> = {
  /** The id in the path; empty for a path without one. */
  readonly id: string;
  readonly query: () => URLSearchParams;
  readonly body: Body;
  readonly workspace: Workspace;
  readonly answers: Answers;
};

/** The reply the document states for success (§4), by operation. */
export type SuccessOf<Id extends OperationId> = JsonOf<operations[Id]['responses'][200]>;

/** Turns a valid request into its success reply, or into the JSON of it, or throws an `ApiError`. */
export type Handler<Id extends OperationId> = (call: Call<BodyOf<Id>>) => SuccessOf<Id> | string;
