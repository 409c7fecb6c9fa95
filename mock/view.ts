import { type BodyRule, createBodyRules } from './body-rules.ts';
import { contractUnder } from './contract-view.ts';
import { precompiledRules } from './generated/body-rules.js';
import type { OwnAnswers } from './own-answers.ts';
import { type Answers, assumedAnswers, resolveAnswers } from './questions.ts';
import { createRecent } from './recent.ts';
import { type Contract, listOperations, type Operation, type Schema } from './spec.ts';
import { standingHeaders } from './standing-headers.ts';

/** The contract in force for one set of answers, with what the mock asks of it on every request. */
export type View = {
  readonly answers: Answers;
  readonly contract: Contract;
  readonly operations: readonly Operation[];
  /** Whether it has this path form of an operation. */
  readonly serves: (operation: Operation) => boolean;
  /** Methods the contract has at a concrete path, `[]` for a path it does not know. */
  readonly methodsAt: (path: string) => string[];
  /** Schema of the request body by operation id; the same object every time. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /** Headers of every reply, where an answer says that there are any. */
  readonly headers: Readonly<Record<string, string>> | undefined;
};

/** The rule for a body schema of any view: what Fastify is given as its validator compiler. */
export const bodyRule: (schema: Schema) => BodyRule = createBodyRules(precompiledRules);

export type Views = {
  /** The server's own. */
  readonly server: View;
  /** Of a workspace with its own answers over the server's; workspaces that answer alike share one. */
  readonly of: (own: OwnAnswers | undefined) => View;
};

// A view holds a whole contract, a few hundred kilobytes; making it anew takes a few milliseconds.
const mostViews = 100;

export const createViews = (answers: Answers): Views => {
  const server = createView(answers);
  const views = createRecent(mostViews, (id) => createView(resolveAnswers(JSON.parse(id), answers)));
  return {
    server,
    of: (own) => {
      const id = own?.id() ?? '';
      return id === '' ? server : views.get(id);
    },
  };
};

const createView = (answers: Answers): View => {
  const contract = contractUnder(answers);
  const operations = listOperations(contract);
  const served = new Set(operations.map(({ route }) => route));
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) => ({
    path,
    pattern: patternOf(path),
  }));
  return {
    answers,
    contract,
    operations,
    serves: (operation) => served.has(operation.route),
    methodsAt: (concrete) => {
      const known = paths.find(({ pattern }) => pattern.test(concrete));
      return operations.filter(({ path }) => path === known?.path).map(({ method }) => method.toUpperCase());
    },
    bodies: new Map(operations.flatMap(({ id, body }) => (body ? [[id, body] as const] : []))),
    headers: standingHeaders(answers),
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** Every operation any answers could ask for: what is routed, so that answers can change while the mock runs. */
export const possibleOperations = (): Operation[] =>
  listOperations(
    contractUnder(
      resolveAnswers(
        {
          'templates.list-path': 'both',
          'templates.send-path': 'both',
          'lead.retrieve': 'present',
          'lead.list': 'present',
        },
        assumedAnswers(),
      ),
    ),
  );
