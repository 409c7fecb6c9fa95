import { apiPrefix, type ContractInForce, createContracts } from '../contract/in-force.ts';
import type { OperationId } from '../contract/operation-id.ts';
import { pathOf } from '../contract/path-template.ts';
import { createKeyRedactor } from '../contract/redaction.ts';
import { rateLimit } from '../contract/schemas.ts';
import { type MatchedFault, plainTextOf, responseOf } from '../faults/faults.ts';
import { rejectNotImitated } from '../nouns/answers.ts';
import { elapsedMs } from '../runtime/timers.ts';
import { createWorkspaces, type WorkspacesOptions } from '../workspace/registry.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { decodeUtf8, parseJson, readBody } from './body.ts';
import * as email from './email-operations.ts';
import { ApiError, jsonHeaders, outsideService, routeError, toErrorResponse } from './errors.ts';
import {
  authenticationError,
  keyOf,
  preferredError,
  preflightHeaders,
  readPreferences,
  responseCorsHeaders,
} from './headers.ts';
import * as leads from './lead-operations.ts';
import type { RequestLog } from './log.ts';
import type { MockOptions } from './options.ts';
import type { ApiRequest, Call, Exchange, Handler, Outcome, ReplyOrFault, Service } from './request.ts';

// The two modules export handlers only. This compiles only if every documented operation has a handler.
const allHandlers = { ...email, ...leads } satisfies { readonly [Id in OperationId]: Handler<Id> };

/** Handlers by operation id. A `Map`, so that an inherited property is never found as an operation. */
const handlers = new Map<string, (call: Call<never>) => unknown>(Object.entries(allHandlers));

export const createService =
  (context: Context): Service =>
  (request) => {
    const started = elapsedMs();
    const { method, body } = request;
    const workspace = context.workspaceOf(request.headers.authorization);
    const exchange: Exchange = {
      request,
      workspace,
      contract: context.contractOf(workspace),
      received: body === undefined || body.length === 0 ? undefined : decodeUtf8(body),
      operation: undefined,
      headers: undefined,
      delayMs: workspace ? context.delay : 0,
      why: null,
    };
    let reply: ReplyOrFault;
    try {
      reply =
        method === 'OPTIONS'
          ? { status: 204, headers: preflightHeaders(request.headers, context.allowedOrigins), body: null }
          : answer(exchange, context);
    } catch (error) {
      const { answers } = exchange.contract;
      ({ reply, why: exchange.why } = toErrorResponse(error as Error, answers, context.redact));
    }
    return finish(exchange, context, reply, started);
  };

/** The order of these lines is the order of the error responses (§7.4). */
const answer = (exchange: Exchange, context: Context): ReplyOrFault => {
  const { request, contract, workspace } = exchange;
  const cors = responseCorsHeaders(request.headers, context.allowedOrigins);
  if (cors || contract.headers) exchange.headers = { ...cors, ...contract.headers };
  const { route: operation, id } = findRoute(request, contract, context);
  exchange.operation = operation;
  if (!workspace) throw authenticationError(request.headers.authorization ?? '', context.workspaces.rule);
  if (contract.countsRequests) countRequest(exchange, workspace);
  const matched = injectFault(exchange, operation.id, workspace, context);
  const takesEffect = matched?.rule.take_effect ?? false;
  const before = matched && !takesEffect ? applyFault(exchange, matched) : undefined;
  if (before) return before;
  const body = operation.body ? readBody(exchange, operation, context.redact) : undefined;
  const handler = handlers.get(operation.id);
  if (!handler) throw new Error(`openapi.yaml has the operation ${operation.id}, and nothing answers it`);
  const result = handler({
    id,
    query: () => new URLSearchParams(request.url.split('?', 2)[1]),
    body: body as never,
    answers: contract.answers,
    workspace,
  });
  const after = matched && takesEffect ? applyFault(exchange, matched) : undefined;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return after ?? { status: 200, headers: jsonHeaders, body: text };
};

/** Checks path and method before anything else, so that a 404 does not depend on key or body. */
const findRoute = (request: ApiRequest, contract: ContractInForce, { admin }: Context) => {
  const { method, url, headers, httpVersion } = request;
  if (headers.host === undefined && httpVersion === '1.1')
    throw new ApiError('bad_request', 'header/Host is missing', 'HTTP/1.1 requires it.');
  const path = pathOf(url);
  if (path !== apiPrefix && !path.startsWith(`${apiPrefix}/`))
    throw outsideService(method, url, admin, contract);
  const found = contract.find(method, path);
  if (!found) throw routeError(request, contract);
  return found;
};

/** §8: only answers limit the requests of a key, or show their number. */
const countRequest = (exchange: Exchange, { rate }: Workspace): void => {
  const { answers } = exchange.contract;
  const { isExceeded, remaining, seconds } = rate.take();
  if (answers['limits.rate-headers'] === 'present')
    exchange.headers = {
      ...exchange.headers,
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds),
    };
  if (isExceeded && answers['limits.rate'] === 'limited')
    throw new ApiError(
      'rate_limited',
      `more than ${rateLimit.requests} requests in ${rateLimit.seconds} seconds`,
      `Nothing was done. Try again in ${seconds} seconds.`,
      { headers: { 'retry-after': String(seconds) } },
    );
};

