import { contract, listOperations } from '../../mock/contract/document.ts';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Call } from './exchange.ts';

/** What requests of an operation do to a deployment: read, change leads, or send mail. */
export type Need = 'read' | 'writes' | 'mail';

type Description = {
  /** Prefix of check ids: `leads.add`. */
  readonly area: string;
  /** For headings of a report. */
  readonly title: string;
  /** For titles of checks: `adding a lead`. */
  readonly action: string;
  readonly needs: Need;
};

/** In the order in which a run calls them. The compiler requires all other tables of operations to be complete. */
const descriptions: Readonly<Record<OperationId, Description>> = {
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

/** An operation of the service: as openapi.yaml has it, and described for the suite. */
export type Operation = Description & {
  readonly id: OperationId;
  readonly method: Call['method'];
  /** The documented path first, then the paths of the code examples (§4.4). */
  readonly paths: readonly [string, ...string[]];
  /** The section of the document that describes the operation. */
  readonly section: string;
};

export const operations: readonly Operation[] = (Object.keys(descriptions) as OperationId[]).map((id) => {
  const forms = listOperations(contract).filter((form) => form.id === id);
  const [documented, ...examples] = forms.sort((left, right) => Number(left.alias) - Number(right.alias));
  if (!documented) throw new Error(`openapi.yaml has no operation ${id}`);
  const { path, section } = documented;
  const method = documented.method.toUpperCase() as Call['method'];
  return { ...descriptions[id], id, method, paths: [path, ...examples.map((form) => form.path)], section };
});

const byId = new Map(operations.map((operation) => [operation.id, operation]));

export const operationOf = (id: OperationId): Operation => byId.get(id) as Operation;

/** Whether an operation concerns one lead, so that its path contains an id. */
export const concernsOneLead = (id: OperationId): boolean => operationOf(id).paths[0].includes('{id}');

/** Ids of the operations that need a permission. */
export const operationsThatNeed = (need: Need): readonly OperationId[] =>
  operations.filter(({ needs }) => needs === need).map(({ id }) => id);

/** Whether a request may cause a mail, regardless of the recipient. */
export const causesMail = ({ operation, method }: Pick<Call, 'operation' | 'method'>): boolean =>
  method !== 'GET' && operationOf(operation).needs === 'mail';
