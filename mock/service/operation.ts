import type { OperationId } from '../contract/operation-id.ts';
import type { Answers } from '../contract/questions.ts';
import type { operations } from '../generated/openapi.ts';
import type { Leads } from '../nouns/leads.ts';
import type { Outbox } from '../nouns/outbox.ts';
import type { Templates } from '../nouns/templates.ts';

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
  readonly leads: Leads;
  readonly templates: Templates;
  readonly outbox: Outbox;
  /** The time of the workspace. */
  readonly now: () => string;
  /** The id of the request in the journal. */
  readonly requestId: () => string;
  readonly answers: Answers;
};

/** The reply the document states for success (§4), by operation. */
export type Reply<Id extends OperationId> = JsonOf<operations[Id]['responses'][200]>;

/** Turns a valid request into its success reply, or throws an `ApiError`. */
export type Handler<Id extends OperationId> = (call: Call<BodyOf<Id>>) => Reply<Id>;