/** Refuses or delays as the request itself (`Prefer`) or a fault rule asks for. Returns the rule. */
const injectFault = (
  exchange: Exchange,
  operation: string,
  { faults }: Workspace,
  { redact }: Context,
): MatchedFault | undefined => {
  const { prefer } = exchange.request.headers;
  const { code, delay } = prefer === undefined ? {} : readPreferences([prefer].flat().join());
  if (delay !== undefined) exchange.headers = { ...exchange.headers, 'preference-applied': `delay=${delay}` };
  const { method, url } = exchange.request;
  const parsed = (): unknown => {
    try {
      return exchange.received && parseJson(exchange.received, redact);
    } catch {
      return undefined;
    }
  };
  const matched =
    code === undefined && faults.hasRules()
      ? faults.match({ operation, method, path: pathOf(url), body: parsed })
      : undefined;
  exchange.delayMs = delay ?? matched?.delay ?? exchange.delayMs;
  if (code !== undefined) throw preferredError(code, delay);
  return matched;
};

/**
 * What a fault rule puts in place of the response; `undefined` if it only delays.
 * @throws ApiError for a rule with a status and without a body of its own
 */
const applyFault = (exchange: Exchange, { rule, position }: MatchedFault): ReplyOrFault | undefined => {
  const ruleName = `fault rule ${position} of this workspace`;
  const after = rule.take_effect ? ', after the operation took effect' : '';
  const { status, headers, body } = responseOf(rule);
  if (rule.status !== undefined && body === undefined)
    throw faultError(`${ruleName} answers ${status}${after}`, status, headers);
  const effect = rule.fault ?? (rule.status === undefined ? 'delayed' : `${status} with a body of its own`);
  exchange.why = { code: 'fault', what: `${ruleName}: ${effect}${after}` };
  if (rule.fault !== undefined) return { connectionFault: rule.fault };
  return body === undefined ? undefined : { status, headers, body };
};

const faultError = (reason: string, status: number, own: Readonly<Record<string, string>>): ApiError => {
  // As the deployment refuses a key that has expired.
  const expired = authenticationError('Bearer expired', 'Use a key that is valid.');
  const [error, message] = status === 401 ? [expired.message, expired.hint] : plainTextOf(status);
  const headers = { ...(status === 401 ? expired.extra.headers : {}), ...own };
  return new ApiError('fault', error, message, { status, headers, reason });
};

/** Records the exchange at once: who waits for a request sees it also while its response is delayed. */
const finish = (exchange: Exchange, context: Context, answered: ReplyOrFault, started: number): Outcome => {
  const duration = elapsedMs() - started;
  const { request, operation, received, headers: added, why, delayMs } = exchange;
  const reply =
    'status' in answered && added ? { ...answered, headers: { ...added, ...answered.headers } } : answered;
  const { status, headers, body } = 'status' in reply ? reply : { status: 0, headers: {}, body: null };
  // Without an accepted key, a request is in the journal of unclaimed ones, so that no workspace shows the requests of others.
  const requests = exchange.workspace?.requests ?? context.workspaces.unclaimed;
  const entry = requests.record({
    operation: operation?.id ?? null,
    method: request.method,
    url: request.url,
    rawHeaders: request.rawHeaders,
    requestBody: received?.text ?? null,
    status,
    headers,
    responseBody: body,
    why,
    duration_ms: duration + delayMs,
  });
  if (delayMs === 0) context.log?.(request, { status, ms: duration, why: why?.what });
  const endDelay = (isGone: boolean): void => {
    const ms = elapsedMs() - started;
    if (isGone) requests.markGone(entry, ms);
    context.log?.(request, { status: entry.status, ms, why: entry.why?.what });
  };
  return { reply, delayMs, why: why?.what, endDelay };
};

/** The settings of a mock, and what it consists of. */
export type AppOptions = Pick<
  MockOptions,
  'acceptKeys' | 'delay' | 'allowedHosts' | 'allowedOrigins' | 'admin' | 'outboxLimit'
> &
  Pick<WorkspacesOptions, 'answers' | 'seed' | 'readSeed' | 'version'> & {
    /** Certificate and key; without them the server uses plain HTTP. */
    readonly tls?: { readonly cert?: string; readonly key?: string };
    readonly log?: RequestLog;
  };

/** Shared by all parts of the app. */
export type Context = ReturnType<typeof createContext>;

export const createContext = ({
  acceptKeys = [],
  delay = 0,
  allowedHosts = [],
  allowedOrigins = [],
  admin = true,
  outboxLimit = 1000,
  ...options
}: AppOptions) => {
  rejectNotImitated(options.answers);
  const contracts = createContracts(options.answers);
  const redact = createKeyRedactor(acceptKeys);
  const workspaces = createWorkspaces({ ...options, acceptKeys, outboxLimit, redact });
  return {
    ...options,
    ...{ delay, allowedHosts, allowedOrigins, admin, redact, workspaces },
    /** The contract in force for requests without a workspace. */
    contract: contracts.server,
    /** The workspace of the key that a request carries; `undefined` without an accepted one. */
    workspaceOf: (authorization: string | undefined, get = workspaces.getOrCreate): Workspace | undefined => {
      const key = keyOf(authorization);
      return key !== undefined && workspaces.accepts(key) ? get(key) : undefined;
    },
    /** The contract in force: with the answers of a workspace, else of the server. */
    contractOf: (workspace?: Workspace): ContractInForce => contracts.withOverrides(workspace?.answers.id()),
  };
};
