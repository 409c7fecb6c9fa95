import {
  type AliasedOperation,
  type Contract,
  contract,
  copyOf,
  listOperations,
  type Operation,
  reference,
  type Schema,
  schemaOf,
} from './document.ts';
import { createRouter, pathMatcher } from './path-template.ts';
import { type Answers, type QuestionId, resolveAnswers } from './questions.ts';
import { applySuccessFields, describeResponses } from './responses.ts';
import { applyListParameters, applyToBodies, standingHeaders } from './schemas.ts';

/** §4.4: the path forms of an operation, the documented one first, each by the answer with which there is no other. */
const pathForms = [
  {
    question: 'templates.list-path',
    verb: 'get',
    forms: { plural: '/api/v1/email/templates', singular: '/api/v1/email/template' },
  },
  {
    question: 'templates.send-path',
    verb: 'post',
    forms: { template: '/api/v1/email/template', 'send-template': '/api/v1/email/send-template' },
  },
] as const;

/** An answer with which a route exists. */
export type EnablingAnswer = readonly [id: QuestionId, answer: string];

/** The routes that some answers leave out, each with an answer that has it. */
export const optionalRoutes: ReadonlyMap<string, EnablingAnswer> = new Map([
  ...pathForms.flatMap(({ question, verb, forms }) =>
    Object.values(forms).map((path): [string, EnablingAnswer] => [`${verb} ${path}`, [question, 'both']]),
  ),
  ['get /api/v1/leads', ['lead.list', 'present']],
  ['get /api/v1/leads/{id}', ['lead.retrieve', 'present']],
]);

/** Keeps the path forms that the answers say exist. A form that is alone is the operation, and no alias of it. */
const applyPathForms = ({ paths = {} }: Contract, answers: Answers): void => {
  for (const { question, verb, forms } of pathForms) {
    const { [answers[question]]: kept } = forms as { readonly [answer: string]: string };
    if (kept === undefined) continue;
    const [documented = ''] = Object.values(forms);
    const operation = paths[documented]?.[verb];
    for (const path of Object.values(forms)) {
      if (path !== kept) delete paths[path]?.[verb];
      if (Object.keys(paths[path] ?? {}).length === 0) delete paths[path];
    }
    Object.assign(paths[kept] ?? {}, { [verb]: operation });
  }
};

/** §4.8: the document has no operations to read leads. They are added only where the answers say that they exist. */
const addUndocumentedOperations = (document: Contract, answers: Answers): void => {
  const added = schemaOf(document, 'LeadAdded');
  const add = (path: string, operationId: string, summary: string, data: Schema): void => {
    const schema = { ...copyOf(added), properties: { ...added.properties, data } };
    const get: AliasedOperation = {
      operationId,
      tags: ['leads'],
      summary,
      description: `${summary}. Not in the interface document (§4.8); observed.`,
      responses: {
        200: { description: 'Found.', content: { 'application/json': { schema } } },
        '4XX': reference('responses', 'Failure'),
        default: reference('responses', 'Failure'),
      },
    };
    Object.assign(document.paths?.[path] ?? {}, { get });
  };
  const lead = copyOf(added.properties?.data) as Schema;
  if (answers['lead.retrieve'] === 'present') add('/api/v1/leads/{id}', 'retrieveLead', 'Read a lead', lead);
  if (answers['lead.list'] === 'present')
    add('/api/v1/leads', 'listLeads', 'List the leads', { type: 'array', items: lead });
};

/**
 * The contract with one set of answers applied: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and follows this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const applyAnswers = (answers: Answers): Contract => {
  const document = copyOf(contract);
  applyToBodies(document, answers);
  applyListParameters(document, answers);
  applyPathForms(document, answers);
  applySuccessFields(document, answers);
  addUndocumentedOperations(document, answers);
  describeResponses(document, answers, standingHeaders(answers));
  return document;
};

/** The path prefix of every operation. */
export const apiPrefix = '/api/v1';

/** The contract in force for one set of answers, prepared for use on every request. */
export type ContractInForce = ReturnType<typeof createContractInForce>;

const createContractInForce = (answers: Answers) => {
  const document = applyAnswers(answers);
  const operations = listOperations(document);
  return {
    answers,
    document,
    operations,
    ...createRouter(operations),
    /** Headers of every response, if an answer adds any. */
    headers: standingHeaders(answers),
    /** Whether an answer limits the requests of a key, or shows their number in headers. */
    countsRequests: answers['limits.rate'] === 'limited' || answers['limits.rate-headers'] === 'present',
  };
};

// Each holds a whole document of a few hundred kilobytes; creating one takes a few milliseconds.
const maxContracts = 100;

/** The server's own contract, and those of workspaces. */
export const createContracts = (answers: Answers) => {
  const server = createContractInForce(answers);
  const others = new Map<string, ContractInForce>();
  return {
    server,
    /** The contract with overrides, as JSON; workspaces with the same ones share it. Empty where there are none. */
    withOverrides: (overrides = ''): ContractInForce => {
      if (overrides === '') return server;
      let contract = others.get(overrides);
      if (contract) return contract;
      contract = createContractInForce(resolveAnswers(JSON.parse(overrides), answers));
      // One that is used again is created again.
      if (others.size >= maxContracts) others.clear();
      others.set(overrides, contract);
      return contract;
    },
  };
};

let operations: readonly Operation[] | undefined;

/** Every path form of every operation that any answers can add, computed once. */
export const knownOperations = (): readonly Operation[] => {
  operations ??= listOperations(applyAnswers(resolveAnswers(Object.fromEntries(optionalRoutes.values()))));
  return operations;
};

/** The answer that would add this method to this path. */
export const findEnablingAnswer = (method: string, path: string): EnablingAnswer | undefined => {
  const known = knownOperations().find(
    (operation) => operation.method === method.toLowerCase() && pathMatcher(operation.path)(path),
  );
  return known && optionalRoutes.get(known.route);
};
