import type { Exchange } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { CheckSkipped } from '../session/outcome.ts';
import type { SendOptions, Session } from '../session/session.ts';
import { validRequest } from '../session/valid-request.ts';
import { expectAlike } from './expect-alike.ts';

/** Sends a mail again that was accepted before. §4.1, §4.3: the document does not limit how often a mail may be sent. */
export const repeatMail = async (session: Session, id: 'sendEmail' | 'sendTemplateEmail'): Promise<void> => {
  const accepted = session.client.exchanges.find(
    ({ operation, intent, outcome }) => operation === id && intent === 'complete' && outcome === 'success',
  );
  if (!accepted) throw new CheckSkipped('no mail was accepted that could be repeated');
  const { path, body = '' } = accepted;
  const send = (request: SendOptions): Promise<Exchange> =>
    session.send(id, { ...request, path, intent: 'text' });
  await expectAlike(session, {
    check: `${operationOf(id).area}.repeatable`,
    subject: 'a mail that was accepted before',
    other: () => send({ raw: body }),
    usual: () => send(validRequest(session, id)),
  });
};
