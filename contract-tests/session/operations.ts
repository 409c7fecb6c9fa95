import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Need, ReplyCheck } from './check.ts';
import { completeEmail, templateEmail } from './email-requests.ts';
import type { SendOptions } from './lead-requests.ts';
import { CheckInconclusive } from './outcome.ts';
import type { OwnLead } from './own-lead.ts';
import { type Route, routes } from './routes.ts';
import type { Session } from './session.ts';

/** What a valid request may depend on. */
type RequestContext = {
  /** The lead that the request concerns, where its path names one. */
  readonly lead?: OwnLead | undefined;
  /** Counts the requests of a series: some operations have more than one valid form, to be used in turn. */
  readonly turn?: number;
};

type Facts = {
  /** How ids of checks begin: `leads.add`. */
  readonly area: string;
  /** For headings of a report. */
  readonly title: string;
  /** For titles of checks: `adding a lead`. */
  readonly action: string;
  readonly needs: Need;
  /** A request that succeeds with the key. @throws CheckInconclusive where the deployment lacks what it needs */
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
      if (!template)
        throw new CheckInconclusive('the deployment lists no template as the document describes it');
      const body = templateEmail(session, template);
      // §4.3's own shape names no recipient: where both are taken, the key may be looked at in one of them only.
      return { body: templateWithoutTo && turn % 2 === 1 ? { ...body, to: undefined } : body };
    },
  },
};

export type Operation = Facts & Route & { readonly id: OperationId };

/** Every operation of the service, in the order in which a run asks for them. What else the suite has for each of them, the compiler asks for. */
export const operations: readonly Operation[] = (Object.keys(facts) as OperationId[]).map((id) => ({
  id,
  ...routes[id],
  ...facts[id],
}));

export const operationOf = (id: OperationId): Operation => ({ id, ...routes[id], ...facts[id] });

/** Ids of the operations that need a permission. */
export const operationsThatNeed = (need: Need): readonly OperationId[] =>
  operations.filter(({ needs }) => needs === need).map(({ id }) => id);

/** What every check of one operation says of it. */
export const claimOf = (
  id: OperationId,
): { readonly operation: OperationId; readonly needs: Need; readonly section: string } => ({
  operation: id,
  needs: facts[id].needs,
  section: routes[id].section,
});

/** Whether a check looks at the responses of an operation. */
export const isInScope = ({ operation, scope }: ReplyCheck, id: OperationId): boolean =>
  scope === 'every' ||
  operation === id ||
  (scope === 'related' && facts[operation].needs === facts[id].needs);
