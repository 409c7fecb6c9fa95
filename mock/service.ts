import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { admitTo } from './admission.ts';
import { describeRuleError } from './body-rules.ts';
import type { Context } from './context.ts';
import { allowPages, answerOptions } from './cors.ts';
import { ApiError } from './errors.ts';
import { type AnyHandler, handlers } from './handlers/index.ts';
import { inject, injectBefore, takeFaultOfBody } from './injection.ts';
import { unjudged } from './json-body.ts';
import { preferencesOf } from './prefer.ts';
import { readBody } from './read-body.ts';
import { beginTrace, recordReplies } from './record.ts';
import { sendRefusal } from './refusals.ts';
import type { Operation } from './spec.ts';
import type { Workspace } from './state.ts';
import { unrouted } from './unrouted.ts';
import { possibleOperations, type View } from './view.ts';

export const apiPrefix = '/api/v1';

/** The six operations of §4, from the contract: routed, admitted, validated, handled. */
export const registerService = async (service: FastifyInstance, context: Context): Promise<void> => {
  service.removeAllContentTypeParsers();
  // Named beside "*" because Fastify finds a named one without parsing the header.
  service.addContentTypeParser(['application/json', '*'], readBody);
  recordReplies(service, context);
  service.addHook('onRequest', (request, reply, done) => locate(request, reply, context, done));
  // `locate` has refused already; the handler is what makes the hooks run where there is no route.
  service.setNotFoundHandler((request, reply) =>
    sendRefusal(unrouted(request, request.view ?? context.view), request, reply, context),
  );
  const operations = possibleOperations();
  for (const operation of operations) serve(service, operation, context);
  refuseStray(operations);
};

/** Route and method, before anything of the request is looked at: a 404 must not depend on what was sent. */
const locate = (
  request: FastifyRequest,
  reply: FastifyReply,
  { viewFor }: Context,
  done: (error?: Error) => void,
): void => {
  const view = viewFor(request);
  request.view = view;
  request.trace = beginTrace(request);
  if (request.method === 'OPTIONS') return answerOptions(request, reply);
  addStandingHeaders(request, reply, view);
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return done(hostMissing());
  done(request.is404 ? unrouted(request, view) : undefined);
};

/** What every reply of the service carries, whatever it says. */
export const addStandingHeaders = (request: FastifyRequest, reply: FastifyReply, { headers }: View): void => {
  allowPages(request, reply);
  if (headers) reply.headers(headers);
  request.bare = headers === undefined && request.headers.origin === undefined;
};

const hostMissing = (): ApiError =>
  new ApiError('bad_request', 'header/Host is missing', 'HTTP/1.1 requires it.');

const serve = (service: FastifyInstance, operation: Operation, context: Context): void => {
  const handler = handlerOf(operation);
  service.route({
    method: operation.method.toUpperCase() as HTTPMethods,
    url: operation.path.slice(apiPrefix.length).replaceAll(/\{([^}]+)\}/g, ':$1'),
    onRequest: admitTo(operation, context),
    handler: (request, reply) => {
      if (request.faultsDue) answerWithFaults(operation, request as Admitted, reply, handler, context);
      else answer(operation, request as Admitted, reply, handler, context);
    },
  });
};

type Admitted = FastifyRequest & { workspace: Workspace; view: View };

const answer = (
  operation: Operation,
  request: Admitted,
  reply: FastifyReply,
  handler: AnyHandler,
  context: Context,
): void => {
  const { workspace, view, params, query } = request;
  const body = judge(operation, request, view);
  const result = handler({ params, query, body, workspace, answers: view.answers } as never);
  if (request.faultAfter) {
    const { refusal } = inject(request.faultAfter, request, reply, context);
    if (refusal) throw refusal;
    return;
  }
  if (request.bare && request.trace) request.trace.headers = onlyJson;
  if (Object.isFrozen(result)) void reply.headers(onlyJson).send(written(result as object));
  else void reply.send(result);
};

const onlyJson = Object.freeze({ 'content-type': 'application/json; charset=utf-8' });

const texts = new WeakMap<object, string>();

/** A frozen reply says that it will be the same object again: its text is kept, and shared with the journal. */
const written = (result: object): string => {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result);
  texts.set(result, text);
  return text;
};

/** The same where a fault rule names a recipient, which is known only now. */
const answerWithFaults = (
  operation: Operation,
  request: Admitted,
  reply: FastifyReply,
  handler: AnyHandler,
  context: Context,
): void => {
  const taken = takeFaultOfBody(operation, request, request.workspace.faults);
  request.wait = preferencesOf(request).delay ?? taken?.delay ?? request.wait;
  const { refusal, answered } = injectBefore(taken, request, reply, context);
  if (refusal) throw refusal;
  if (!answered) answer(operation, request, reply, handler, context);
};

const handlerOf = ({ id }: Operation): AnyHandler => {
  const handler = handlers.get(id);
  if (handler) return handler;
  throw new Error(`openapi.yaml has the operation ${id}, and mock/handlers has no handler for it`);
};

const refuseStray = (operations: readonly Operation[]): void => {
  const known = new Set(operations.map(({ id }) => id));
  const stray = [...handlers.keys()].filter((id) => !known.has(id));
  if (stray.length > 0)
    throw new Error(`mock/handlers has ${stray.join(', ')}, and openapi.yaml has no such operation`);
};

/**
 * The body as the handler gets it.
 * @throws ApiError where it breaks the contract in force
 */
const judge = ({ id, method, path }: Operation, request: FastifyRequest, view: View): unknown => {
  const schema = view.bodies.get(id);
  const body = request.body ?? undefined;
  if (!schema || body === unjudged) return body;
  if (request.validateInput(body, schema)) return body;
  throw new ApiError(
    'validation_failed',
    request.body === undefined
      ? 'body is missing'
      : describeRuleError(request.getValidationFunction(schema)?.errors as never),
    `Nothing was done. What ${method.toUpperCase()} ${path} takes is described at /docs.`,
  );
};
