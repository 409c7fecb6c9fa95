import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Need, ReplyCheck } from './check.ts';
import { completeEmail, templateEmail } from './email-requests.ts';
import type { SendOptions } from './lead-requests.ts';
import type { OwnLead } from './leads.ts';
import { CheckInconclusive } from './outcome.ts';
import { type Route, routes } from './routes.ts';
import type { Session } from './session.ts';

/** Values that a valid request may depend on. */
type RequestContext = {
  /** The lead that the request concerns, if its path contains an id. */
  readonly lead?: Pick<OwnLead, 'id' | 'expected'> | undefined;
  /** Number of the request in a series: operations with several valid forms alternate between them. */
  readonly turn?: number;
};

type Facts = {
  /** Prefix of check ids: `leads.add`. */
  readonly area: string;
  /** For headings of a report. */
  readonly title: string;
  /** For titles of checks: `adding a lead`. */
  readonly action: string;
  readonly needs: Need;
  /**
   * Options of a request that succeeds with the key.
   * @throws CheckInconclusive if the deployment lacks what the request needs
   */
  readonly validRequest: (session: Session, context: RequestContext) => SendOptions;
};

const facts: Readonly<Record<OperationId, Facts>> = {
  listTemplates: {
    area: 'templates.list',
    title: 'List templates',
    action: 'listing templates',
    needs: 'read',
    validRequest: () => ({}),
  },
  addLead: {
    area: 'leads.add',
    title: 'Add lead',
    action: 'adding a lead',
    needs: 'writes',
    validRequest: (session) => ({ body: session.leadBody() }),
  },
  updateLead: {
    area: 'leads.update',
    title: 'Update lead',
    action: 'updating a lead',
    needs: 'writes',
    validRequest: (session, { lead }) => ({
      leadId: lead?.id ?? '',
      body: session.updateBody({ note: session.newNote() }, lead),
    }),
  },
  deleteLead: {
    area: 'leads.delete',
    title: 'Delete lead',
    action: 'deleting a lead',
    needs: 'writes',
    validRequest: (_session, { lead }) => ({ leadId: lead?.id ?? '' }),
  },
  sendEmail: {
    area: 'email.send',
    title: 'Send email',
    action: 'sending an email',
    needs: 'mail',
    validRequest: (session) => ({ body: completeEmail(session) }),
  },
  sendTemplateEmail: {
    area: 'email.template',
    title: 'Send email from template',
    action: 'sending an email from a listed template',
    needs: 'mail',
    validRequest: (session, { turn = 0 }) => {
      const { template, templateWithoutTo } = session.requirements;
      if (!template) throw new CheckInconclusive('the deployment lists no template in the documented form');
      const body = templateEmail(session, template);
      // The form of §4.3 names no recipient. If both forms are accepted, the key may be validated in only one of them.
      return { body: templateWithoutTo && turn % 2 === 1 ? { ...body, to: undefined } : body };
    },
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

/** The fields that all checks of one operation share. */
export const claimOf = (
  id: OperationId,
): { readonly operation: OperationId; readonly needs: Need; readonly section: string } => ({
  operation: id,
  needs: facts[id].needs,
  section: routes[id].section,
});

/** Whether a check inspects the responses of an operation. */
export const isInScope = ({ operation, scope }: ReplyCheck, id: OperationId): boolean =>
  scope === 'every' || operation === id;
