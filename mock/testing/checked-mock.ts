import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { CheckAdminReply } from '../admin/admin.ts';
import { type Operation, resolveRefs } from '../contract/document.ts';
import type { ContractInForce } from '../contract/in-force.ts';
import type { Mock, MockOptions } from '../index.ts';
import type { ReplyDoc } from '../route/noun.ts';
import { components, type JsonSchema } from '../route/schemas.ts';
import { assembleMock } from '../sdk/mock.ts';
import { startServer } from '../server/server.ts';
import type { CheckReply } from '../service/request.ts';

/** As `startMock`, and holds every reply against the contract in force, or the admin API's own document: one that breaks it becomes a 500. */
export const startCheckedMock = async (options: MockOptions = {}): Promise<Mock> => {
  const checks = { reply: checkReply, adminReply: checkAdminReply };
  const { url, port, ...server } = await startServer(options, checks);
  return { ...assembleMock({ ...server, acceptKeys: options.acceptKeys, name: port }), url, port };
};

/** The schema id of the document in Ajv. */
const documentId = 'https://email-leads.invalid/admin.json';

/** A schema with absolute references into the document with that id. */
const withAbsoluteRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`));

const adminAjv = new Ajv2020({ strict: false, allErrors: true });
formats.default(adminAjv);
adminAjv.addSchema({ components: { schemas: components } }, documentId);
const adminValidators = new Map<ReplyDoc, ValidateFunction>();

const refusal: ReplyDoc = {
  description: 'Refused.',
  schema: { $ref: '#/components/schemas/Refusal' },
};

/** Checks replies of the admin API against its own document: one that breaks it becomes a 500 that says how. */
const checkAdminReply: CheckAdminReply = (route, reply) => {
  const { status, headers, body } = reply;
  if (route?.internal || typeof body !== 'string') return reply;
  const expected = route?.replies[status] ?? (status >= 400 && status < 500 ? refusal : undefined);
  const problem = (wrong: object) => ({
    ...reply,
    status: 500,
    body: JSON.stringify({ route: route?.id, wrong }),
  });
  if (!expected) return problem({ undocumented: status, body });
  if (!expected.schema)
    return headers['content-type']?.startsWith(expected.type ?? '') ? reply : problem({ headers });
  const validate = adminValidators.get(expected) ?? adminAjv.compile(withAbsoluteRefs(expected.schema));
  adminValidators.set(expected, validate);
  return validate(JSON.parse(body)) ? reply : problem({ errors: validate.errors, body });
};

type Media = { content?: Record<string, { schema?: object }> };
type Reply = { readonly operation: string; readonly status: number; readonly schema: object };

// Made once: to compile the schemas takes longer than to answer a hundred requests.
let checkService: ReturnType<typeof createServiceCheck> | undefined;

/**
 * Checks a response under /api/v1 against the contract in force: an operation's against its responses, an error response
 * elsewhere against the shape of a failure (§7). A response that breaks it becomes a 500 that says how.
 */
const checkReply: CheckReply = (request, operation, contract, reply) => {
  if (reply.body === null) return reply;
  checkService ??= createServiceCheck();
  const problem = checkService(
    expectedResponse(request.method, operation, reply.status, contract),
    reply.body,
  );
  return problem ? { ...reply, status: 500, body: JSON.stringify(problem) } : reply;
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
