import { contract, listOperations } from '../../../mock/contract/document.ts';
import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { type Exchange, isObject, type JsonObject, sentFields, textOf } from '../../exchange/exchange.ts';
import { existence } from '../../model/lead.ts';
import type { Model } from '../../model/model.ts';
import { leadIdOf } from '../../model/requests.ts';
import { pathOfTarget } from './observed.ts';

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
