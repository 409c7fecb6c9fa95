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

/** What requests of an operation do to a deployment: read, change leads, or send mail. */
export type Need = 'read' | 'writes' | 'mail';

type Facts = {
  /** Prefix of check ids: `leads.add`. */
  readonly area: string;
  /** For headings of a report. */
  readonly title: string;
  /** For titles of checks: `adding a lead`. */
  readonly action: string;
  readonly needs: Need;
};

const facts: Readonly<Record<OperationId, Facts>> = {
  listTemplates: {
    area: 'templates.list',
    title: 'List templates',
    action: 'listing templates',
    needs: 'read',
  },
  addLead: { area: 'leads.add', title: 'Add lead', action: 'adding a lead', needs: 'writes' },
  updateLead: { area: 'leads.update', title: 'Update lead', action: 'updating a lead', needs: 'writes' },
  deleteLead: { area: 'leads.delete', title: 'Delete lead', action: 'deleting a lead', needs: 'writes' },
  sendEmail: { area: 'email.send', title: 'Send email', action: 'sending an email', needs: 'mail' },
  sendTemplateEmail: {
    area: 'email.template',
    title: 'Send email from template',
    action: 'sending an email from a listed template',
    needs: 'mail',
  },
};

export type Operation = Facts & Route & { readonly id: OperationId };

/**
 * All operations of the service, in the order in which a run calls them. The compiler requires all
 * other tables of operations to be complete.
 */
export const operations: readonly Operation[] = (Object.keys(facts) as OperationId[]).map((id) => ({
  id,
  ...routes[id],
  ...facts[id],
}));

export const operationOf = (id: OperationId): Operation => ({ id, ...routes[id], ...facts[id] });

/** Ids of the operations that need a permission. */
export const operationsThatNeed = (need: Need): readonly OperationId[] =>
  operations.filter(({ needs }) => needs === need).map(({ id }) => id);
