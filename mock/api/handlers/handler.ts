import type { OperationId } from '../../contract/operation-id.ts';
import type { Answers } from '../../contract/questions.ts';
import type { operations } from '../../generated/openapi.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;
type BodyOf<Id extends keyof operations> = operations[Id] extends { requestBody: infer Body }
  ? JsonOf<Body>
  : undefined;

/** A request that was routed, authenticated and found valid under the contract in force. */
export type Call<Body> = {
  readonly params: { readonly id?: string };
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Body;
  readonly workspace: Workspace;
  readonly answers: Answers;
};

/** The reply the document states for success (§4), by operation. */
export type Reply<Id extends OperationId> = JsonOf<operations[Id]['responses'][200]>;

/** Turns a valid request into its success reply, or throws an `ApiError`. */
export type Handler<Id extends OperationId> = (call: Call<BodyOf<Id>>) => Reply<Id>;
