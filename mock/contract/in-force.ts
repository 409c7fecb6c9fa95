import { applyToRequests, type EnablingAnswer, optionalRoutes } from './apply-answers.ts';
import { type Contract, listOperations, type Operation } from './document.ts';
import { createRouter, pathMatcher } from './path-template.ts';
import { type Answers, resolveAnswers } from './questions.ts';
import { describeResponses } from './responses.ts';
import { standingHeaders } from './schemas.ts';

/** The path prefix of every operation. */
export const apiPrefix = '/api/v1';

/** The contract in force for one set of answers, prepared for use on every request. */
export type ContractInForce = ReturnType<typeof createContractInForce>;

const createContractInForce = (answers: Answers) => {
  const document = applyToRequests(answers);
  let isDescribed = false;
  const operations = listOperations(document);
  const router = createRouter(operations);
  return {
    answers,
    /** Its responses are described when it is first read: that takes half of the time. */
    get document(): Contract {
      if (!isDescribed) describeResponses(document, answers);
      isDescribed = true;
      return document;
    },
    operations,
    /** The operation of a request, and the id in its path. @throws URIError for a path that cannot be decoded */
    find: router.find,
    /** Methods the contract has at a concrete path, `[]` for a path it does not know. */
    methodsAt: (path: string): string[] => router.at(path).map(({ method }) => method.toUpperCase()),
    /** Schema of the request body by operation id; the same object every time. */
    bodies: new Map(operations.flatMap(({ id, body }) => (body ? [[id, body] as const] : []))),
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
  operations ??= listOperations(applyToRequests(resolveAnswers(Object.fromEntries(optionalRoutes.values()))));
  return operations;
};

/** The answer that would add this method to this path. */
export const findEnablingAnswer = (method: string, path: string): EnablingAnswer | undefined => {
  const known = knownOperations().find(
    (operation) => operation.method === method.toLowerCase() && pathMatcher(operation.path)(path),
  );
  return known && optionalRoutes.get(known.route);
};
