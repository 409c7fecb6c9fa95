import type { OperationId } from '../../mock/spec.ts';
import { type ActiveCheck, CheckInconclusive } from '../check.ts';
import type { Credentials, Exchange } from '../exchange.ts';
import { completeEmail, templateEmail } from '../mails.ts';
import type { OwnLead, Session } from '../session.ts';

/** Requests that would succeed with the key, so that a refusal can only be about the key (§5.1). */
type Trial = {
  readonly needs: ActiveCheck['needs'];
  readonly send: (
    session: Session,
    credentials: Credentials,
    path: string,
    lead: OwnLead | undefined,
    turn: number,
  ) => Promise<Exchange>;
};

export const trials: { readonly [Id in OperationId]: Trial } = {
  listTemplates: {
    needs: 'read',
    send: (session, credentials, path) =>
      session.send('listTemplates', { path, credentials, intent: 'probe' }),
  },
  sendEmail: {
    needs: 'mail',
    send: (session, credentials) =>
      session.send('sendEmail', { body: completeEmail(session), credentials, intent: 'probe' }),
  },
  sendTemplateEmail: {
    needs: 'mail',
    send: (session, credentials, path, _lead, turn) => {
      const { template, templateWithoutTo } = session.demands;
      if (!template) throw new CheckInconclusive('the deployment lists no template');
      return session.send('sendTemplateEmail', {
        path,
        // In turn with a recipient and in §4.3's own shape, which names none: the key may be looked at in one of them only.
        body: {
          ...templateEmail(session, template),
          ...(templateWithoutTo && turn % 2 === 1 ? { to: undefined } : {}),
        },
        credentials,
        intent: 'probe',
      });
    },
  },
  addLead: {
    needs: 'writes',
    send: (session, credentials) =>
      session.send('addLead', {
        body: { ...session.newFields(), ...session.demands.leadExtra },
        credentials,
        intent: 'probe',
      }),
  },
  updateLead: {
    needs: 'writes',
    send: (session, credentials, _path, lead) =>
      session.send('updateLead', {
        leadId: lead?.id ?? '',
        body: { ...(session.demands.updateInFull ? lead?.expected : {}), note: intruder },
        credentials,
        intent: 'probe',
      }),
  },
  deleteLead: {
    needs: 'writes',
    send: (session, credentials, _path, lead) =>
      session.send('deleteLead', { leadId: lead?.id ?? '', credentials, intent: 'probe' }),
  },
};

export const intruder = 'contract-test: written without a valid key';
