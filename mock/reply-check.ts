import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAdminReplyCheck } from './admin/reply-check.ts';
import { adminRoutes } from './admin/routes.ts';
import type { Context } from './context.ts';
import { apiPrefix } from './service.ts';
import { resolveRefs } from './spec.ts';
import { pathOf } from './unrouted.ts';
import type { View } from './view.ts';

type Media = { content?: Record<string, { schema?: object }> };
type Reply = { readonly operation: string; readonly status: number; readonly schema: object };

/**
 * Holds every reply under /api/v1 against the contract in force: an operation's against its responses, a refusal
 * elsewhere against the shape of a failure (§7). A reply that breaks it becomes a 500 that says how.
 */
export const checkReplies = (app: FastifyInstance, context: Context): void => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const checkAdmin = createAdminReplyCheck(adminRoutes);
  const validatorFor = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    // A fault may say anything, that is what it is for.
    if (request.trace?.why?.code === 'fault') return done(null, payload);
    if (typeof payload === 'string' && request.routeOptions.url?.startsWith('/__admin')) {
      const wrong = checkAdmin({
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        type: String(reply.getHeader('content-type')),
        payload,
      });
      if (wrong) reply.code(500);
      return done(null, wrong ? JSON.stringify({ brokeTheContract: request.url, wrong }) : payload);
    }
    if (typeof payload !== 'string' || !pathOf(request.url).startsWith(apiPrefix)) return done(null, payload);
    const { operation, status, schema } = promised(request, reply.statusCode, request.view ?? context.view);
    const validate = validatorFor(schema);
    if (validate(JSON.parse(payload))) return done(null, payload);
    reply.code(500);
    done(null, JSON.stringify({ brokeTheContract: operation, status, errors: validate.errors, payload }));
  });
};

/** What the contract promises of this reply. */
const promised = (request: FastifyRequest, status: number, view: View): Reply => {
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = view.operations.find(
    ({ path, method }) =>
      path.replaceAll(/\{([^}]+)\}/g, ':$1') === request.routeOptions.url && method.toUpperCase() === asked,
  );
  const responses = (operation?.responses ?? {}) as Record<string, unknown>;
  const stated = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const media = resolveRefs(view.contract, stated ?? {}) as Media;
  const schema = operation
    ? (media.content?.['application/json']?.schema ?? { not: {} })
    : (resolveRefs(view.contract, outside(view, status)) as object);
  return { operation: operation?.id ?? `no operation: ${request.method}`, status, schema };
};

// Where there is no operation the document promises a failure; only an answer makes it a success.
const outside = ({ answers }: View, status: number): object => {
  const failure = { $ref: '#/components/schemas/Failure' };
  const decided = [answers['failure.unknown-route-status'], answers['failure.wrong-method-status']];
  if (status !== 200 || !decided.includes('accepted')) return failure;
  return { anyOf: [{ properties: { success: { const: true } }, required: ['success', 'message'] }, failure] };
};
