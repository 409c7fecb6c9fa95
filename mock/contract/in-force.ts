import { applyToRequests, type EnablingAnswer, optionalRoutes } from './apply-answers.ts';
import { type Contract, listOperations, type Operation, type Schema } from './document.ts';
import { createRouter, pathMatcher } from './path-template.ts';
import { type Answers, resolveAnswers } from './questions.ts';
import { describeResponses } from './responses.ts';
import { standingHeaders } from './schemas.ts';

/** The path prefix of every operation. */
export const apiPrefix = '/api/v1';

/** The contract in force for one set of answers, prepared for use on every request. */
export type ContractInForce = {
  readonly answers: Answers;
  readonly document: Contract;
  readonly operations: readonly Operation[];
  /** The operation of a request, and the id in its path. @throws URIError for a path that cannot be decoded */
  readonly find: (
    method: string,
    path: string,
  ) => { readonly route: Operation; readonly id: string } | undefined;
  /** Methods the contract has at a concrete path, `[]` for a path it does not know. */
  readonly methodsAt: (path: string) => string[];
  /** Schema of the request body by operation id; the same object every time. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /** Headers of every response, if an answer adds any. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Whether an answer limits the requests of a key, or shows their number in headers. */
  readonly countsRequests: boolean;
};

/** Answers of a workspace that override the server's. */
type Overrides = {
  /** The answers as JSON; empty where there are none. */
  readonly id: () => string;
};

type Contracts = {
  /** The server's own. */
  readonly server: ContractInForce;
  /** The contract for a workspace with overrides; workspaces with the same overrides share one. */
  readonly forOverrides: (overrides: Overrides | undefined) => ContractInForce;
};

// Each holds a whole document of a few hundred kilobytes; creating one takes a few milliseconds.
const maxContracts = 100;

export const createContracts = (answers: Answers): Contracts => {
  const server = createContractInForce(answers);
  const others = new Map<string, ContractInForce>();
  return {
    server,
    forOverrides: (overrides) => {
      const id = overrides?.id() ?? '';
      if (id === '') return server;
      let contract = others.get(id);
      if (contract) return contract;
      contract = createContractInForce(resolveAnswers(JSON.parse(id), answers));
      // One that is used again is created again.
      if (others.size >= maxContracts) others.clear();
      others.set(id, contract);
      return contract;
    },
  };
};

const createContractInForce = (answers: Answers): ContractInForce => {
  const document = applyToRequests(answers);
  // Responses are described when the document is first read: that takes half of the time.
  let isDescribed = false;
  const operations = listOperations(document);
  const router = createRouter(operations);
  return {
    answers,
    get document() {
      if (!isDescribed) describeResponses(document, answers);
      isDescribed = true;
      return document;
    },
    operations,
    find: router.find,
    methodsAt: (path) => router.at(path).map(({ method }) => method.toUpperCase()),
    bodies: new Map(operations.flatMap(({ id, body }) => (body ? [[id, body] as const] : []))),
    headers: standingHeaders(answers),
    countsRequests: answers['limits.rate'] === 'limited' || answers['limits.rate-headers'] === 'present',
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
