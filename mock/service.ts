import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { authenticationError, readCredentials } from './authentication.ts';
import { describeRuleError } from './body-rules.ts';
import type { Context } from './context.ts';
import { ApiError, quoted } from './errors.ts';
import { handlers } from './handlers/index.ts';
import { readJson } from './json-body.ts';
import { readPreferences } from './prefer.ts';
import { nearest } from './questions.ts';
import { pathOf, sendRefusal } from './refusals.ts';
import type { Operation } from './spec.ts';
import type { Workspace } from './state.ts';
import { possibleOperations, type View } from './view.ts';

export const apiPrefix = '/api/v1';

type Admit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** The six operations of §4, from the contract: routed, admitted, validated, handled. */
export const registerService = async (service: FastifyInstance, context: Context): Promise<void> => {
  // Pages of any origin may call the service, as they would call the real one in development; see the replies to refusals too.
  await service.register(cors, {
    origin: true,
    strictPreflight: false,
    exposedHeaders: ['Allow', 'Retry-After'],
  });
  service.removeAllContentTypeParsers();
  service.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) =>
    readJson(request, bytes as Buffer, done),
  );
  service.setNotFoundHandler((request, reply) =>
    sendRefusal(unrouted(request, context.view), request, reply, context),
  );
  for (const operation of possibleOperations()) {
    const handler = handlers.get(operation.id);
    if (!handler)
      throw new Error(
        `openapi.yaml has the operation ${operation.id}, and mock/handlers has no handler for it`,
      );
    service.route({
      method: operation.method.toUpperCase() as HTTPMethods,
      url: operation.path.slice(apiPrefix.length).replaceAll(/\{([^}]+)\}/g, ':$1'),
      onRequest: admitTo(operation, context),
      config: { hasBody: operation.body !== undefined },
      handler: (request, reply) => {
        validate(operation, request);
        const { workspace, view, params, query, body } = request as FastifyRequest & {
          workspace: Workspace;
          view: View;
        };
        const { answers } = view;
        void reply.send(handler({ params, query, body, workspace, answers } as never));
      },
    });
  }
};

/** Route → method → authentication → `Prefer` → media type: everything that is judged before the body is read. */
const admitTo =
  (operation: Operation, context: Context): Admit =>
  (request, reply, done) => {
    const { view } = context;
    request.view = view;
    // Fastify's `:id` also matches nothing at all.
    const { id } = request.params as { id?: string };
    if (!view.serves(operation) || id === '') return done(unrouted(request, view));
    const credentials = readCredentials(request.headers.authorization);
    if ('problem' in credentials || !context.workspaces.accepts(credentials.key)) {
      return done(authenticationError(credentials, context.workspaces.rule));
    }
    request.workspace = context.workspaces.open(credentials.key);
    const { prefer } = request.headers;
    if (prefer === undefined && context.delay === 0) return done(mediaTypeError(operation, request));
    steer(operation, request, reply, context.delay, done);
  };

const steer = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  serverDelay: number,
  done: (error?: Error) => void,
): void => {
  const { prefer = '' } = request.headers;
  let outcome: Error | undefined;
  let delay = serverDelay;
  try {
    const preferences = readPreferences(Array.isArray(prefer) ? prefer.join() : prefer);
    delay = preferences.delay ?? delay;
    if (preferences.delay !== undefined) reply.header('preference-applied', `delay=${preferences.delay}`);
    outcome =
      preferences.code === undefined ? mediaTypeError(operation, request) : askedFor(preferences.code);
  } catch (error) {
    outcome = error as Error;
  }
  if (delay === 0) return done(outcome);
  setTimeout(() => done(outcome), delay);
};

const askedFor = (status: number): ApiError =>
  new ApiError(
    'asked_for',
    `refused with ${status} because the request asked for it`,
    'Leave out "Prefer: code" for the real reply.',
    {
      status,
      headers: { 'preference-applied': `code=${status}` },
    },
  );

const json = /^application\/json\s*(;|$)/i;

const mediaTypeError = (operation: Operation, { headers }: FastifyRequest): ApiError | undefined => {
  if (!operation.body) return undefined;
  const type = headers['content-type'];
  if (type === 'application/json' || (type !== undefined && json.test(type))) return undefined;
  const empty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  if (type === undefined && empty) return undefined; // refused as a body that is missing
  return new ApiError(
    'media_type_unsupported',
    type === undefined
      ? 'header/Content-Type is missing'
      : `header/Content-Type must be application/json, not ${quoted(type)}`,
    'Send the body as "Content-Type: application/json" (§5.2).',
  );
};

const validate = (operation: Operation, request: FastifyRequest): void => {
  const schema = request.view?.bodies.get(operation.id);
  if (!schema) return;
  if (request.validateInput(request.body ?? undefined, schema)) return;
  throw new ApiError(
    'validation_failed',
    describeRuleError(request.getValidationFunction(schema)?.errors as never),
    `Nothing was changed. ${operation.method.toUpperCase()} ${operation.path} is described at /docs.`,
  );
};

/** 405 where the path exists with other methods, else 404 naming the nearest path. */
const unrouted = (request: FastifyRequest, view: View): ApiError => {
  const path = pathOf(request.url);
  const methods = view.methodsAt(path);
  if (methods.length > 0) {
    const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(
      ', ',
    );
    return new ApiError('method_not_allowed', `${path} has no ${request.method}`, `It has ${allow}.`, {
      headers: { allow },
    });
  }
  const documented = nearest(path, [...new Set(view.operations.map((operation) => operation.path))]);
  return new ApiError(
    'route_not_found',
    `there is no path ${quoted(path)}`,
    `Did you mean ${documented}? All are listed at /docs.`,
  );
};
