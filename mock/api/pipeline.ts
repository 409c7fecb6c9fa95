import type { Operation } from '../contract/document.ts';
import type { OperationId } from '../contract/operation-id.ts';
import type { ReceivedBody } from '../http/content-type.ts';
import { preflightHeaders, responseCorsHeaders } from '../http/cors.ts';
import { authenticationError, readCredentials } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { checkBodyHeaders, parseBody, validateBody } from './body.ts';
import { routeError, toErrorResponse } from './error-response.ts';
import { type ApiResponse, type Exchange, jsonHeaders, noHeaders, type Outcome } from './exchange.ts';
import { injectAfterBody, injectAfterEffect, injectBeforeBody } from './fault-injection.ts';
import * as email from './handlers/email.ts';
import type { Call, Handler } from './handlers/handler.ts';
import * as leads from './handlers/leads.ts';

/** Ends the exchange, or leaves it to the next step. Throws an `ApiError` for a request that it refuses. */
type Step = (exchange: Exchange) => Outcome | undefined;

/** Answers a CORS preflight, and sets the headers of every response. First step, because a preflight has no key. */
const applyCors: Step = (exchange) => {
  const { request, contract } = exchange;
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(request.headers), body: null };
  const cors = responseCorsHeaders(request.headers);
  if (cors || contract.headers) exchange.headers = { ...cors, ...contract.headers };
  return undefined;
};

/** Checks path and method before anything else, so that a 404 does not depend on key or body. */
const match: Step = ({ request, contract, operation, params, entry }) => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw hostMissing();
  // The router's `:id` also matches an empty segment.
  if (!operation || !contract.serves(operation) || params.id === '') throw routeError(request, contract);
  entry.operation = operation.id;
  return undefined;
};

const hostMissing = (): ApiError =>
  new ApiError('bad_request', 'header/Host is missing', 'HTTP/1.1 requires it.');

/** Authentication: from here on the request has a workspace. */
const admit: Step = (exchange) => {
  const { request, context } = exchange;
  const { workspaces } = context;
  const credentials = readCredentials(request.headers.authorization);
  if ('problem' in credentials || !workspaces.accepts(credentials.key))
    throw authenticationError(credentials, workspaces.rule, request.headers.authorization);
  exchange.workspace = workspaces.getOrCreate(credentials.key);
  return undefined;
};

/** Looks the workspace up again: it may have been dropped while the body was read. */
const readmit: Step = (exchange) => {
  const { workspace, context } = exchange;
  if (workspace) exchange.workspace = context.workspaces.getOrCreate(workspace.key);
  return undefined;
};

// The two modules export handlers only. This compiles only if every documented operation has a handler.
const allHandlers = { ...email, ...leads } satisfies { readonly [Id in OperationId]: Handler<Id> };

type AnyHandler = (call: Call<never>) => unknown;

/** Handlers by operation id. A `Map`, so that an inherited property is never found as an operation. */
const handlers: ReadonlyMap<string, AnyHandler> = new Map<string, AnyHandler>(Object.entries(allHandlers));

const handlerOf = ({ id }: Operation): AnyHandler => {
  const handler = handlers.get(id);
  if (handler) return handler;
  throw new Error(`openapi.yaml has the operation ${id}, and mock/api/handlers has no handler for it`);
};

const handle: Step = (exchange) => {
  const { operation, params, query, body, workspace, contract, headers } = exchange;
  if (!operation) return undefined;
  const handler = handlerOf(operation);
  const result = handler({ params, query, body, workspace, answers: contract.answers } as never);
  return (
    injectAfterEffect(exchange) ?? {
      status: 200,
      headers: headers === noHeaders ? jsonHeaders : { ...headers, ...jsonHeaders },
      body: serialize(result as object),
    }
  );
};

const serializedResults = new WeakMap<object, string>();

/** Serializes a result. A frozen one is returned again later, so its JSON is cached and shared with the journal. */
const serialize = (result: object): string => {
  if (!Object.isFrozen(result)) return JSON.stringify(result);
  const known = serializedResults.get(result) ?? JSON.stringify(result);
  serializedResults.set(result, known);
  return known;
};

// The order of these lists decides which error wins (§7.4). The adapter then records the outcome, see `recorder.ts`.
const stepsBeforeBody: readonly Step[] = [applyCors, match, admit, injectBeforeBody, checkBodyHeaders];
const stepsAfterBody: readonly Step[] = [readmit, injectAfterBody, validateBody, handle];

/** Runs the steps that need no body. `undefined` if the body must be read. */
export const answerHeaders = (exchange: Exchange): Outcome | undefined => run(stepsBeforeBody, exchange);

/** Runs the remaining steps with the body that the adapter read. */
export const answerBody = (exchange: Exchange, received: ReceivedBody | undefined): Outcome => {
  try {
    exchange.body = parseBody(exchange, received);
  } catch (error) {
    return refuse(exchange, error as Error);
  }
  const outcome =
    run(stepsAfterBody, exchange) ?? refuse(exchange, new Error('no step answered the request'));
  // A delayed response must not keep the body in memory.
  exchange.body = undefined;
  return outcome;
};

const run = (steps: readonly Step[], exchange: Exchange): Outcome | undefined => {
  try {
    for (const step of steps) {
      const outcome = step(exchange);
      if (outcome) return outcome;
    }
    return undefined;
  } catch (error) {
    return refuse(exchange, error as Error);
  }
};

/** The error response to an error of a step, or of the adapter while it read the body. */
export const refuse = (
  { request, context, contract, entry, headers }: Exchange,
  error: Error,
): ApiResponse => {
  const { response, reason } = toErrorResponse(error, request, contract.answers, context);
  entry.why = reason;
  return headers === noHeaders ? response : { ...response, headers: { ...headers, ...response.headers } };
};

/** The outcome of a request whose path cannot be decoded. */
export const refuseUnrouted = (exchange: Exchange, error: Error): Outcome =>
  applyCors(exchange) ?? refuse(exchange, error);
