// Requests of other clients: how they deviate from the document, and whether a refusal of one would be a finding.
import { contract, listOperations } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { pathOf } from '../../../mock/contract/path-template.ts';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { canDecode } from '../../client/decode-body.ts';
import { excerpt, isObject, type JsonObject, jsonTypeOf, textOf } from '../../exchange/exchange.ts';
import { concernsOneLead, operationOf } from '../../exchange/operations.ts';
import { existence } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import { type ObservedBody, type ObservedRequest, operationsAt } from './observed.ts';

type BodySchema = { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };

const described = listOperations(contract).filter(({ alias }) => !alias);
const bodies = new Map(described.map(({ id, body }) => [id, body as BodySchema]));

/** The documented fields of a request body with their types; none for a request without a body. */
const fieldsOf = (operation: OperationId): { readonly name: string; readonly type: string }[] =>
  Object.entries(bodies.get(operation)?.properties ?? {}).map(([name, { type = 'any' }]) => ({ name, type }));

/** Whether a request of the documented form is one that nothing left open is a reason to refuse, at a moment. */
export const isComplete = (
  operation: OperationId,
  { requestBody: body, target }: ObservedRequest,
  model: Model,
  at: number,
): boolean => {
  if ('missing' in body || (fieldsOf(operation).length === 0 && body.size > 0)) return false;
  const sent = isObject(body.json) ? body.json : {};
  // A service may merge two leads with one name.
  if (operation === 'addLead') return !model.hasName(sent.name);
  if (operation === 'sendTemplateEmail') return model.templates.latest.has(textOf(sent.template_id));
  if (!concernsOneLead(operation)) return true;
  const lead = model.leads.get(leadIdOf({ operation, path: pathOf(target) }));
  return lead !== undefined && existence(lead, { from: at, to: at }) !== 'no';
};

/** What a request has beyond the document, or lacks. It is no defect of the service. */
export type Deviation = {
  readonly kind:
    | 'unknown route'
    | 'unknown method'
    | 'missing key'
    | 'content type'
    | 'content encoding'
    | 'not JSON'
    | 'unknown field'
    | 'missing field'
    | 'wrong type'
    | 'query';
  /** The operation, or method and path if there is none. */
  readonly operation: string;
  readonly message: string;
  /** Section of the interface document. */
  readonly section: string;
  /** The open question that it concerns: a service may accept such a request. */
  readonly question?: QuestionId;
};

/** The path of a request without the segments that may contain personal data. */
const describePath = (target: string): string =>
  excerpt(pathOf(target), 300)
    .split('/')
    .map((segment) => (/[\d@%]/.test(segment) && segment !== 'v1' ? '…' : excerpt(segment, 40)))
    .join('/');

/** What GET may do at the path of an operation, which §4.8 leaves open. */
const openReads: { readonly [Id in OperationId]?: QuestionId } = {
  addLead: 'lead.list',
  updateLead: 'lead.retrieve',
};

/** The deviation of a request with a path or a method that the document does not have. */
const inspectRoute = (method: string, target: string): Deviation => {
  const operation = `${excerpt(method, 20)} ${describePath(target)}`;
  const there = operationsAt(target);
  if (there.length === 0)
    return { kind: 'unknown route', operation, section: '4', message: 'the document has no such path' };
  const question = method === 'GET' ? there.map((id) => openReads[id]).find(Boolean) : undefined;
  const message = 'the document has the path, but not with this method';
  const section = question ? '4.8' : '4';
  return { kind: 'unknown method', operation, section, message, ...(question && { question }) };
};

/** Fields that a question leaves open, by operation. */
const openFields: { readonly [Id in OperationId]?: Readonly<Record<string, QuestionId>> } = {
  sendEmail: { to: 'send.to', from: 'send.from', subject: 'send.subject', html: 'send.html' },
  sendTemplateEmail: { to: 'template-send.to', variables: 'template-send.variables' },
  addLead: { name: 'lead.name', source: 'lead.source', note: 'lead.note', email: 'lead.email' },
  updateLead: { name: 'lead.update-name', source: 'lead.update-source', email: 'lead.email' },
};

