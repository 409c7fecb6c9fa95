import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { type Operation, resolveRefs } from './spec.ts';
import type { View } from './view.ts';

type Media = { content?: Record<string, { schema?: object }> };

/** Holds every reply of an operation against the contract in force. A reply that breaks it becomes a 500 that says how. */
export const checkReplies = (app: FastifyInstance, context: Context): void => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const validatorFor = (view: View, operation: Operation, status: number): ValidateFunction => {
    const responses = operation.responses as Record<string, unknown>;
    const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
    const id = JSON.stringify([view.answers, operation.path, operation.method, status]);
    const media = resolveRefs(view.contract, found ?? {}) as Media;
    const schema = media.content?.['application/json']?.schema;
    const validate = compiled.get(id) ?? ajv.compile(schema ?? false);
    compiled.set(id, validate);
    return validate;
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    const view = request.view ?? context.view;
    const operation = view.operations.find(
      ({ path, method }) =>
        path.replaceAll(/\{([^}]+)\}/g, ':$1') === request.routeOptions.url &&
        method.toUpperCase() === request.method,
    );
    if (!operation || typeof payload !== 'string') return done(null, payload);
    const validate = validatorFor(view, operation, reply.statusCode);
    if (validate(JSON.parse(payload))) return done(null, payload);
    reply.code(500);
    done(
      null,
      JSON.stringify({
        brokeTheContract: operation.id,
        status: reply.statusCode,
        errors: validate.errors,
        payload,
      }),
    );
  });
};
