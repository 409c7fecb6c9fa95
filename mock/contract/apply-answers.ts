import type { OpenAPIV3_1 } from 'openapi-types';
import {
  type AliasedOperation,
  type Contract,
  contract,
  copyOf,
  propertiesOf,
  reference,
  type Schema,
  schemaOf,
} from './document.ts';
import type { Answers, QuestionId } from './questions.ts';
import { applySuccessFields, describeResponses } from './responses.ts';
import { applyListParameters, applyToBodies } from './schemas.ts';

type Verb = 'get' | 'post' | 'put' | 'delete';

/** An answer with which a route exists. */
export type EnablingAnswer = readonly [id: QuestionId, answer: string];

const listPath: EnablingAnswer = ['templates.list-path', 'both'];
const sendPath: EnablingAnswer = ['templates.send-path', 'both'];

/** The routes that some answers leave out, each with an answer that has it. */
export const optionalRoutes: ReadonlyMap<string, EnablingAnswer> = new Map([
  ['get /api/v1/email/templates', listPath],
  ['get /api/v1/email/template', listPath],
  ['post /api/v1/email/template', sendPath],
  ['post /api/v1/email/send-template', sendPath],
  ['get /api/v1/leads', ['lead.list', 'present']],
  ['get /api/v1/leads/{id}', ['lead.retrieve', 'present']],
]);

/** §4.4: keeps the path forms of the template operations that the answers say exist. */
const applyPathForms = (document: Contract, answers: Answers): void => {
  const list = answers['templates.list-path'];
  if (list === 'plural') removeOperation(document, '/api/v1/email/template', 'get');
  if (list === 'singular') replaceForm(document, 'get', '/api/v1/email/templates', '/api/v1/email/template');
  const send = answers['templates.send-path'];
  if (send === 'template') removeOperation(document, '/api/v1/email/send-template', 'post');
  if (send === 'send-template')
    replaceForm(document, 'post', '/api/v1/email/template', '/api/v1/email/send-template');
};

const removeOperation = (document: Contract, path: string, verb: Verb): AliasedOperation => {
  const item = document.paths?.[path];
  const operation = item?.[verb];
  if (!item || !operation) throw new Error(`openapi.yaml: ${verb.toUpperCase()} ${path} is missing`);
  delete item[verb];
  if (Object.keys(item).length === 0) delete document.paths?.[path];
  return operation;
};

/** Makes the alias the operation: it keeps its path and takes over the operation id. */
const replaceForm = (document: Contract, verb: Verb, documentedPath: string, examplePath: string): void => {
  const { operationId, ...operation } = removeOperation(document, documentedPath, verb);
  removeOperation(document, examplePath, verb);
  const item = { ...document.paths?.[examplePath], [verb]: { operationId, ...operation } };
  document.paths = { ...document.paths, [examplePath]: item as OpenAPIV3_1.PathItemObject };
};

/** §4.8: the document has no operations to read leads. They are added only where the answers say that they exist. */
const addUndocumentedOperations = (document: Contract, answers: Answers): void => {
  const read = (operationId: string, summary: string, data: Schema): AliasedOperation => ({
    operationId,
    tags: ['leads'],
    summary,
    description: `${summary}. Not in the interface document (§4.8); observed.`,
    responses: {
      200: { description: 'Found.', content: { 'application/json': { schema: leadReply(document, data) } } },
      '4XX': reference('responses', 'Failure'),
      default: reference('responses', 'Failure'),
    },
  });
  const lead = copyOf(schemaOf(document, 'LeadAdded').properties?.data) as Schema;
  const add = (path: string, operation: AliasedOperation): void => {
    const item = document.paths?.[path];
    if (item) Object.assign(item, { get: operation });
  };
  if (answers['lead.retrieve'] === 'present')
    add('/api/v1/leads/{id}', read('retrieveLead', 'Read a lead', lead));
  if (answers['lead.list'] === 'present')
    add('/api/v1/leads', read('listLeads', 'List the leads', { type: 'array', items: lead }));
};

const leadReply = (document: Contract, data: Schema): Schema => ({
  ...copyOf(schemaOf(document, 'LeadAdded')),
  properties: { ...propertiesOf(document, 'LeadAdded'), data },
});

/**
 * The contract with one set of answers applied: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and follows this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const applyAnswers = (answers: Answers, base: Contract = contract): Contract => {
  const document = applyToRequests(answers, base);
  describeResponses(document, answers);
  return document;
};

/** Applies the answers to operations and requests only, without `describeResponses`: enough to serve them. */
export const applyToRequests = (answers: Answers, base: Contract = contract): Contract => {
  const document = copyOf(base);
  applyToBodies(document, answers);
  applyListParameters(document, answers);
  applyPathForms(document, answers);
  applySuccessFields(document, answers);
  addUndocumentedOperations(document, answers);
  return document;
};