/** A deviation without its operation, in the section of the operation where there is none. */
type Part = readonly [
  kind: Deviation['kind'],
  message: string,
  question?: QuestionId | undefined,
  section?: string,
];

/** Compares the fields of a request body with the documented ones. Messages contain field names, never values. */
const inspectFields = (operation: OperationId, json: JsonObject): Part[] => {
  const documented = fieldsOf(operation);
  const open = openFields[operation] ?? {};
  const unknown = Object.keys(json)
    .filter((name) => !documented.some((field) => field.name === name))
    .slice(0, 20)
    .map((name): Part => {
      const question = open[name] ?? (operation === 'addLead' ? 'lead.unknown-field' : undefined);
      return ['unknown field', `the field ${JSON.stringify(excerpt(name, 60))} is not documented`, question];
    });
  // A mail without `to` is documented: it is one of the forms of §4.1. An update may have any of its fields (§4.6).
  const isOptional = (name: string): boolean =>
    operation === 'sendEmail' ? name === 'to' : operation === 'updateLead' && Object.keys(json).length > 0;
  const others = documented.flatMap(({ name, type }): Part[] => {
    if (!Object.hasOwn(json, name)) {
      const question = operation === 'updateLead' ? 'lead.update-empty' : open[name];
      return isOptional(name) ? [] : [['missing field', `the field "${name}" is missing`, question]];
    }
    const actual = jsonTypeOf(json[name]);
    const question = operation === 'addLead' ? 'lead.wrong-type' : undefined;
    return actual === type ? [] : [['wrong type', `the field "${name}" is ${actual}, not ${type}`, question]];
  });
  return [...unknown, ...others];
};

const inspectBody = (operation: OperationId, body: ObservedBody, type: string): Part[] => {
  if ('missing' in body || fieldsOf(operation).length === 0) return [];
  const { json, size } = body;
  const other = `Content-Type ${JSON.stringify(excerpt(type, 60))}, not application/json`;
  const label = type === '' ? 'a body without Content-Type' : other;
  const isLabelled = size === 0 || /^application\/json\s*(;|$)/i.test(type);
  const problem = json === undefined ? 'not JSON' : `${jsonTypeOf(json)}, not a JSON object`;
  return [
    ...(isLabelled ? [] : [['content type', label, undefined, '5'] as const]),
    ...(isObject(json) ? inspectFields(operation, json) : [['not JSON', `the body is ${problem}`] as const]),
  ];
};

/**
 * All deviations of a request from its documented form.
 * @param operation the operation at its path with its method, if the document has one
 * @param keysUnknown whether the headers with keys were removed from the recording
 */
export const inspectRequest = (
  operation: OperationId | undefined,
  { method, requestHeaders, requestBody, target }: ObservedRequest,
  keysUnknown: boolean,
): Deviation[] => {
  if (operation === undefined) return [inspectRoute(method, target)];
  const { authorization = '', 'content-encoding': encoding = '', 'content-type': type = '' } = requestHeaders;
  const parts: Part[] = [];
  if (!keysUnknown && !/^bearer +\S+$/i.test(authorization.trim())) {
    const isAbsent = authorization === '';
    const message = isAbsent ? 'there is no Authorization header' : 'Authorization is not "Bearer <API_KEY>"';
    parts.push(['missing key', message, undefined, '5']);
  }
  if (target.includes('?')) parts.push(['query', 'no operation has a query string']);
  if (!canDecode(encoding)) {
    const shown = JSON.stringify(encoding.slice(0, 40));
    parts.push(['content encoding', `a body with Content-Encoding ${shown} cannot be checked`]);
  }
  parts.push(...inspectBody(operation, requestBody, type));
  return parts.map(([kind, message, question, section = operationOf(operation).section]) => ({
    ...{ kind, operation, message, section },
    ...(question && { question }),
  }));
};

/** Whether a request breaks the contract, instead of using something that the document leaves open. */
export const isBreach = ({ question, kind }: Deviation): boolean =>
  question === undefined && kind !== 'query';
