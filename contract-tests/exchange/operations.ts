import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Route, routes } from './routes.ts';

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
