import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { CheckAdminReply } from '../admin/admin.ts';
import { type Operation, resolveRefs } from '../contract/document.ts';
import type { ContractInForce } from '../contract/in-force.ts';
import { pathMatcher, pathOf } from '../contract/path-template.ts';
import type { Mock, MockOptions } from '../index.ts';
import type { ReplyDoc } from '../route/noun.ts';
import { components } from '../route/schemas.ts';
import { assembleMock } from '../sdk/mock.ts';
import { startServer } from '../server/server.ts';
import type { Service } from '../service/request.ts';
import type { Context } from '../service/service.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

/** As `startMock`, and holds every reply against the contract in force, or the admin API's own document: one that breaks it becomes a 500. */
export const startCheckedMock = async (options: MockOptions = {}): Promise<Mock> => {
  const checks = { service: checkService, adminReply: checkAdminReply };
  const { url, port, ...server } = await startServer(options, checks);
  return { ...assembleMock({ ...server, acceptKeys: options.acceptKeys, name: port }), url, port };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

// To compile a schema takes longer than to answer a hundred requests.
const validators = new Map<string, ValidateFunction>();

/** What of a body breaks a schema, or `undefined`. */
const errorsIn = (schema: JsonSchema, body: string): ValidateFunction['errors'] => {
  const text = JSON.stringify(schema);
  // The references in the document of the admin API lead to its components.
  const validate = validators.get(text) ?? ajv.compile({ ...schema, components: { schemas: components } });
  validators.set(text, validate);
  return validate(JSON.parse(body)) ? undefined : validate.errors;
};

const refusal: ReplyDoc = { description: 'Refused.', schema: { $ref: '#/components/schemas/Refusal' } };

/** Checks replies of the admin API against its own document: one that breaks it becomes a 500 that says how. */
const checkAdminReply: CheckAdminReply = (route, reply) => {
  const { status, headers, body } = reply;
  if ((route && !route.replies) || typeof body !== 'string') return reply;
  const expected = route?.replies?.[status] ?? (status >= 400 && status < 500 ? refusal : undefined);
  const wrongBody = (wrong: object): string => JSON.stringify({ route: route?.id, wrong });
  const problem = (wrong: object) => ({ ...reply, status: 500, body: wrongBody(wrong) });
  if (!expected) return problem({ undocumented: status, body });
  if (!expected.schema)
    return headers['content-type']?.startsWith(expected.type ?? '') ? reply : problem({ headers });
  const errors = errorsIn(expected.schema, body);
  return errors ? problem({ errors, body }) : reply;
};

type Media = { content?: Record<string, { schema?: JsonSchema }> };

/**
 * Checks the response of an operation against the contract in force: one that breaks it becomes a 500 that says how. Fault rules may
 * answer whatever they say.
 */
const checkService =
  (service: Service, { contractOf, workspaceOf }: Context): Service =>
  (request) => {
    const outcome = service(request);
    const { reply, why = '' } = outcome;
    const contract = contractOf(workspaceOf(request.headers.authorization));
    const isAt = ({ method, path }: Operation): boolean =>
      method.toUpperCase() === request.method && pathMatcher(path)(pathOf(request.url));
    const operation = contract.operations.find(isAt);
    if (!operation || !('status' in reply) || reply.body === null || why.startsWith('fault rule '))
      return outcome;
    const { status, body } = reply;
    const errors = errorsIn(expectedSchema(operation, status, contract), body);
    const problem = { brokeTheContract: operation.id, status, errors, body };
    return errors ? { ...outcome, reply: { ...reply, status: 500, body: JSON.stringify(problem) } } : outcome;
  };

/** What the contract promises of this response. */
const expectedSchema = ({ path, method }: Operation, status: number, { document }: ContractInForce) => {
  const responses = (document.paths?.[path]?.[method]?.responses ?? {}) as Record<string, unknown>;
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const media = resolveRefs(document, response ?? {}) as Media;
  return media.content?.['application/json']?.schema ?? { not: {} };
};
