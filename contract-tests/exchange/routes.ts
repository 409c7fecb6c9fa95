import { contract, listOperations } from '../../mock/contract/document.ts';
import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import type { Call } from './exchange.ts';

/** Method, paths and section of an operation in the document. */
export type Route = {
  readonly method: Call['method'];
  /** The documented path first, then the paths of the code examples (§4.4). */
  readonly paths: readonly [string, ...string[]];
  /** The section of the document that describes the operation. */
  readonly section: string;
};

const routeOf = (operation: OperationId): Route => {
  const forms = listOperations(contract).filter(({ id }) => id === operation);
  const [documented, ...examples] = forms.sort((left, right) => Number(left.alias) - Number(right.alias));
  if (!documented) throw new Error(`openapi.yaml has no operation ${operation}`);
  return {
    method: documented.method.toUpperCase() as Call['method'],
    paths: [documented.path, ...examples.map(({ path }) => path)],
    section: documented.section,
  };
};

/** Method, paths and section of every operation, from openapi.yaml. */
export const routes = Object.fromEntries(operationIds.map((id) => [id, routeOf(id)])) as Readonly<
  Record<OperationId, Route>
>;

/** Whether an operation concerns one lead, so that its path contains an id. */
export const concernsOneLead = (operation: OperationId): boolean =>
  routes[operation].paths[0].includes('{id}');
