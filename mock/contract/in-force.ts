import {
  type AliasedOperation,
  type Contract,
  contract,
  copyOf,
  listOperations,
  type Operation,
  operationsOf,
  reference,
  type Schema,
  schemaOf,
} from './document.ts';
import { createRouter, pathMatcher } from './path-template.ts';
import { type Answers, type QuestionId, resolveAnswers } from './questions.ts';
import { applySuccessFields, describeResponses } from './responses.ts';
import { applyListParameters, applyToBodies, standingHeaders } from './schemas.ts';

/** An answer with which a route exists. */
export type EnablingAnswer = readonly [id: QuestionId, answer: string];

type Presence = { readonly question: QuestionId; readonly answers: readonly [string, ...string[]] };

/** The routes that exist with some answers only: path forms (§4.4), the documented one first, and the reading of leads (§4.8). */
const optionalRoutes: Readonly<Record<string, Presence>> = {
  'get /api/v1/email/templates': { question: 'templates.list-path', answers: ['both', 'plural'] },
  'get /api/v1/email/template': { question: 'templates.list-path', answers: ['both', 'singular'] },
  'post /api/v1/email/template': { question: 'templates.send-path', answers: ['both', 'template'] },
  'post /api/v1/email/send-template': { question: 'templates.send-path', answers: ['both', 'send-template'] },
  'get /api/v1/leads': { question: 'lead.list', answers: ['present'] },
  'get /api/v1/leads/{id}': { question: 'lead.retrieve', answers: ['present'] },
};

/** §4.8: the document has no operations to read leads. */
const addUndocumentedOperations = (document: Contract): void => {
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
  add('/api/v1/leads/{id}', 'retrieveLead', 'Read a lead', lead);
  add('/api/v1/leads', 'listLeads', 'List the leads', { type: 'array', items: lead });
};

/** Removes the routes that the answers leave out. A path form that is left alone is the operation, and no alias of it. */
const removeRoutes = (document: Contract, answers: Answers): void => {
  const { paths = {} } = document;
  const operations = operationsOf(document);
  for (const { path, method, operation } of operations) {
    const presence = optionalRoutes[`${method} ${path}`];
    if (!presence || presence.answers.includes(String(answers[presence.question]))) continue;
    delete paths[path]?.[method];
    if (Object.keys(paths[path] ?? {}).length === 0) delete paths[path];
    const alias = operations.find((other) => other.operation['x-alias-of'] === operation.operationId);
    if (alias) Object.assign(paths[alias.path] ?? {}, { [alias.method]: operation });
  }
};

/**
 * The contract with one set of answers applied: OpenAPI 3.1 with concrete paths, required lists, limits and statuses.
 * The mock serves and follows this document. `openapi.yaml` itself stays as the interface document states it.
 */
export const applyAnswers = (answers: Answers): Contract => {
  const document = copyOf(contract);
  applyToBodies(document, answers);
  applyListParameters(document, answers);
  applySuccessFields(document, answers);
  addUndocumentedOperations(document);
  removeRoutes(document, answers);
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
  const enabling = Object.values(optionalRoutes).map(({ question, answers: [answer] }) => [question, answer]);
  operations ??= listOperations(applyAnswers(resolveAnswers(Object.fromEntries(enabling))));
  return operations;
};

/** The answer that would add this method to this path. */
export const findEnablingAnswer = (method: string, path: string): EnablingAnswer | undefined => {
  const known = knownOperations().find(
    (operation) => operation.method === method.toLowerCase() && pathMatcher(operation.path)(path),
  );
  const presence = known && optionalRoutes[known.route];
  return presence && [presence.question, presence.answers[0]];
};
