import { type Exchange, templateIdOf } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { validRequest } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import { expectAlike } from './expect-alike.ts';

/**
 * Sends the mail that was accepted last again, byte for byte: the document does not limit how often (§4.1, §4.3). Without one, or
 * if its template is no longer listed, it sends another mail.
 */
export const repeatMail = async (
  session: Session,
  id: 'sendEmail' | 'sendTemplateEmail',
): Promise<Exchange> => {
  const { latest } = session.history.model.templates;
  const usual = (): Promise<Exchange> => session.send(id, { ...validRequest(session, id), intent: 'text' });
  const last = session.client.exchanges.findLast(
    (mail) =>
      mail.operation === id &&
      mail.outcome === 'success' &&
      mail.credentials === 'key' &&
      (id === 'sendEmail' || latest.has(templateIdOf(mail))),
  );
  if (!last) return usual();
  const { path, body = '' } = last;
  return expectAlike(session, {
    check: `${operationOf(id).area}.repeatable`,
    subject: 'a mail that was accepted before',
    other: () => session.send(id, { path, raw: body, intent: 'text' }),
    usual,
    after: last,
  });
};
