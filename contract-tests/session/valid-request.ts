import type { OperationId } from '../../mock/contract/operation-id.ts';
import { completeEmail, templateEmail } from './email-requests.ts';
import { CheckInconclusive } from './outcome.ts';
import type { OwnLead, SendOptions, Session } from './session.ts';
import type { ListedTemplate } from './shared.ts';

/** Values that a valid request may depend on. */
type Context = {
  /** The lead that the request concerns, if its path contains an id. */
  readonly lead?: Pick<OwnLead, 'id' | 'expected'> | undefined;
  /** In place of the one that scenarios use. */
  readonly template?: ListedTemplate | undefined;
  /** Number of the request in a series: operations with several valid forms alternate between them. */
  readonly turn?: number;
};

const requests: Readonly<Record<OperationId, (session: Session, context: Context) => SendOptions>> = {
  listTemplates: () => ({}),
  addLead: (session) => ({ body: session.leadBody() }),
  updateLead: (session, { lead }) => ({
    leadId: lead?.id ?? '',
    body: session.updateBody({ note: session.newNote() }, lead),
  }),
  deleteLead: (_session, { lead }) => ({ leadId: lead?.id ?? '' }),
  sendEmail: (session) => ({ body: completeEmail(session) }),
  sendTemplateEmail: (session, { turn = 0, template = session.requirements.template }) => {
    const { templateWithoutTo } = session.requirements;
    if (!template) throw new CheckInconclusive('the deployment lists no template in the documented form');
    const body = templateEmail(session, template);
    // The form of §4.3 names no recipient. If both forms are accepted, the key may be validated in only one of them.
    return { body: templateWithoutTo && turn % 2 === 1 ? { ...body, to: undefined } : body };
  },
};

/**
 * A request to an operation that succeeds with the key.
 * @throws CheckInconclusive if the deployment lacks what the request needs
 */
export const validRequest = (session: Session, id: OperationId, context: Context = {}): SendOptions =>
  requests[id](session, context);
