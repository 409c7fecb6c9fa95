import { contract, listOperations } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Exchange, isObject, type JsonObject } from '../../client/exchange.ts';
import type { History } from './history.ts';
import { leadIdOf, pathOfTarget } from './observed.ts';

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
export const requestFields: Readonly<Record<OperationId, readonly DocumentedField[]>> = {
  listTemplates: [],
  deleteLead: [],
  sendEmail: fieldsOf('sendEmail'),
  sendTemplateEmail: fieldsOf('sendTemplateEmail'),
  addLead: fieldsOf('addLead'),
  updateLead: fieldsOf('updateLead'),
};

export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

/** A request as observed, before its response is interpreted. */
export type SeenRequest = Pick<Exchange, 'operation' | 'body' | 'contentType'> & {
  readonly target: string;
  readonly json: unknown;
};

/** Whether a body has exactly the documented fields with their types, so that no open question is a reason to refuse it. */
const hasDocumentedBody = ({ operation, json, body, contentType }: SeenRequest): boolean => {
  const fields = requestFields[operation];
  if (fields.length === 0) return body === undefined || body === '';
  if (contentType !== 'application/json' || !isObject(json)) return false;
  return (
    Object.keys(json).length === fields.length &&
    fields.every(({ name, type }) => jsonTypeOf(json[name]) === type && isPlain(json[name]))
  );
};

const longest: Readonly<Record<string, number>> = { string: 500, object: 50 };

/** Whether a value consists of text that no common validation refuses. */
const isPlain = (value: unknown): boolean => {
  if (isObject(value))
    return (
      Object.keys(value).length <= (longest.object ?? 0) &&
      Object.values(value).every((item) => typeof item === 'string' && isPlain(item))
    );
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= (longest.string ?? 0) &&
    !/(?![\t\r\n])\p{Cc}/u.test(value)
  );
};

const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 320 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value);

const demands: Partial<
  Record<OperationId, (json: JsonObject, seen: SeenRequest, history: History) => boolean>
> = {
  sendEmail: ({ from, to }) => isAddress(from) && isAddress(to),
  addLead: ({ name }, _seen, history) => !history.hasName(name),
  updateLead: (_json, { target }, history) => {
    const lead = history.find(leadIdOf('updateLead', target));
    return lead !== undefined && lead.deletedAtMs === undefined && !lead.mayBeDeleted;
  },
  sendTemplateEmail: ({ template_id: id, variables }, _seen, history) => {
    const listed = history.templateVariables(id);
    const names = isObject(variables) ? Object.keys(variables) : [];
    return (
      listed !== undefined &&
      listed.length === names.length &&
      listed.every((name) => names.includes(String(name)))
    );
  },
};

/** Whether a request contains everything that the document shows, and nothing else. */
export const isDocumented = (request: SeenRequest, history: History): boolean => {
  if (request.target.includes('?') || !hasDocumentedBody(request)) return false;
  if (request.operation === 'deleteLead') {
    const lead = history.find(leadIdOf('deleteLead', request.target));
    return lead !== undefined && lead.deletedAtMs === undefined && !lead.mayBeDeleted;
  }
  const demand = demands[request.operation];
  return demand === undefined || demand(isObject(request.json) ? request.json : {}, request, history);
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
