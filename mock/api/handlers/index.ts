import type { Operation } from '../../contract/document.ts';
import type { OperationId } from '../../contract/operation-id.ts';
import * as email from './email.ts';
import type { Call, Handler } from './handler.ts';
import * as leads from './leads.ts';

// The two modules export handlers and nothing else. Compiles only when every documented operation has one.
const all = { ...email, ...leads } satisfies { readonly [Id in OperationId]: Handler<Id> };

export type AnyHandler = (call: Call<never>) => unknown;

/** Handlers by the operation they serve. A `Map`, so that no inherited name is ever taken for an operation. */
const handlers: ReadonlyMap<string, AnyHandler> = new Map<string, AnyHandler>(Object.entries(all));

export const handlerOf = ({ id }: Operation): AnyHandler => {
  const handler = handlers.get(id);
  if (handler) return handler;
  throw new Error(`openapi.yaml has the operation ${id}, and mock/api/handlers has no handler for it`);
};

/** @throws Error where operations and handlers do not match one to one */
export const checkHandlers = (operations: readonly Operation[]): void => {
  for (const operation of operations) handlerOf(operation);
  const known = new Set(operations.map(({ id }) => id));
  const unknownHandlers = [...handlers.keys()].filter((id) => !known.has(id));
  if (unknownHandlers.length > 0)
    throw new Error(
      `mock/api/handlers has ${unknownHandlers.join(', ')}, and openapi.yaml has no such operation`,
    );
};
