import { contract, listOperations } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import type { QuestionId } from '../../../mock/contract/questions.ts';
import { canDecode } from '../../client/decode-body.ts';
import {
  type Exchange,
  excerpt,
  isObject,
  type JsonObject,
  jsonTypeOf,
  sentFields,
  sentJson,
  textOf,
} from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { existence } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import { headerText, type ObservedRequest, operationsAt, pathOfTarget } from './observed.ts';

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
  return { kind: 'unknown route', ...about, message: 'the document has no such path' };
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

type DocumentedField = { readonly name: string; readonly type: string };

type BodySchema = { readonly properties?: Readonly<Record<string, { readonly type?: string } | boolean>> };

const fieldsOf = (id: OperationId): DocumentedField[] => {
  const body = listOperations(contract).find((operation) => operation.id === id && !operation.alias)?.body;
  return Object.entries((body as BodySchema | undefined)?.properties ?? {}).map(([name, schema]) => ({
    name,
    type: typeof schema === 'object' ? (schema.type ?? 'any') : 'any',
  }));
};

/** The documented fields of each request body; none for requests without a body. */
const requestFields: Readonly<Record<OperationId, readonly DocumentedField[]>> = {
  listTemplates: [],
  deleteLead: [],
  sendEmail: fieldsOf('sendEmail'),
  sendTemplateEmail: fieldsOf('sendTemplateEmail'),
  addLead: fieldsOf('addLead'),
  updateLead: fieldsOf('updateLead'),
};

/** A request as observed, before its response is interpreted. */
export type SeenRequest = Pick<Exchange, 'operation' | 'body' | 'contentType'> & {
  readonly target: string;
  /** Whether the body is missing in the recording, or too large to check. */
  readonly bodyUnknown: boolean;
};

const [longestText, mostVariables] = [500, 50];

/** Whether a value consists of text that no common validation refuses. */
const isPlain = (value: unknown): boolean => {
  if (isObject(value))
    return (
      Object.keys(value).length <= mostVariables &&
      Object.values(value).every((item) => typeof item === 'string' && isPlain(item))
    );
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= longestText &&
    !/(?![\t\r\n])\p{Cc}/u.test(value)
  );
};

const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 320 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value);

/** Whether a request concerns a lead that certainly exists when it is sent. */
const isAboutLead = ({ operation, target }: SeenRequest, model: Model, at: number): boolean => {
  const lead = model.leads.get(leadIdOf({ operation, path: pathOfTarget(target) }));
  return lead !== undefined && existence(lead, { from: at, to: at }) !== 'no';
};

type Demand = (json: JsonObject, request: SeenRequest, model: Model, at: number) => boolean;

const demands: Partial<Record<OperationId, Demand>> = {
  sendEmail: ({ from, to }) => isAddress(from) && isAddress(to),
  // A service may merge two leads with one name.
  addLead: ({ name }, _request, model) => !model.hasName(name),
  updateLead: (_json, request, model, at) => isAboutLead(request, model, at),
  deleteLead: (_json, request, model, at) => isAboutLead(request, model, at),
  sendTemplateEmail: ({ template_id: id, variables }, _request, model) => {
    const listed = model.templates.latest.get(textOf(id))?.variables;
    const names = isObject(variables) ? Object.keys(variables) : [];
    return (
      Array.isArray(listed) &&
      listed.length === names.length &&
      listed.every((name) => names.includes(textOf(name)))
    );
  },
};

/** Whether a request of the documented form contains everything that the document shows, so that nothing left open is a reason to refuse it. */
export const isComplete = (request: SeenRequest, model: Model, at: number): boolean => {
  const { operation, body = '', bodyUnknown } = request;
  if (bodyUnknown || (requestFields[operation].length === 0 && body !== '')) return false;
  const fields = sentFields(request);
  const demand = demands[operation];
  return Object.values(fields).every(isPlain) && (demand === undefined || demand(fields, request, model, at));
};

/** The return type of `createSuccesses`. */
export type Successes = ReturnType<typeof createSuccesses>;

/** Remembers requests that have succeeded, so that the same request is known to be acceptable; limited in number. */
export const createSuccesses = () => {
  const known = new Set<string>();
  const keyOf = ({ operation, target, body }: SeenRequest): string =>
    `${operation} ${pathOfTarget(target)} ${body ?? ''}`;
  return {
    note: (request: SeenRequest): void => {
      const key = keyOf(request);
      if (known.size < 2000 && key.length < 10_000) known.add(key);
    },
    has: (request: SeenRequest): boolean => known.has(keyOf(request)),
  };
};
