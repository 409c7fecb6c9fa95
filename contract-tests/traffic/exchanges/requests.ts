import type { OperationId } from '../../../mock/contract/operation-id.ts';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { canDecode } from '../../client/decode-body.ts';
import { excerpt, isObject, jsonTypeOf, sentJson } from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { requestFields, type SeenRequest } from './intent.ts';
import { headerText, isServicePath, type ObservedRequest, operationsAt, pathOfTarget } from './observed.ts';

/** A part of a request that the document does not have. It is no defect of the service. */
export type RequestFinding = {
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
  readonly question?: QuestionId | undefined;
};

/** The path of a request without the segments that may contain personal data. */
const describePath = (target: string): string =>
  excerpt(pathOfTarget(target), 300)
    .split('/')
    .map((segment) => (/[\d@%]/.test(segment) && segment !== 'v1' ? '…' : excerpt(segment, 40)))
    .join('/');

/** What GET may do at the path of an operation, which §4.8 leaves open. */
const openReads: { readonly [Id in OperationId]?: QuestionId } = {
  addLead: 'lead.list',
  updateLead: 'lead.retrieve',
};

/** The finding for a request with a path or a method that the document does not have. */
export const inspectRoute = (method: string, target: string): RequestFinding => {
  const operation = `${excerpt(method, 20)} ${describePath(target)}`;
  const there = operationsAt(target);
  const question = method === 'GET' ? there.map((id) => openReads[id]).find(Boolean) : undefined;
  const about = { operation, section: question ? '4.8' : '4' };
  if (there.length > 0) {
    const message = 'the document has the path, but not with this method';
    return { kind: 'unknown method', ...about, message, question };
  }
  const message = isServicePath(target)
    ? 'the document has no such path'
    : 'the path is not written as in the document, and some servers would take it for one of the service';
  return { kind: 'unknown route', ...about, message };
};

/** Fields that a question leaves open, by operation. */
const openFields: { readonly [Id in OperationId]?: Readonly<Record<string, QuestionId>> } = {
  sendEmail: { to: 'send.to', from: 'send.from', subject: 'send.subject', html: 'send.html' },
  sendTemplateEmail: { to: 'template-send.to', variables: 'template-send.variables' },
  addLead: { name: 'lead.name', source: 'lead.source', note: 'lead.note', email: 'lead.email' },
  updateLead: { name: 'lead.update-name', source: 'lead.update-source', email: 'lead.email' },
};

const unknownField = (operation: OperationId, name: string): RequestFinding['question'] =>
  openFields[operation]?.[name] ?? (operation === 'addLead' ? 'lead.unknown-field' : undefined);

/** Compares the fields of a request body with the documented ones. Messages contain field names, never values. */
const inspectFields = (request: SeenRequest): Omit<RequestFinding, 'operation'>[] => {
  const { operation } = request;
  const { section } = routes[operation];
  const json = sentJson(request);
  if (!isObject(json))
    return [{ kind: 'not JSON', message: `the body is ${jsonTypeOf(json)}, not a JSON object`, section }];
  const documented = requestFields[operation];
  const unknown = Object.keys(json)
    .filter((name) => !documented.some((field) => field.name === name))
    .slice(0, 20)
    .map((name) => ({
      kind: 'unknown field' as const,
      message: `the field ${JSON.stringify(excerpt(name, 60))} is not documented`,
      section,
      question: unknownField(operation, name),
    }));
  const others = documented.flatMap(({ name, type }): Omit<RequestFinding, 'operation'>[] => {
    if (!Object.hasOwn(json, name)) {
      // A request without `to` is documented: it is one of the forms of §4.1.
      if (operation === 'sendEmail' && name === 'to') return [];
      const isOpenUpdate = operation === 'updateLead' && Object.keys(json).length > 0;
      if (isOpenUpdate) return [];
      const question = operation === 'updateLead' ? 'lead.update-empty' : openFields[operation]?.[name];
      return [{ kind: 'missing field', message: `the field "${name}" is missing`, section, question }];
    }
    const actual = jsonTypeOf(json[name]);
    if (actual === type) return [];
    const question = operation === 'addLead' ? 'lead.wrong-type' : undefined;
    return [
      { kind: 'wrong type', message: `the field "${name}" is ${actual}, not ${type}`, section, question },
    ];
  });
  return [...unknown, ...others];
};

/**
 * All deviations of a request from its documented form.
 * @param keysUnknown whether the headers with keys were removed from the recording
 */
export const inspectRequest = (
  request: SeenRequest,
  { requestHeaders, target }: ObservedRequest,
  keysUnknown: boolean,
): RequestFinding[] => {
  const { operation, body, bodyUnknown } = request;
  const findings: Omit<RequestFinding, 'operation'>[] = [];
  const authorization = headerText(requestHeaders.authorization);
  if (!keysUnknown && !/^bearer +\S+$/i.test(authorization.trim()))
    findings.push({
      kind: 'missing key',
      message:
        authorization === '' ? 'there is no Authorization header' : 'Authorization is not "Bearer <API_KEY>"',
      section: '5',
    });
  if (target.includes('?'))
    findings.push({
      kind: 'query',
      message: 'no operation has a query string',
      section: routes[operation].section,
    });
  const encoding = headerText(requestHeaders['content-encoding']);
  if (!canDecode(encoding))
    findings.push({
      kind: 'content encoding',
      message: `a body with Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} cannot be checked`,
      section: routes[operation].section,
    });
  if (requestFields[operation].length > 0 && !bodyUnknown) {
    const type = headerText(requestHeaders['content-type']);
    if (body !== undefined && body !== '' && !/^application\/json\s*(;|$)/i.test(type))
      findings.push({
        kind: 'content type',
        message:
          type === ''
            ? 'a body without Content-Type'
            : `Content-Type ${JSON.stringify(excerpt(type, 60))}, not application/json`,
        section: '5',
      });
    if (sentJson(request) === undefined)
      findings.push({
        kind: 'not JSON',
        message: 'the body is not JSON',
        section: routes[operation].section,
      });
    else findings.push(...inspectFields(request));
  }
  return findings.map((finding) => ({ ...finding, operation }));
};

/** Whether a request breaks the contract, instead of using something that the document leaves open. */
export const isBreach = ({ question, kind }: RequestFinding): boolean =>
  question === undefined && kind !== 'query';

/** Counts findings about requests; keeps a limited number of different ones. */
export const createRequestFindings = () => {
  const counts = new Map<string, RequestFinding & { count: number }>();
  return {
    add: (finding: RequestFinding): void => {
      const key = `${finding.kind} ${finding.operation} ${finding.message}`;
      const known = counts.get(key);
      if (known) known.count += 1;
      else if (counts.size < 200) counts.set(key, { ...finding, count: 1 });
    },
    list: (): readonly (RequestFinding & { readonly count: number })[] => [...counts.values()],
  };
};
