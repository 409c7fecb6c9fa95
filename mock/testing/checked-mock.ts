import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { AdminRoute, ReplyDoc } from '../admin/route.ts';
import { adminRoutes } from '../admin/routes/index.ts';
import { components, documentId, withAbsoluteRefs } from '../admin/schemas.ts';
import type { CheckResponse } from '../api/exchange.ts';
import { type Operation, resolveRefs } from '../contract/document.ts';
import { apiPrefix, type ContractInForce } from '../contract/in-force.ts';
import { pathOf } from '../contract/path-template.ts';
import type { Context } from '../http/context.ts';
import type { Mock, MockOptions } from '../index.ts';
import { assembleMock } from '../sdk/mock.ts';
import { startServer } from '../server/server.ts';

/** As `startMock`, and holds every reply against the contract in force, or the admin API's own document: one that breaks it becomes a 500. */
export const startCheckedMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { url, port, ...server } = await startServer(options, checkReplies);
  return { ...assembleMock({ ...server, acceptKeys: options.acceptKeys, name: port }), url, port };
};

type CheckedReply = {
  readonly method: string;
  /** As the route is registered; `undefined` where there is none. */
  readonly path: string | undefined;
  readonly status: number;
  readonly type: string;
  readonly payload: string;
};

/** Checks replies of the admin API against its own document. Returns what is wrong with one. */
const createAdminReplyCheck = (
  routes: readonly AdminRoute[],
): ((reply: CheckedReply) => object | undefined) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ components: { schemas: components } }, documentId);
  const compiled = new Map<ReplyDoc, ValidateFunction>();
  return ({ method, path, status, type, payload }) => {
    const routedMethod = method === 'HEAD' ? 'GET' : method;
    const route = routes.find((known) => known.method === routedMethod && `/__admin${known.path}` === path);
    if (route && !route.doc) return undefined;
    const expected = route?.doc?.replies[status] ?? (status >= 400 && status < 500 ? refusal : undefined);
    if (!expected) return { undocumented: status, of: `${method} ${path}` };
    if (!expected.schema)
      return type.startsWith(expected.type ?? '') ? undefined : { type, promised: expected };
    const validate = compiled.get(expected) ?? ajv.compile(withAbsoluteRefs(expected.schema));
    compiled.set(expected, validate);
    return validate(JSON.parse(payload)) ? undefined : { errors: validate.errors, payload };
  };
};

const refusal: ReplyDoc = {
  description: 'Refused.',
  schema: { $ref: '#/components/schemas/Refusal' },
};

type Media = { content?: Record<string, { schema?: object }> };
type Reply = { readonly operation: string; readonly status: number; readonly schema: object };

// One for all mocks of a process: to compile the schemas takes longer than to answer a hundred requests.
let adminCheck: ReturnType<typeof createAdminReplyCheck> | undefined;
let serviceCheck: ReturnType<typeof createServiceCheck> | undefined;

/**
 * Checks every response under /api/v1 against the contract in force: an operation's against its responses, an error response
 * elsewhere against the shape of a failure (§7). A response that breaks it becomes a 500 that says how. The same for the
 * admin API and its own document.
 * @returns the check of the service, whose responses Fastify's hooks do not see
 */
const checkReplies = (app: FastifyInstance, context: Context): CheckResponse => {
  adminCheck ??= createAdminReplyCheck(adminRoutes);
  serviceCheck ??= createServiceCheck();
  const [checkAdmin, checkService] = [adminCheck, serviceCheck];
  app.addHook('onSend', (request, reply, payload, done) => {
    const { url, routeOptions, method } = request;
    const { statusCode: status } = reply;
    if (typeof payload !== 'string') return done(null, payload);
    const problem = routeOptions.url?.startsWith('/__admin')
      ? checkAdmin({
          method,
          path: routeOptions.url,
          status,
          type: String(reply.getHeader('content-type')),
          payload,
        })
      : pathOf(url).startsWith(apiPrefix)
        ? checkService(expectedResponse(method, undefined, status, context.contract), payload)
        : undefined;
    if (problem) reply.code(500);
    done(null, problem ? JSON.stringify({ brokeTheContract: url, wrong: problem }) : payload);
  });
  return ({ request, operation, contract, entry }, response) => {
    // A fault may say anything, that is what it is for.
    if (entry.why?.code === 'fault' || response.body === null) return response;
    const problem = checkService(
      expectedResponse(request.method, operation, response.status, contract),
      response.body,
    );
    return problem ? { ...response, status: 500, body: JSON.stringify(problem) } : response;
  };
};

const createServiceCheck = (): ((expected: Reply, payload: string) => object | undefined) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const validatorFor = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  };
  return ({ operation, status, schema }, payload) => {
    const validate = validatorFor(schema);
    if (validate(JSON.parse(payload))) return undefined;
    return { brokeTheContract: operation, status, errors: validate.errors, payload };
  };
};

/** What the contract promises of this response. */
const expectedResponse = (
  method: string,
  routed: Operation | undefined,
  status: number,
  contract: ContractInForce,
): Reply => {
  const operation = routed && contract.document.paths?.[routed.path]?.[routed.method];
  const responses = (operation?.responses ?? {}) as Record<string, unknown>;
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const media = resolveRefs(contract.document, response ?? {}) as Media;
  const schema = operation
    ? (media.content?.['application/json']?.schema ?? { not: {} })
    : (resolveRefs(contract.document, unroutedSchema(contract, status)) as object);
  return { operation: operation ? routed.id : `no operation: ${method}`, status, schema };
};

// Where there is no operation the document promises a failure; only an answer makes it a success.
const unroutedSchema = ({ answers }: ContractInForce, status: number): object => {
  const failure = { $ref: '#/components/schemas/Failure' };
  const answersOutside = [answers['failure.unknown-route-status'], answers['failure.wrong-method-status']];
  if (status !== 200 || !answersOutside.includes('accepted')) return failure;
  return { anyOf: [{ properties: { success: { const: true } }, required: ['success', 'message'] }, failure] };
};
