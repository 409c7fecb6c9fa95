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

/** What a browser asks first, and the headers that every response carries. Before all else: a preflight has no key. */
const applyCors: Step = (exchange) => {
  const { request, contract } = exchange;
  if (request.method === 'OPTIONS')
    return { status: 204, headers: preflightHeaders(request.headers), body: null };
  const cors = responseCorsHeaders(request.headers);
  if (cors || contract.headers) exchange.headers = { ...cors, ...contract.headers };
  return undefined;
};

/** Path and method, before anything else of the request is looked at: a 404 must not depend on what was sent. */
const match: Step = ({ request, contract, operation, params, entry }) => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') throw hostMissing();
  // The router's `:id` also matches nothing at all.
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

/** While the body was read, the workspace may have been dropped: what follows belongs to the one its key has now. */
const readmit: Step = (exchange) => {
  const { workspace, context } = exchange;
  if (workspace) exchange.workspace = context.workspaces.getOrCreate(workspace.key);
  return undefined;
};

// The two modules export handlers and nothing else. Compiles only when every documented operation has one.
const allHandlers = { ...email, ...leads } satisfies { readonly [Id in OperationId]: Handler<Id> };

type AnyHandler = (call: Call<never>) => unknown;

/** Handlers by the operation they serve. A `Map`, so that no inherited name is ever taken for an operation. */
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

/** A frozen result says that it will be the same object again: its text is kept, and shared with the journal. */
const serialize = (result: object): string => {
  if (!Object.isFrozen(result)) return JSON.stringify(result);
  const known = serializedResults.get(result) ?? JSON.stringify(result);
  serializedResults.set(result, known);
  return known;
};

// The order of refusal (§7.4) is the order of these lists. The adapter then records the outcome, see `recorder.ts`.
const stepsBeforeBody: readonly Step[] = [applyCors, match, admit, injectBeforeBody, checkBodyHeaders];
const stepsAfterBody: readonly Step[] = [readmit, injectAfterBody, validateBody, handle];

/** Everything that the request line and the headers decide. `undefined`: the body is needed. */
export const answerHeaders = (exchange: Exchange): Outcome | undefined => run(stepsBeforeBody, exchange);

/** The rest, with the body as the adapter read it. */
export const answerBody = (exchange: Exchange, received: ReceivedBody | undefined): Outcome => {
  try {
    exchange.body = parseBody(exchange, received);
  } catch (error) {
    return refuse(exchange, error as Error);
  }
  const outcome =
    run(stepsAfterBody, exchange) ?? refuse(exchange, new Error('no step answered the request'));
  // A delayed response must not hold what it no longer needs.
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

/** Ends the exchange with the error response to an error of a step, or of the adapter while it read the body. */
export const refuse = (
  { request, context, contract, entry, headers }: Exchange,
  error: Error,
): ApiResponse => {
  const { response, reason } = toErrorResponse(error, request, contract.answers, context);
  entry.why = reason;
  return headers === noHeaders ? response : { ...response, headers: { ...headers, ...response.headers } };
};

/** The same for a request that no router could read. */
export const refuseUnrouted = (exchange: Exchange, error: Error): Outcome =>
  applyCors(exchange) ?? refuse(exchange, error);
